using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>
/// Work that several threads share: each does a run of neighbouring pieces with a state of its own, and what the parts have collected is put
/// together in the order of the pieces, so that groups and rows come as one thread would have found them. Generated per scan or loop.
/// </summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IParallelParts<TState>
    where TState : struct, allows ref struct
{
    /// <summary>Turns a copy of the state before the work into the state of a part: with memory of its own, and nothing collected.</summary>
    /// <remarks>First of all it lets go of the memory of the state that it was copied from: <see cref="End"/> follows whatever happens.</remarks>
    /// <param name="part">The state.</param>
    /// <param name="first">The number of the first piece that the part will do.</param>
    static abstract void Begin(ref TState part, int first);

    /// <summary>Adds what a part has collected to what the parts before it have.</summary>
    /// <returns>False when the fast variant of the kernel gives up.</returns>
    static abstract bool Merge(ref TState state, ref TState part);

    /// <summary>Gives back what memory the part still has.</summary>
    static abstract void End(ref TState part);
}
