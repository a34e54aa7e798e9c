using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A plan after the back end: its kernel, or nothing when the back end has no kernel for it (the analyzer says why).</summary>
/// <param name="ClassName">The class of the kernel.</param>
/// <param name="SourceText">A whole file.</param>
/// <param name="ClassText">The class by itself.</param>
/// <param name="Raises">What the kernel can raise: if anything, the query as it is written decides.</param>
internal sealed record CompiledKernel(string ClassName, string SourceText, string ClassText, Raised Raises)
{
    /// <summary>The query, its plan and how the kernel goes about it: the comment above the class.</summary>
    public string Explanation => string.Join("\n", ClassText.Split('\n').TakeWhile(IsComment).Select(line => line.Length > 3 ? line.Substring(3) : ""));

    private static bool IsComment(string line) => line.StartsWith("//", StringComparison.Ordinal);
}

/// <summary>The back end as the generator and the analyzer see it.</summary>
internal static class KernelCompiler
{
    /// <summary>The kernel of a plan; null when it has none.</summary>
    public static CompiledKernel? Compile(QueryPlan plan) => Compile(plan, out _);

    /// <summary>Why a plan has no kernel; null when it has one.</summary>
    public static string? WhyNot(QueryPlan plan)
    {
        Compile(plan, out string? reason);
        return reason;
    }

    /// <summary>Why a kernel cannot go into the user's project; null when it can.</summary>
    public static string? WhyNot(Kernel kernel) => KernelText.FirstError(kernel.ClassText) is { } error ? CompilerFailure.Reason(error) : null;

    private static CompiledKernel? Compile(QueryPlan plan, out string? reason)
    {
        try
        {
            QueryPlan optimized = PlanOptimizer.Optimize(plan);
            reason = KernelEmitter.TryExplainUnsupported(optimized);
            if (reason is not null)
                return null;
            Kernel kernel = KernelEmitter.Emit(optimized);
            reason = WhyNot(kernel);
            return reason is not null ? null : new CompiledKernel(kernel.ClassName, kernel.SourceText, kernel.ClassText, optimized.Raises);
        }
        catch (Exception fault) when (CompilerFailure.Is(fault))
        {
            // Left to the compiler that runs the generator, it would take every kernel of the project along.
            reason = CompilerFailure.Reason(fault);
            return null;
        }
    }
}
