using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>A condition of a query on two rows that a scanned row leads to. Generated per condition.</summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IPairTest<TState>
    where TState : struct, allows ref struct
{
    /// <summary>Whether the condition may hold: it does, or whether it does is to be seen at the scanned row.</summary>
    /// <param name="state">The state.</param>
    /// <param name="left">The handle of the first row.</param>
    /// <param name="right">That of the second.</param>
    static abstract bool MayHold(ref TState state, ulong left, ulong right);
}
