using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Says what to write instead where C# refuses a construct because an operator of <c>Query&lt;T&gt;</c> takes an expression tree (CS8122, CS8143, CS8072, …): the compiler's
/// own message does not know that the same lambda is allowed in <c>Query.Run</c>.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ExpressionTreeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [QueryRules.ExpressionTree];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.AnonymousFunction);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        IAnonymousFunctionOperation lambda = (IAnonymousFunctionOperation)context.Operation;
        if (OperatorOf(lambda) is { } method && Refused(lambda) is { } refused)
            context.ReportDiagnostic(Diagnostic.Create(QueryRules.ExpressionTree, refused.Where.GetLocation(), refused.Construct, method.Name, Remedy(lambda)));
    }

    /// <summary>The operator of <c>Query&lt;T&gt;</c> that gets the lambda as an expression tree, else null.</summary>
    private static IMethodSymbol? OperatorOf(IAnonymousFunctionOperation lambda)
    {
        IOperation? around = lambda.Parent;
        bool isTree = false;
        while (around is IConversionOperation or IDelegateCreationOperation or IParenthesizedOperation or IArgumentOperation)
        {
            isTree |= around.Type is { Name: "Expression", ContainingNamespace.Name: "Expressions" };
            around = around.Parent;
        }

        return isTree && around is IInvocationOperation call && InlineChain.IsOperator(call.TargetMethod) ? call.TargetMethod : null;
    }

    private static (string Construct, SyntaxNode Where)? Refused(IAnonymousFunctionOperation lambda)
    {
        if (lambda.Syntax is LambdaExpressionSyntax { Body: BlockSyntax body })
            return ("statements", body);
        foreach (IOperation part in lambda.Body.Descendants())
        {
            if (!part.IsImplicit && ConstructOf(part) is { } construct)
                return (construct, part.Syntax);
        }

        return null;
    }

    private static string? ConstructOf(IOperation part) => part switch
    {
        ITupleOperation => "tuples",
        ITupleBinaryOperation => "comparisons of tuples",
        // 'x is Type' alone is no pattern.
        IIsPatternOperation => "patterns",
        IConditionalAccessOperation => "'?.'",
        ISwitchExpressionOperation => "'switch'",
        ICoalesceAssignmentOperation => "'??='",
        IThrowOperation => "'throw'",
        IWithOperation => "'with'",
        IRangeOperation => "'..'",
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat } => "'^'",
        ICollectionExpressionOperation => "'[…]'",
        IDeclarationExpressionOperation or IDiscardOperation => "declarations of 'out' variables",
        _ => null,
    };

    private static string Remedy(IAnonymousFunctionOperation lambda) => QueryDoor.NestingCall(lambda.Syntax) switch
    {
        null => "write Query.Run(rows, static rows => …)",
        { ArgumentList.Arguments: var arguments } when lambda.SemanticModel is { } model && arguments.Any(argument => InlineChain.IsQuery(model.GetTypeInfo(argument.Expression).Type)) =>
            "convert the query to IEnumerable<T> where it is passed to Query.Run, so that the lambda gets that",
        { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: QueryDoor.Compile } } => "declare the parameter as IEnumerable<T>",
        _ => "pass the collections before the values (at most eight arguments; up to four may be in any order) and options by Query.Use, so that the lambda gets IEnumerable<T>",
    };
}
