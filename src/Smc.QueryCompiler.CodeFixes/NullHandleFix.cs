using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>SMC0062: a handle that may be null gets <c>.OrNull()</c>; <c>default(T)</c> becomes <c>null</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NullHandleFix() : SyntaxFix("SMC0062")
{
    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model) => node switch
    {
        DefaultExpressionSyntax or ArgumentSyntax { Expression: DefaultExpressionSyntax } => Null((node as ArgumentSyntax)?.Expression ?? node),
        ArgumentSyntax argument => OrNull(argument.Expression),
        ExpressionSyntax expression => OrNull(expression),
        _ => null,
    };

    private static Replacement Null(SyntaxNode value) =>
        new("Use 'null'", value, SyntaxFactory.LiteralExpression(SyntaxKind.NullLiteralExpression).WithTriviaFrom(value));

    private static Replacement OrNull(ExpressionSyntax handle) => new("Append '.OrNull()'", handle, CallOn(handle, "OrNull"));
}
