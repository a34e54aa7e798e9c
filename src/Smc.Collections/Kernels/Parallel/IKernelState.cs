using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What the methods of one execution of a kernel share, as far as the threads that share its work have to know it.</summary>
/// <typeparam name="TState">The state itself.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IKernelState<TState>
    where TState : struct, allows ref struct
{
    /// <summary>Whether the fast variant of the kernel has given up.</summary>
    bool HasGivenUp { get; }

    /// <summary>Gives up: part of the work did.</summary>
    void GiveUp();

    /// <summary>Gets memory of its own, in place of that of the state that it was copied from.</summary>
    /// <remarks>First of all it lets go of what it was copied from: <see cref="End"/> follows whatever happens, and would give that back, too.</remarks>
    void Begin();

    /// <summary>Takes over the memory that a part has allocated.</summary>
    /// <param name="part">The part, which keeps nothing.</param>
    void Adopt(ref TState part);

    /// <summary>Gives back its memory.</summary>
    void End();
}
