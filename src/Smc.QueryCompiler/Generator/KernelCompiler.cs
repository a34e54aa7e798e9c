using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A plan after the back end: its kernel, or nothing when the back end has no kernel for it (the analyzer says why).</summary>
internal sealed record CompiledKernel(string ClassName, string SourceText, string ClassText);

/// <summary>The back end as the generator and the analyzer see it.</summary>
internal static class KernelCompiler
{
    /// <summary>The kernel of a plan; null when it is not supported.</summary>
    public static CompiledKernel? Compile(QueryPlan plan) => Attempt(plan).Kernel;

    /// <summary>Why a plan has no kernel; null when it has one.</summary>
    public static string? WhyNot(QueryPlan plan) => Attempt(plan).Reason;

    private static (CompiledKernel? Kernel, string? Reason) Attempt(QueryPlan plan)
    {
        try
        {
            QueryPlan optimized = PlanOptimizer.Optimize(plan);
            if (KernelEmitter.TryExplainUnsupported(optimized) is { } reason)
                return (null, reason);
            Kernel kernel = KernelEmitter.Emit(optimized);
            return (new CompiledKernel(kernel.ClassName, kernel.SourceText, kernel.ClassText), null);
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            // A mistake of the compiler costs this query its kernel, not the project all of them.
            return (null, $"the query compiler failed on it, please report that: {failure.GetType().Name}, {failure.Message}");
        }
    }
}
