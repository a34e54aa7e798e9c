using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>Adds or removes the modifiers of a tabular struct: not a record (SMC0001), readonly (SMC0002), partial (SMC0003), in partial types (SMC0005), not a ref struct (SMC0006).</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class DeclarationFix() : SyntaxFix("SMC0001", "SMC0002", "SMC0003", "SMC0005", "SMC0006")
{
    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } type)
            return null;
        switch (id)
        {
            case "SMC0001" when type is RecordDeclarationSyntax record && record.ParameterList is null && record.OpenBraceToken != default:
                return new Replacement("Make it a struct", record, ToStruct(record));
            case "SMC0002":
                return new Replacement("Make it readonly", type, type.WithModifiers(WithReadOnly(type.Modifiers)));
            case "SMC0003":
                return new Replacement("Make it partial", type, WithPartial(type));
            case "SMC0005" when OuterWithoutPartial(type) is { } outer:
                return new Replacement($"Make '{outer.Identifier.ValueText}' partial", outer, WithPartial(outer));
            case "SMC0006":
                return new Replacement("Remove 'ref'", type, type.WithModifiers(Without(type.Modifiers, SyntaxKind.RefKeyword)));
            default:
                return null;
        }
    }

    /// <summary><c>partial</c> is always the last modifier.</summary>
    private static TypeDeclarationSyntax WithPartial(TypeDeclarationSyntax type) =>
        type.Modifiers.Count == 0
            ? (TypeDeclarationSyntax)type.WithoutLeadingTrivia().WithModifiers(SyntaxFactory.TokenList(Token(SyntaxKind.PartialKeyword))).WithLeadingTrivia(type.GetLeadingTrivia())
            : (TypeDeclarationSyntax)type.WithModifiers(type.Modifiers.Add(Token(SyntaxKind.PartialKeyword)));

    private static SyntaxTokenList WithReadOnly(SyntaxTokenList modifiers)
    {
        int position = modifiers.IndexOf(SyntaxKind.PartialKeyword);
        if (position < 0)
            return modifiers.Add(Token(SyntaxKind.ReadOnlyKeyword));
        // What stood before the first modifier stays before it.
        SyntaxToken added = Token(SyntaxKind.ReadOnlyKeyword);
        return position > 0
            ? modifiers.Insert(position, added)
            : modifiers.Replace(modifiers[0], modifiers[0].WithLeadingTrivia()).Insert(0, added.WithLeadingTrivia(modifiers[0].LeadingTrivia));
    }

    private static SyntaxTokenList Without(SyntaxTokenList modifiers, SyntaxKind kind)
    {
        int position = modifiers.IndexOf(kind);
        SyntaxTriviaList leading = modifiers[position].LeadingTrivia;
        SyntaxTokenList rest = modifiers.RemoveAt(position);
        return position > 0 || rest.Count == 0 ? rest : rest.Replace(rest[0], rest[0].WithLeadingTrivia(leading));
    }

    private static StructDeclarationSyntax ToStruct(RecordDeclarationSyntax record) => SyntaxFactory.StructDeclaration(
        record.AttributeLists, record.Modifiers, record.ClassOrStructKeyword, record.Identifier, record.TypeParameterList, record.BaseList,
        record.ConstraintClauses, record.OpenBraceToken, record.Members, record.CloseBraceToken, record.SemicolonToken);

    private static TypeDeclarationSyntax? OuterWithoutPartial(TypeDeclarationSyntax type) =>
        type.Ancestors().OfType<TypeDeclarationSyntax>().FirstOrDefault(outer => outer.Modifiers.IndexOf(SyntaxKind.PartialKeyword) < 0);

    private static SyntaxToken Token(SyntaxKind kind) => SyntaxFactory.Token(kind).WithTrailingTrivia(SyntaxFactory.Space);
}
