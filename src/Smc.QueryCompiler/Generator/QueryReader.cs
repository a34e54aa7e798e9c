using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>The verdict on one query: its plan, or why it has none.</summary>
internal sealed record QueryReading(QueryPlan? Plan, QueryRejection? Rejection)
{
    public static QueryReading Rejected(RejectionKind kind, string reason, SyntaxNode where) =>
        new(Plan: null, new QueryRejection(kind, reason, where.GetLocation()));
}

/// <summary>Reads a query at its door. The generator and the analyzer both come through here, so their verdicts are the same.</summary>
internal static class QueryReader
{
    /// <summary>The query of a call to <c>Query.Run</c> or <c>Query.Compile</c>; null when it is no such call.</summary>
    public static QueryReading? ReadCall(SemanticModel model, InvocationExpressionSyntax call, CancellationToken cancellation)
    {
        if (QueryDoor.IsNested(call) || model.GetOperation(call, cancellation) is not IInvocationOperation operation || !QueryDoor.IsDoor(operation.TargetMethod))
            return null;
        IArgumentOperation query = operation.Arguments[operation.Arguments.Length - 1];
        if (LambdaOf(query.Value) is not { } lambda)
            return QueryReading.Rejected(RejectionKind.NotSupported, "the query is not a lambda written in the call", query.Syntax);
        if (lambda.Symbol.IsAsync)
            return QueryReading.Rejected(RejectionKind.NotSupported, "the lambda is async", query.Syntax);

        ITypeSymbol resultType = operation.TargetMethod.TypeArguments[operation.TargetMethod.TypeArguments.Length - 1];
        return Read(new QuerySource(
            QueryDoor.NameOf(call),
            model.Compilation,
            model.Compilation.Assembly,
            lambda.Symbol.Parameters,
            lambda.Body,
            resultType,
            lambda.Syntax,
            TextOf(lambda.Syntax),
            cancellation));
    }

    /// <summary>The query of a definition method.</summary>
    public static QueryReading ReadDefinition(Compilation compilation, IMethodSymbol definition, INamedTypeSymbol within, CancellationToken cancellation)
    {
        SyntaxNode syntax = definition.DeclaringSyntaxReferences[0].GetSyntax(cancellation);
        IOperation? body = compilation.GetSemanticModel(syntax.SyntaxTree).GetOperation(syntax, cancellation) switch
        {
            IMethodBodyOperation method => method.BlockBody ?? method.ExpressionBody,
            _ => null,
        };
        if (body is null)
            return QueryReading.Rejected(RejectionKind.BadDeclaration, $"{definition.Name} has no body", syntax);
        return Read(new QuerySource(
            $"{within.Name}_{definition.Name}",
            compilation,
            within,
            definition.Parameters,
            body,
            definition.ReturnType,
            syntax,
            TextOf(syntax),
            cancellation));
    }

    private static QueryReading Read(QuerySource source)
    {
        try
        {
            return new QueryReading(OperationFrontEnd.Read(source), Rejection: null);
        }
        catch (QueryRejectedException rejected)
        {
            return new QueryReading(Plan: null, rejected.Rejection);
        }
    }

    private static IAnonymousFunctionOperation? LambdaOf(IOperation operation) => operation switch
    {
        IAnonymousFunctionOperation lambda => lambda,
        IDelegateCreationOperation creation => LambdaOf(creation.Target),
        IConversionOperation conversion => LambdaOf(conversion.Operand),
        _ => null,
    };

    /// <summary>The source of the query without the indentation that it has in its file.</summary>
    private static string TextOf(SyntaxNode node)
    {
        string[] lines = node.ToString().Split('\n');
        int indent = lines.Skip(1).Where(l => l.Trim().Length > 0).Select(l => l.Length - l.TrimStart().Length).DefaultIfEmpty(0).Min();
        StringBuilder text = new(lines[0].TrimEnd());
        foreach (string line in lines.Skip(1))
            text.Append('\n').Append(line.Length >= indent ? line.Substring(indent).TrimEnd() : line.Trim());
        return text.ToString();
    }
}
