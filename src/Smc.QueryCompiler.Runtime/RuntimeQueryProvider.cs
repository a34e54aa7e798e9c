using System.Diagnostics.CodeAnalysis;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Compilation;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Recording;
using Smc.QueryCompiler.Translation;
using Raised = Smc.Collections.Kernels.Raised;

namespace Smc.QueryCompiler;

/// <summary>Runs recorded queries with kernels that it compiles once for each shape.</summary>
internal sealed class RuntimeQueryProvider(RuntimeQueryOptions options) : QueryProvider
{
    private readonly KernelCache _kernels = new(options.KernelLimit);

    /// <summary>The kernels that it has or makes.</summary>
    public int KernelCount => _kernels.Count;

    public override bool TryRun<TResult>(RecordedCall call, [MaybeNullWhen(false)] out TResult result)
    {
        result = default;
        RecordedReading reading;
        try
        {
            reading = RecordedReading.Of(call);
        }
        catch (Exception unreadable) when (unreadable is UnreadableCaptureException or InsufficientExecutionStackException)
        {
            return FallBack(call, unreadable.Message, isPending: false);
        }

        Task<CompiledQuery> compilation = _kernels.GetOrCompile(reading);
        if (!compilation.IsCompleted && !options.WaitsForKernels)
            return FallBack(call, "its kernel is being compiled", isPending: true);
        CompiledQuery query = compilation.GetAwaiter().GetResult();
        if (query.Rejection is { } rejection)
            return FallBack(call, rejection, isPending: false);
        object?[] values = reading.Values;
        if (values.Any(value => value is IRecordedQuery rows && !CollectionAccess.CanScan(rows)))
            return FallBack(call, "it reads a collection for an AddRange into this collection, and does not see the rows that are added", isPending: false);
        try
        {
            // No object stands for the default of a type that has no name, a tuple with an anonymous object for instance.
            result = query.Run(values) is { } value ? (TResult)value : default!;
            return true;
        }
        catch (Exception exception) when (query.CanRaise && KernelFailure.IsLeftToQuery(exception, (Raised)query.Raises))
        {
            return FallBack(call, "it raised an exception, and the query decides what is raised", isPending: false);
        }
    }

    public override string Explain(RecordedCall call) => Explained(call, reading =>
    {
        QueryPlan plan = CompiledQuery.Plan(reading).Plan, optimized = PlanOptimizer.Optimize(plan);
        string text = $"plan:\n{PlanPrinter.Print(plan)}\noptimised:\n";
        if (KernelEmitter.TryExplainUnsupported(optimized) is { } reason)
            return $"{text}{PlanPrinter.Print(optimized)}\nLINQ to Objects: {reason}";
        Kernel kernel = KernelEmitter.Emit(optimized);
        return $"{text}{PlanPrinter.Print(optimized, kernel.Physical.Describe)}\nkernel:\n{kernel.SourceText}";
    });

    public override string ExplainAnalyze(RecordedCall call)
    {
        AnalyzedRun? run = null;
        string text = Explained(call, reading =>
        {
            run = new AnalyzedRun(reading);
            return "";
        });
        // What the query raises is not for the explanation to catch.
        return text + run?.Explain();
    }

    private static string Explained(RecordedCall call, Func<RecordedReading, string> explain)
    {
        string explanation;
        try
        {
            explanation = explain(RecordedReading.Of(call));
        }
        catch (Exception rejected) when (rejected is QueryNotTranslatableException or UnreadableCaptureException)
        {
            explanation = $"LINQ to Objects: {rejected.Message}";
        }
        catch (Exception fault) when (CompilerFailure.Is(fault))
        {
            explanation = $"LINQ to Objects: {CompilerFailure.Reason(fault)}";
        }

        return $"{RecordedText.Of(call)}\n\n{explanation}";
    }

    private bool FallBack(RecordedCall call, string reason, bool isPending)
    {
        RuntimeQueryMeter.CountFallback(isPending);
        options.OnFallback?.Invoke(new QueryFallback(RecordedText.Of(call), reason, isPending));
        return false;
    }
}
