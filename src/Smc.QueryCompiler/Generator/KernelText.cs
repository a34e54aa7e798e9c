using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The last look at the text of a kernel before it becomes part of the user's project: that it is C#, and that no name is declared twice where C# wants names to differ. What it finds is
/// a fault of the emitter, which costs the query its kernel instead of the user's build. Meaning is not checked: that takes a compiler several times as long as all of the generator.
/// </summary>
internal static class KernelText
{
    private static readonly CSharpParseOptions s_options = new(LanguageVersion.Preview, DocumentationMode.None);

    /// <summary>What is wrong with the text, or null.</summary>
    public static string? FirstError(string text)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(text, s_options);
        if (tree.GetDiagnostics().FirstOrDefault(d => d.Severity == DiagnosticSeverity.Error) is { } error)
            return $"its text is no C#: {error.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}";
        return tree.GetRoot().DescendantNodes(node => node is not MemberDeclarationSyntax or BaseNamespaceDeclarationSyntax or TypeDeclarationSyntax)
            .OfType<MemberDeclarationSyntax>().Select(DeclaredTwice).FirstOrDefault(name => name is not null) is { } twice
            ? $"its text declares {twice} twice"
            : null;
    }

    private static string? DeclaredTwice(MemberDeclarationSyntax member) => member switch
    {
        TypeDeclarationSyntax type => Repeated(type.Members.SelectMany(Names)) is { } name ? $"{name} in {type.Identifier.ValueText}" : null,
        BaseMethodDeclarationSyntax method => DeclaredTwice(method, method.ParameterList.Parameters.Select(p => p.Identifier.ValueText)) is { } name ? $"{name} in {NameOf(method)}" : null,
        _ => null,
    };

    /// <summary>What a member is called in its type, with the types of its parameters if it is a method.</summary>
    private static IEnumerable<string> Names(MemberDeclarationSyntax member) => member switch
    {
        BaseFieldDeclarationSyntax field => field.Declaration.Variables.Select(v => v.Identifier.ValueText),
        BaseTypeDeclarationSyntax type => [type.Identifier.ValueText],
        PropertyDeclarationSyntax property => [property.Identifier.ValueText],
        MethodDeclarationSyntax method => [$"{method.Identifier.ValueText}({string.Join(", ", method.ParameterList.Parameters.Select(p => p.Type?.ToString()))})"],
        _ => [],
    };

    private static string NameOf(BaseMethodDeclarationSyntax method) => method is MethodDeclarationSyntax named ? named.Identifier.ValueText : "a constructor";

    /// <summary>A name that a scope declares twice, or that one around it has; null for none. Functions in it have names of their own.</summary>
    private static string? DeclaredTwice(SyntaxNode scope, IEnumerable<string> around)
    {
        HashSet<string> known = new(around, StringComparer.Ordinal);
        List<SyntaxNode> inner = [];
        foreach (SyntaxNode node in scope.DescendantNodesAndSelf(node => node == scope || !IsScope(node)))
        {
            if (node != scope && IsScope(node))
                inner.Add(node);
            else if (Declared(node) is { } name && !known.Add(name))
                return name;
        }

        return inner.Select(node => DeclaredTwice(node, IsFunction(node) ? Parameters(node) : known)).FirstOrDefault(name => name is not null);
    }

    private static string? Declared(SyntaxNode node) => node switch
    {
        VariableDeclaratorSyntax variable => variable.Identifier.ValueText,
        SingleVariableDesignationSyntax variable => variable.Identifier.ValueText,
        ForEachStatementSyntax loop => loop.Identifier.ValueText,
        CatchDeclarationSyntax { Identifier.ValueText: { Length: > 0 } name } => name,
        LabeledStatementSyntax label => label.Identifier.ValueText + ":",
        _ => null,
    };

    private static bool IsFunction(SyntaxNode node) => node is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax;

    private static IEnumerable<string> Parameters(SyntaxNode function) => function switch
    {
        SimpleLambdaExpressionSyntax lambda => [lambda.Parameter.Identifier.ValueText],
        ParenthesizedLambdaExpressionSyntax lambda => lambda.ParameterList.Parameters.Select(p => p.Identifier.ValueText),
        LocalFunctionStatementSyntax local => local.ParameterList.Parameters.Select(p => p.Identifier.ValueText),
        _ => [],
    };

    private static bool IsScope(SyntaxNode node) => IsFunction(node)
        || node is BlockSyntax or ForStatementSyntax or CommonForEachStatementSyntax or WhileStatementSyntax or DoStatementSyntax or UsingStatementSyntax or FixedStatementSyntax
            or SwitchSectionSyntax or SwitchExpressionArmSyntax or CatchClauseSyntax
        || node is StatementSyntax { Parent: not (BlockSyntax or SwitchSectionSyntax or LabeledStatementSyntax) };

    private static string? Repeated(IEnumerable<string> names)
    {
        HashSet<string> known = new(StringComparer.Ordinal);
        return names.FirstOrDefault(name => !known.Add(name));
    }
}
