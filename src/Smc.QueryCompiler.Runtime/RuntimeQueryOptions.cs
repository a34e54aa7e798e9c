namespace Smc.QueryCompiler;

/// <summary>What may be chosen about the compilation of queries at run time.</summary>
public sealed record RuntimeQueryOptions
{
    /// <summary>
    /// Whether a query waits for its kernel when it runs for the first time, instead of running as LINQ to Objects until the kernel is there. For tests,
    /// and for programs that rather wait once (about two seconds for the first query of a process, tens of milliseconds for others).
    /// </summary>
    public bool WaitsForKernels { get; init; }

    /// <summary>The most kernels that are kept; beyond it the one that was not used for the longest time is unloaded.</summary>
    public int KernelLimit { get; init; } = 512;

    /// <summary>Called for every query that ran as LINQ to Objects, on the thread of the query.</summary>
    public Action<QueryFallback>? OnFallback { get; init; }
}
