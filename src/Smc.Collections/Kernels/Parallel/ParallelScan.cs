using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Runs the scans and loops of a kernel on as many threads as the query may use and as the rows are worth.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ParallelScan
{
    /// <summary>A part that begins with more memory than this has to be long.</summary>
    private const ulong CheapPart = 64 << 10;

    /// <summary>The elements for which it pays to wake a thread are at least so many pieces, so that threads that begin late or go slowly leave the others something to take over.</summary>
    private const int PiecesOfThread = 8;

    /// <summary>So many rows of a scan cost what an element does that is kept: rows behind it lie anywhere.</summary>
    private const int RowsForElement = 4;

    /// <summary>Reads the rows of a collection, or those that indexes find: on several threads, if the query has them and the rows are enough.</summary>
    /// <param name="state">The state, to which everything that the scan collects is added.</param>
    /// <param name="rows">The collection.</param>
    /// <param name="layoutHash">The hash of the layout that the kernel was compiled for.</param>
    /// <param name="partBytes">The memory that a part begins with, as far as it depends on the data.</param>
    /// <param name="isSerial">Whether one thread reads them all, however many there are.</param>
    public static void Scan<TScan, TRow, TState>(ref TState state, Collection<TRow> rows, ulong layoutHash, ulong partBytes, bool isSerial = false)
        where TScan : IParallelScan<TState>
        where TRow : unmanaged
        where TState : struct, IKernelState<TState>, allows ref struct
    {
        BlockScanner scan = BlockScanner.Begin(rows, layoutHash);
        try
        {
            TScan.Seek(ref state, ref scan);
            if (!isSerial && !scan.IsSought && TryRun<TScan, TState>(ref state, CollectionAccess.Context(rows, layoutHash), partBytes))
                return;
            TScan.BeginSerial(ref state);
            while (!state.HasGivenUp && scan.MoveNext())
                TScan.Scan(ref state, 0, scan.Block, scan.SlotCount, scan.IsDense ? 0 : scan.Validity, scan.FirstSlot);
        }
        finally
        {
            scan.Dispose();
        }
    }

    /// <summary>Reads the rows that a reference column leads to, as <see cref="Scan"/> does those of a collection, inside the critical section in which they were found.</summary>
    /// <param name="state">The state, of which the scan changes only what all threads share.</param>
    /// <param name="target">The rows.</param>
    public static void ScanTargets<TScan, TState>(ref TState state, scoped in TargetRows target)
        where TScan : IParallelScan<TState>
        where TState : struct, IKernelState<TState>, allows ref struct
    {
        if (target.Blocks is not { } blocks
            || TryRun<BlockPieces<TScan, TState>, TScan, TState>(ref state, new(target.Context!, blocks), blocks.Count, LeastBlocks(target.Context!, blocks), 0))
            return;
        for (int i = 0; i < blocks.Count && !state.HasGivenUp; i++)
            TScan.Scan(ref state, i, blocks[i].Address, blocks[i].SlotCount, BlockHeader.Validity(blocks[i].Address), from: 0);
    }

    /// <summary>Goes through kept elements: on several threads, if the query has them and the elements are enough.</summary>
    /// <param name="state">The state, to which everything that the loop collects is added.</param>
    /// <param name="elements">How many elements there are.</param>
    /// <param name="partBytes">The memory that a part begins with, as far as it depends on the data.</param>
    public static void Loop<TLoop, TState>(ref TState state, int elements, ulong partBytes)
        where TLoop : IParallelLoop<TState>
        where TState : struct, IKernelState<TState>, allows ref struct
    {
        int least = Math.Max(1, KernelOptions.Current.MinRowsPerThread / RowsForElement), size = Math.Max(1, least / PiecesOfThread);
        if (TryRun<ElementPieces<TLoop, TState>, TLoop, TState>(ref state, new(elements, size), (int)((elements + (long)size - 1) / size), Math.Max(1, least / size), partBytes))
            return;
        TLoop.BeginSerial(ref state);
        TLoop.Run(ref state, 0, elements);
    }

    /// <summary>Runs a scan on several threads; false, and nothing has happened, if the query has only one or the rows are too few.</summary>
    /// <param name="state">The state, to which everything that the scan collects is added.</param>
    /// <param name="context">The collection.</param>
    /// <param name="partBytes">The memory that a part begins with, as far as it depends on the data.</param>
    public static bool TryRun<TScan, TState>(ref TState state, MemoryContext context, ulong partBytes)
        where TScan : IParallelScan<TState>
        where TState : struct, IKernelState<TState>, allows ref struct
    {
        if (KernelOptions.Current.DegreeOfParallelism == 1)
            return false;
        // One section for all threads: what any of them reads was reachable after it began, so nothing of that is freed before it ends,
        // and it ends when all of them have. A part's scan enters one of its own, for code of the user's that the query calls.
        using CriticalSection section = CriticalSection.Enter();
        BlockList blocks = SnapshotScope.BlocksOf(context);
        return TryRun<BlockPieces<TScan, TState>, TScan, TState>(ref state, new(context, blocks), blocks.Count, LeastBlocks(context, blocks), partBytes);
    }

    /// <summary>Whether a scan of these blocks is shared, if its parts begin with little.</summary>
    internal static bool IsShared(MemoryContext context, BlockList blocks) => KernelOptions.Current.DegreeOfParallelism > 1 && blocks.Count >= 2 * LeastBlocks(context, blocks);

    /// <summary>The blocks that have the rows for which it pays to wake a thread.</summary>
    private static int LeastBlocks(MemoryContext context, BlockList blocks)
    {
        long rowsOfBlock = Math.Max(1, context.Count / Math.Max(1, blocks.Count));
        return (int)Math.Min(int.MaxValue / 4, (KernelOptions.Current.MinRowsPerThread + rowsOfBlock - 1) / rowsOfBlock);
    }

    private static bool TryRun<TPieces, TParts, TState>(ref TState state, TPieces pieces, int count, int least, ulong partBytes)
        where TPieces : struct, IPieces<TState>
        where TParts : IParallelParts<TState>
        where TState : struct, IKernelState<TState>, allows ref struct
    {
        int degree = KernelOptions.Current.DegreeOfParallelism;
        if (partBytes > CheapPart)
            least = Math.Max(least, count / degree / 2);
        if (degree == 1 || count < 2 * least)
            return false;
        if (!new ScanTeam<TPieces, TParts, TState>(pieces, count, least).TryRun(ref state, Math.Min(degree, count / least) - 1))
            state.GiveUp();
        return true;
    }
}
