using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>A scan whose blocks several threads read.</summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IParallelScan<TState> : IParallelParts<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    /// <summary>Reads one block.</summary>
    /// <param name="state">The state.</param>
    /// <param name="number">The number of the block among those of the scan.</param>
    /// <param name="block">The block's address.</param>
    /// <param name="slots">Slots of it that were ever used.</param>
    /// <param name="validity">Its validity bitmap; 0 when all of them hold rows.</param>
    /// <param name="from">The slot to begin at, a multiple of 64.</param>
    static abstract void Scan(ref TState state, int number, ulong block, int slots, ulong validity, int from);

    /// <summary>Asks indexes for the rows before the scan begins.</summary>
    static virtual void Seek(ref TState state, ref BlockScanner scan)
    {
    }
}
