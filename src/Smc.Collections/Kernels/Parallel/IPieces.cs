using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The pieces that work is divided into, numbered in the order in which one thread would do them.</summary>
internal interface IPieces<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    /// <summary>Does one piece; false when the fast variant of the kernel gives up.</summary>
    bool Do(ref TState state, int piece);
}

/// <summary>The blocks of a scan.</summary>
internal readonly struct BlockPieces<TScan, TState>(MemoryContext context, BlockList blocks) : IPieces<TState>
    where TScan : IParallelScan<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    public bool Do(ref TState state, int piece)
    {
        using BlockScanner scan = BlockScanner.OfBlock(context, blocks, piece);
        if (scan.MoveNext())
            TScan.Scan(ref state, piece, scan.Block, scan.SlotCount, scan.IsDense ? 0 : scan.Validity, from: 0);
        return !state.HasGivenUp;
    }
}

/// <summary>Elements, so many in a piece.</summary>
internal readonly struct ElementPieces<TLoop, TState>(int elements, int size) : IPieces<TState>
    where TLoop : IParallelLoop<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    public bool Do(ref TState state, int piece)
    {
        KernelOptions.ThrowIfCancelled();
        TLoop.Run(ref state, piece * size, Math.Min((piece + 1) * size, elements));
        return !state.HasGivenUp;
    }
}
