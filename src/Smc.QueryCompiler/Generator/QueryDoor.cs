using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.Generator;

/// <summary>The ways into a compiled query, as they look in source.</summary>
internal static class QueryDoor
{
    public const string QueryType = "Smc.Collections.Query";
    public const string CompiledQueryAttribute = "Smc.Collections.CompiledQueryAttribute";
    public const string Run = "Run";
    public const string Compile = "Compile";

    /// <summary>Whether a node may be a call of <c>Query.Run</c> or <c>Query.Compile</c>; by names alone, so it is cheap and may be wrong.</summary>
    public static bool LooksLikeCall(SyntaxNode node) =>
        node is InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: > 0,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: Run or Compile, Expression: var receiver },
        }
        && RightmostName(receiver) == "Query";

    /// <summary>Whether the method is one of ours.</summary>
    public static bool IsDoor(IMethodSymbol method) =>
        method is { IsStatic: true, Name: Run or Compile } && method.ContainingType.ToDisplayString() == QueryType;

    /// <summary>Whether the call stands inside the lambda of another door: then the outer query is the one to compile.</summary>
    public static bool IsNested(SyntaxNode call) => NestingCall(call) is not null;

    /// <summary>The call of a door whose lambda a node is in; null for none.</summary>
    public static InvocationExpressionSyntax? NestingCall(SyntaxNode node) =>
        node.Ancestors().OfType<AnonymousFunctionExpressionSyntax>()
            .Select(lambda => (lambda.Parent as ArgumentSyntax)?.Parent?.Parent)
            .FirstOrDefault(outer => outer is not null && LooksLikeCall(outer)) as InvocationExpressionSyntax;

    /// <summary>A kernel's name from the members around the query: <c>Sales_Revenue</c>.</summary>
    public static string NameOf(SyntaxNode node)
    {
        string? member = node.Ancestors().Select(MemberName).FirstOrDefault(name => name is not null);
        string? type = node.Ancestors().OfType<TypeDeclarationSyntax>().FirstOrDefault()?.Identifier.ValueText;
        return (type, member) switch
        {
            (null, null) => "Query",
            (null, _) => member!,
            (_, null) => type,
            _ => $"{type}_{member}",
        };
    }

    private static string? MemberName(SyntaxNode node) => node switch
    {
        MethodDeclarationSyntax method => method.Identifier.ValueText,
        LocalFunctionStatementSyntax function => function.Identifier.ValueText,
        PropertyDeclarationSyntax property => property.Identifier.ValueText,
        VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax } field => field.Identifier.ValueText,
        ConstructorDeclarationSyntax => "New",
        _ => null,
    };

    private static string? RightmostName(ExpressionSyntax receiver) => receiver switch
    {
        IdentifierNameSyntax name => name.Identifier.ValueText,
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        AliasQualifiedNameSyntax alias => alias.Name.Identifier.ValueText,
        _ => null,
    };
}
