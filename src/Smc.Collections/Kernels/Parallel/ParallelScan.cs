using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Runs the scans of a kernel on as many threads as the query may use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ParallelScan
{
    /// <summary>A part is at least so many blocks: half a millisecond of work, against the tenth that it can take to wake a thread.</summary>
    private const int BlocksPerPart = 4;

    /// <summary>More parts than threads even out parts that take longer than others.</summary>
    private const int PartsPerThread = 4;

    /// <summary>A part that begins with more memory than this has to be long.</summary>
    private const ulong CheapPart = 64 << 10;

    /// <summary>The most parts. Kernels rely on it: what is bounded by 2⁹⁰ in each of them is bounded by 2⁹⁶ in all.</summary>
    private const int MaxParts = 64;

    /// <summary>Runs a scan on several threads; false, and nothing has happened, if the query has only one or the blocks are too few.</summary>
    /// <param name="state">The state, to which everything that the scan collects is added.</param>
    /// <param name="context">The collection.</param>
    /// <param name="partBytes">The memory that a part begins with, as far as it depends on the data.</param>
    /// <param name="hasGivenUp">Set when the fast variant of the kernel gives up.</param>
    public static bool TryRun<TScan, TState>(ref TState state, MemoryContext context, ulong partBytes, scoped ref bool hasGivenUp)
        where TScan : IParallelScan<TState>
        where TState : struct, allows ref struct
    {
        int degree = KernelOptions.Current.DegreeOfParallelism;
        if (degree == 1)
            return false;
        // One section for all threads: what any of them reads was reachable after it began, so nothing of that is freed before it ends,
        // and it ends when all of them have. A part's scan enters one of its own, for code of the user's that the query calls.
        using CriticalSection section = CriticalSection.Enter();
        return TryRun<TScan, TState>(ref state, context, context.Blocks, degree, partBytes <= CheapPart ? PartsPerThread : 1, ref hasGivenUp);
    }

    /// <summary>As for a collection: over the rows that a reference column leads to, inside the critical section in which they were found.</summary>
    /// <param name="state">The state, of which the scan changes only what all threads share.</param>
    /// <param name="target">The rows.</param>
    /// <param name="hasGivenUp">Set when the fast variant of the kernel gives up.</param>
    public static bool TryRun<TScan, TState>(ref TState state, scoped in TargetRows target, scoped ref bool hasGivenUp)
        where TScan : IParallelScan<TState>
        where TState : struct, allows ref struct
    {
        int degree = KernelOptions.Current.DegreeOfParallelism;
        return degree > 1 && target.Blocks is { } blocks && TryRun<TScan, TState>(ref state, target.Context!, blocks, degree, PartsPerThread, ref hasGivenUp);
    }

    private static bool TryRun<TScan, TState>(ref TState state, MemoryContext context, BlockList blocks, int degree, int partsPerThread, scoped ref bool hasGivenUp)
        where TScan : IParallelScan<TState>
        where TState : struct, allows ref struct
    {
        int parts = Math.Min(Math.Min(blocks.Count / BlocksPerPart, MaxParts), (int)Math.Min((long)degree * partsPerThread, MaxParts));
        if (parts < 2)
            return false;
        hasGivenUp |= !new ScanTeam<TScan, TState>(context, blocks, parts).TryRun(ref state, Math.Min(degree, parts) - 1);
        return true;
    }
}
