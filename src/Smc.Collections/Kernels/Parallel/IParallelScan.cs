using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>
/// A scan whose blocks several threads read: each reads parts of the block list into a state of its own, and what the parts have collected is put
/// together in the order of the blocks, so that groups and rows come as one thread would have found them. Generated per scan.
/// </summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IParallelScan<TState>
    where TState : struct, allows ref struct
{
    /// <summary>Turns a copy of the state before the scan into the state of a part: with memory of its own, and nothing collected.</summary>
    /// <remarks>First of all it lets go of the memory of the state that it was copied from: <see cref="End"/> follows whatever happens.</remarks>
    static abstract void Begin(ref TState part);

    /// <summary>Reads one block.</summary>
    /// <param name="state">The state.</param>
    /// <param name="block">The block's address.</param>
    /// <param name="slots">Slots of it that were ever used.</param>
    /// <param name="validity">Its validity bitmap; 0 when all of them hold rows.</param>
    /// <returns>False when the fast variant of the kernel gives up.</returns>
    static abstract bool Scan(ref TState state, ulong block, int slots, ulong validity);

    /// <summary>Adds what a part has collected to what the parts before it have.</summary>
    /// <returns>False when the fast variant of the kernel gives up.</returns>
    static abstract bool Merge(ref TState state, ref TState part);

    /// <summary>Gives back what memory the part still has.</summary>
    static abstract void End(ref TState part);
}
