using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>
/// SMC1002: a variable that the lambda of <c>Query.Run</c> captures becomes an argument of the call, and a parameter of the same name of the lambda.
/// The lambda becomes static when nothing else is captured: the compiler would say so otherwise.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class PassCapturedVariableFix() : SyntaxFix("SMC1002")
{
    private const int MaxArguments = 16;

    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<IdentifierNameSyntax>() is not { } name
            || model.GetSymbolInfo(name).Symbol is not { } variable
            || TypeOf(variable) is not { } type
            || CallAround(name) is not { } call
            || call.ArgumentList.Arguments is not { Count: <= MaxArguments } arguments
            || arguments[arguments.Count - 1].Expression is not LambdaExpressionSyntax lambda)
            return null;
        ArgumentSyntax last = arguments[arguments.Count - 1];
        LambdaExpressionSyntax changed = WithParameter(lambda, variable.Name, type.ToMinimalDisplayString(model, lambda.SpanStart));
        bool capturesMore = model.AnalyzeDataFlow(lambda) is { Succeeded: true } flow && flow.CapturedInside.Any(c => !SymbolEqualityComparer.Default.Equals(c, variable) && flow.DataFlowsIn.Contains(c));
        if (!capturesMore && !changed.Modifiers.Any(SyntaxKind.StaticKeyword))
            changed = changed.WithoutLeadingTrivia().WithModifiers(changed.Modifiers.Insert(0, SyntaxFactory.Token(SyntaxKind.StaticKeyword).WithTrailingTrivia(SyntaxFactory.Space))).WithLeadingTrivia(lambda.GetLeadingTrivia());
        SeparatedSyntaxList<ArgumentSyntax> all = arguments
            .Replace(last, last.WithExpression(changed))
            .Insert(arguments.Count - 1, SyntaxFactory.Argument(SyntaxFactory.IdentifierName(variable.Name)));
        return new Replacement($"Pass '{variable.Name}' as an argument", call, call.WithArgumentList(call.ArgumentList.WithArguments(all)));
    }

    private static ITypeSymbol? TypeOf(ISymbol variable) => variable switch
    {
        ILocalSymbol local => local.Type,
        IParameterSymbol { RefKind: RefKind.None } parameter => parameter.Type,
        _ => null,
    };

    /// <summary>The call of <c>Query.Run</c> in whose lambda the name stands. <c>Query.Compile</c> has no arguments to pass it in.</summary>
    private static InvocationExpressionSyntax? CallAround(SyntaxNode name) => name.Ancestors().OfType<InvocationExpressionSyntax>().LastOrDefault(call =>
        call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Run", Expression: var receiver }
        && receiver is IdentifierNameSyntax { Identifier.ValueText: "Query" } or MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Query" });

    private static ParenthesizedLambdaExpressionSyntax WithParameter(LambdaExpressionSyntax lambda, string name, string type)
    {
        if (lambda is ParenthesizedLambdaExpressionSyntax several)
        {
            bool isTyped = several.ParameterList.Parameters.Any(p => p.Type is not null);
            return several.WithParameterList(several.ParameterList.AddParameters(Parameter(name, isTyped ? type : null)));
        }

        SimpleLambdaExpressionSyntax simple = (SimpleLambdaExpressionSyntax)lambda;
        ParameterSyntax first = simple.Parameter.WithoutTrivia();
        SeparatedSyntaxList<ParameterSyntax> parameters = SyntaxFactory.SeparatedList([first, Parameter(name, null)]);
        return SyntaxFactory.ParenthesizedLambdaExpression(
            simple.AttributeLists, simple.Modifiers, returnType: null, SyntaxFactory.ParameterList(parameters).WithTrailingTrivia(simple.Parameter.GetTrailingTrivia()),
            simple.ArrowToken, simple.Block, simple.ExpressionBody);
    }

    private static ParameterSyntax Parameter(string name, string? type)
    {
        ParameterSyntax parameter = SyntaxFactory.Parameter(SyntaxFactory.Identifier(name));
        return type is null ? parameter : parameter.WithType(SyntaxFactory.ParseTypeName(type).WithTrailingTrivia(SyntaxFactory.Space));
    }
}
