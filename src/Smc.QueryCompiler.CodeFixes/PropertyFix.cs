using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>
/// Brings a stored property into its form: stored instead of automatic (SMC0011), both accessors (SMC0012), <c>set</c> instead of <c>init</c> (SMC0013),
/// not static (SMC0014), no <c>[Precision]</c> or <c>[Direct]</c> where there is nothing for it (SMC0020, SMC0023, SMC0027),
/// null allowed where it is stored (SMC0028).
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class PropertyFix() : SyntaxFix("SMC0011", "SMC0012", "SMC0013", "SMC0014", "SMC0020", "SMC0023", "SMC0027", "SMC0028")
{
    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<PropertyDeclarationSyntax>() is not { } property)
            return null;
        return id switch
        {
            "SMC0011" when property.Initializer is null => new Replacement("Store it in the row", property, WithModifier(WithBothAccessors(property))),
            "SMC0012" => new Replacement("Add the other accessor", property, WithBothAccessors(property)),
            "SMC0013" when property.AccessorList is { } accessors => new Replacement("Use 'private set'", property, property.WithAccessorList(WithPrivateSet(accessors))),
            "SMC0014" => new Replacement("Remove 'static'", property, property.WithModifiers(property.Modifiers.RemoveAt(property.Modifiers.IndexOf(SyntaxKind.StaticKeyword)))),
            "SMC0020" => WithoutAttribute(property, "Precision"),
            "SMC0023" => WithoutAttribute(property, "Direct"),
            "SMC0027" => WithoutAttribute(property, "OnRemove"),
            "SMC0028" => new Replacement("Allow null", property, property.WithType(SyntaxFactory.NullableType(property.Type.WithoutTrivia()).WithTriviaFrom(property.Type))),
            _ => null,
        };
    }

    private static PropertyDeclarationSyntax WithModifier(PropertyDeclarationSyntax property) =>
        property.Modifiers.Any(SyntaxKind.PartialKeyword)
            ? property
            : property.WithModifiers(property.Modifiers.Add(SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithTrailingTrivia(SyntaxFactory.Space)));

    private static PropertyDeclarationSyntax WithBothAccessors(PropertyDeclarationSyntax property)
    {
        List<AccessorDeclarationSyntax> accessors = [.. property.AccessorList?.Accessors ?? []];
        if (!accessors.Any(a => a.IsKind(SyntaxKind.GetAccessorDeclaration)))
            accessors.Insert(0, Accessor(SyntaxKind.GetAccessorDeclaration));
        if (!accessors.Any(a => a.IsKind(SyntaxKind.SetAccessorDeclaration) || a.IsKind(SyntaxKind.InitAccessorDeclaration)))
            accessors.Add(Accessor(SyntaxKind.SetAccessorDeclaration));
        return property.WithAccessorList((property.AccessorList ?? SyntaxFactory.AccessorList()).WithAccessors(SyntaxFactory.List(accessors)));
    }

    private static AccessorListSyntax WithPrivateSet(AccessorListSyntax accessors)
    {
        AccessorDeclarationSyntax init = accessors.Accessors.First(a => a.IsKind(SyntaxKind.InitAccessorDeclaration));
        AccessorDeclarationSyntax set = Accessor(SyntaxKind.SetAccessorDeclaration)
            .WithModifiers(SyntaxFactory.TokenList(SyntaxFactory.Token(SyntaxKind.PrivateKeyword).WithTrailingTrivia(SyntaxFactory.Space)))
            .WithTriviaFrom(init);
        return accessors.ReplaceNode(init, set);
    }

    private static AccessorDeclarationSyntax Accessor(SyntaxKind kind) => SyntaxFactory.AccessorDeclaration(kind)
        .WithSemicolonToken(SyntaxFactory.Token(SyntaxKind.SemicolonToken)).WithTrailingTrivia(SyntaxFactory.Space);

    private static Replacement? WithoutAttribute(PropertyDeclarationSyntax property, string name)
    {
        AttributeSyntax? attribute = property.AttributeLists.SelectMany(list => list.Attributes).FirstOrDefault(a => NameOf(a) == name || NameOf(a) == name + "Attribute");
        if (attribute?.Parent is not AttributeListSyntax list)
            return null;
        PropertyDeclarationSyntax without = list.Attributes.Count > 1
            ? property.ReplaceNode(list, list.RemoveNode(attribute, SyntaxRemoveOptions.KeepNoTrivia)!)
            : property.WithAttributeLists(property.AttributeLists.Remove(list)).WithLeadingTrivia(property.GetLeadingTrivia());
        return new Replacement($"Remove [{name}]", property, without);
    }

    private static string NameOf(AttributeSyntax attribute) => attribute.Name switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.ValueText,
        AliasQualifiedNameSyntax alias => alias.Name.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => "",
    };
}
