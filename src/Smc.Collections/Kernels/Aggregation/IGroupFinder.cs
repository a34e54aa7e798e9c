using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>How a kernel finds the group of a key of one word.</summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IGroupFinder<TState>
    where TState : struct, allows ref struct
{
    /// <summary>The address of the group, which is added if it is new. Groups may move.</summary>
    static abstract ulong Find(ref TState state, ulong key);
}
