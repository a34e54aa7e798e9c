using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Simplification;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>
/// SMC1007: a comparison by the rules of a culture becomes an ordinal one. Calls with a position keep it; <c>CompareTo</c> has no ordinal form and
/// becomes <c>string.CompareOrdinal</c>, as <c>Compare</c> does.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class OrdinalComparisonFix() : SyntaxFix("SMC1007")
{
    private const string Title = "Compare ordinally: byte by byte, whatever the culture";

    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<InvocationExpressionSyntax>() is not { } call)
            return null;
        return call.Expression switch
        {
            MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Compare" } access when call.ArgumentList.Arguments.Count == 2 =>
                new Replacement(Title, call, call.WithExpression(access.WithName(SyntaxFactory.IdentifierName("CompareOrdinal")))),
            MemberAccessExpressionSyntax { Name.Identifier.ValueText: "CompareTo", Expression: var left } =>
                new Replacement(Title, call, SyntaxFactory.ParseExpression($"string.CompareOrdinal({left.WithoutTrivia()}, {call.ArgumentList.Arguments[0]})").WithTriviaFrom(call)),
            MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Compare" } => null,
            _ => new Replacement(Title, call, call.AddArgumentListArguments(Ordinal())),
        };
    }

    private static ArgumentSyntax Ordinal() => SyntaxFactory.Argument(
        SyntaxFactory.ParseExpression("global::System.StringComparison.Ordinal").WithLeadingTrivia(SyntaxFactory.Space).WithAdditionalAnnotations(Simplifier.Annotation));
}
