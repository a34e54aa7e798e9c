using System.Linq.Expressions;
using System.Text;
using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <summary>The texts of <see cref="Query{T}.Explain"/> and <see cref="Query{T}.ExplainAnalyze"/>.</summary>
internal static class QueryExplanation
{
    public static string Of(RecordedCall call) => OfSnapshot(call.Source) + (QueryProvider.Current?.Explain(call) ?? WithoutProvider(call));

    public static string OfRun(RecordedCall call)
    {
        using KernelOptions.Scope _ = KernelOptions.Use(call.Source.Options with { DegreeOfParallelism = 1 });
        return OfSnapshot(call.Source) + (QueryProvider.Current?.ExplainAnalyze(call) ?? WithoutProvider(call));
    }

    /// <summary>Of a query that was compiled with its project: what the generator wrote above the kernel.</summary>
    public static string OfKernel(IRecordedQuery query, string text) => $"{OfSnapshot(query)}compiled when the project was built\n\n{text}";

    private static string OfSnapshot(IRecordedQuery query) =>
        SnapshotScope.Of(query) is { } snapshot ? $"snapshot of {snapshot.Moment:O}: rows are read as they were then, and no index is consulted, whatever is said below\n\n" : "";

    private static string WithoutProvider(RecordedCall call) =>
        $"LINQ to Objects: no provider compiles queries at run time (RuntimeQueries.Enable() of the package Smc.QueryCompiler.Runtime does). The project's build compiles chains, and queries whose parts it sees in one method; this one it has not compiled.\n{Text(call)}";

    /// <summary>The recorded calls as a chain, one a line.</summary>
    private static string Text(RecordedCall call)
    {
        StringBuilder text = new();
        Append(call, text);
        return text.ToString();
    }

    private static void Append(RecordedCall call, StringBuilder text)
    {
        if (call.Source.Call is { } before)
            Append(before, text);
        else
            text.Append(call.Source.ElementType.Name).Append(" rows\n");
        text.Append("  .").Append(call.Operator).Append('(').AppendJoin(", ", call.Arguments.Select(a => Text(a.Value))).Append(")\n");
    }

    private static string Text(Expression argument) => argument is ConstantExpression { Value: IRecordedQuery other } ? $"{other.ElementType.Name} rows" : argument.ToString();
}
