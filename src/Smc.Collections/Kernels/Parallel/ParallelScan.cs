using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Runs the scans of a kernel on as many threads as the query may use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ParallelScan
{
    /// <summary>A part is at least so many blocks: half a millisecond of work, against the tenth that it can take to wake a thread.</summary>
    private const int LeastBlocks = 4;

    /// <summary>A part that begins with more memory than this has to be long.</summary>
    private const ulong CheapPart = 64 << 10;

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
        BlockList blocks = context.Blocks;
        int least = partBytes <= CheapPart ? LeastBlocks : Math.Max(LeastBlocks, blocks.Count / degree / 2);
        return TryRun<TScan, TState>(ref state, context, blocks, degree, least, ref hasGivenUp);
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
        return degree > 1 && target.Blocks is { } blocks && TryRun<TScan, TState>(ref state, target.Context!, blocks, degree, LeastBlocks, ref hasGivenUp);
    }

    private static bool TryRun<TScan, TState>(ref TState state, MemoryContext context, BlockList blocks, int degree, int least, scoped ref bool hasGivenUp)
        where TScan : IParallelScan<TState>
        where TState : struct, allows ref struct
    {
        if (blocks.Count < 2 * least)
            return false;
        hasGivenUp |= !new ScanTeam<TScan, TState>(context, blocks, least).TryRun(ref state, Math.Min(degree, blocks.Count / least) - 1);
        return true;
    }
}
