using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>The verdict on one query: its plan, or why it has none.</summary>
/// <param name="Plan">The plan.</param>
/// <param name="Rejection">Why there is no plan.</param>
/// <param name="Door">The called method, for a call.</param>
/// <param name="Captures">What an inline chain takes from outside.</param>
internal sealed record QueryReading(QueryPlan? Plan, QueryRejection? Rejection, IMethodSymbol? Door = null, ChainCaptures? Captures = null)
{
    public bool DoesNotBind => Rejection?.Kind == RejectionKind.DoesNotBind;

    public static QueryReading Rejected(RejectionKind kind, string reason, SyntaxNode where) =>
        new(Plan: null, new QueryRejection(kind, reason, where.GetLocation()));
}

/// <summary>Reads a query at its door. The generator and the analyzer both come through here, so their verdicts are the same.</summary>
internal static class QueryReader
{
    /// <summary>The query of a call to <c>Query.Run</c> or <c>Query.Compile</c>; null when it is no such call.</summary>
    public static QueryReading? ReadCall(SemanticModel model, InvocationExpressionSyntax call, CancellationToken cancellation)
    {
        if (QueryDoor.IsNested(call))
            return null;
        return ReadWhereItBinds(model, (at, isComplete) => ReadBoundCall(at, call, isComplete, cancellation) is { } reading ? [reading] : null, cancellation)?[0];
    }

    private static QueryReading? ReadBoundCall(SemanticModel model, InvocationExpressionSyntax call, bool isComplete, CancellationToken cancellation)
    {
        IOperation? bound = model.GetOperation(call, cancellation);
        if (bound is IInvalidOperation)
            return QueryReading.Rejected(RejectionKind.DoesNotBind, "it has an error", call);
        if (bound is not IInvocationOperation operation || !QueryDoor.IsDoor(operation.TargetMethod))
            return null;
        IArgumentOperation query = operation.Arguments[operation.Arguments.Length - 1];
        if (InlineChain.LambdaOf(query.Value) is not { } lambda)
            return QueryReading.Rejected(RejectionKind.NotSupported, "the query is not a lambda written in the call", query.Syntax);
        if (lambda.Symbol.IsAsync)
            return QueryReading.Rejected(RejectionKind.NotSupported, "the lambda is async", query.Syntax);

        ITypeSymbol resultType = operation.TargetMethod.TypeArguments[operation.TargetMethod.TypeArguments.Length - 1];
        QueryReading reading = Read(new QuerySource(
            QueryDoor.NameOf(call),
            model.Compilation,
            isComplete,
            model.Compilation.Assembly,
            lambda.Symbol.Parameters,
            lambda.Body,
            resultType,
            lambda.Syntax,
            TextOf(lambda.Syntax),
            cancellation));
        return reading with { Door = operation.TargetMethod };
    }

    /// <summary>
    /// The query that a call ends, once for each way in which the function around puts it together; the verdict <see cref="RejectionKind.InParts"/> alone where a part is
    /// elsewhere. Null when the call ends none.
    /// </summary>
    public static IReadOnlyList<QueryReading>? ReadChain(SemanticModel model, InvocationExpressionSyntax call, CancellationToken cancellation)
    {
        if (QueryDoor.IsNested(call) || InlineChain.IsInDefinition(model, call, cancellation))
            return null;
        return ReadWhereItBinds(model, (at, isComplete) => ReadBoundChain(at, call, isComplete, cancellation), cancellation);
    }

    private static IReadOnlyList<QueryReading>? ReadBoundChain(SemanticModel model, InvocationExpressionSyntax call, bool isComplete, CancellationToken cancellation)
    {
        IOperation? bound = model.GetOperation(call, cancellation);
        if (bound is null || HasError(bound))
            return [QueryReading.Rejected(RejectionKind.DoesNotBind, "it has an error", call)];
        if (bound is not IInvocationOperation end || !InlineChain.IsEnd(end.TargetMethod) || InlineChain.IsRecorded(end))
            return null;
        try
        {
            return [.. ChainForms.Of(end).Select(form => ReadForm(model, call, end, form, isComplete, cancellation))];
        }
        catch (QueryRejectedException elsewhere)
        {
            return [new QueryReading(Plan: null, elsewhere.Rejection)];
        }
        catch (Exception fault) when (CompilerFailure.Is(fault))
        {
            return [QueryReading.Rejected(RejectionKind.NotSupported, CompilerFailure.Reason(fault), call)];
        }
    }

    /// <summary>A lambda that uses a generated operator does not bind before that is generated; then nothing around it does.</summary>
    private static bool HasError(IOperation operation) => operation is IInvalidOperation || operation.Descendants().Any(part => part is IInvalidOperation);

    private static QueryReading ReadForm(SemanticModel model, InvocationExpressionSyntax call, IInvocationOperation end, ChainForm form, bool isComplete, CancellationToken cancellation)
    {
        if (form.Way.Parts.Any(HasError))
            return QueryReading.Rejected(RejectionKind.DoesNotBind, "it has an error", call);
        string text = form.Way == ChainWay.Straight ? TextOf(call) : form.Way.TextOf(end);
        QueryReading reading = Read(new QuerySource(
            QueryDoor.NameOf(call), model.Compilation, isComplete, model.Compilation.Assembly, Parameters: [], end, ResultTypeOf(end, model.Compilation), call, text, cancellation, form.Captures));
        return reading with { Door = end.TargetMethod, Captures = form.Captures };
    }

    /// <summary>What the kernel returns: the call's result, or the list of the rows that the call changes or of the elements of the query that it explains.</summary>
    private static ITypeSymbol ResultTypeOf(IInvocationOperation end, Compilation compilation) => InlineChain.IsChange(end.TargetMethod) || InlineChain.IsExplanation(end.TargetMethod)
        ? compilation.GetTypeByMetadataName("System.Collections.Generic.List`1")!.Construct(end.TargetMethod.ContainingType.TypeArguments[0])
        : end.Type!;

    /// <summary>The query of a definition method, compiled for a place inside its type.</summary>
    public static QueryReading ReadDefinition(Compilation compilation, IMethodSymbol definition, CancellationToken cancellation)
    {
        SyntaxNode syntax = definition.DeclaringSyntaxReferences[0].GetSyntax(cancellation);
        return ReadWhereItBinds(SemanticModels.WithoutNullableAnalysis(compilation, syntax.SyntaxTree), (at, isComplete) => [ReadBoundDefinition(at, syntax, isComplete, cancellation)], cancellation)![0];
    }

    private static QueryReading ReadBoundDefinition(SemanticModel model, SyntaxNode syntax, bool isComplete, CancellationToken cancellation)
    {
        IMethodSymbol definition = (IMethodSymbol)model.GetDeclaredSymbol(syntax, cancellation)!;
        if (model.GetOperation(syntax, cancellation) is not IMethodBodyOperation method || (method.BlockBody ?? method.ExpressionBody) is not { } body)
            return QueryReading.Rejected(RejectionKind.BadDeclaration, $"'{definition.Name}' has no body", syntax);
        return Read(new QuerySource(
            $"{definition.ContainingType.Name}_{definition.Name}",
            model.Compilation,
            isComplete,
            definition.ContainingType,
            definition.Parameters,
            body,
            definition.ReturnType,
            syntax,
            TextOf(syntax),
            cancellation));
    }

    /// <summary>Reads with the compilation as it is; where that does not bind, with what generators add to it.</summary>
    private static IReadOnlyList<QueryReading>? ReadWhereItBinds(SemanticModel model, Func<SemanticModel, bool, IReadOnlyList<QueryReading>?> read, CancellationToken cancellation)
    {
        if (TabularCompletion.Known(model) is { } known)
            return read(known, true);
        IReadOnlyList<QueryReading>? readings = read(model, false);
        return readings?.Any(reading => reading.DoesNotBind) == true ? read(TabularCompletion.Complete(model, cancellation) ?? model, true) : readings;
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
        catch (Exception fault) when (CompilerFailure.Is(fault))
        {
            return QueryReading.Rejected(RejectionKind.NotSupported, CompilerFailure.Reason(fault), source.Syntax);
        }
    }

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
