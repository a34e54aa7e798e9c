using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>
/// Work that several threads share: each does a run of neighbouring pieces with a state of its own, and what the parts have collected is put
/// together in the order of the pieces, so that groups and rows come as one thread would have found them. Generated per scan or loop.
/// </summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IParallelParts<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    /// <summary>Makes the state of a part one in which nothing is collected: it is a copy of the state before the work, with memory of its own.</summary>
    /// <param name="part">The state.</param>
    /// <param name="first">The number of the first piece that the part will do.</param>
    static virtual void Begin(ref TState part, int first)
    {
    }

    /// <summary>Adds what a part has collected to what the parts before it have. Its memory is taken over afterwards.</summary>
    static virtual void Merge(ref TState state, ref TState part)
    {
    }

    /// <summary>Precedes work that one thread does alone.</summary>
    static virtual void BeginSerial(ref TState state)
    {
    }
}
