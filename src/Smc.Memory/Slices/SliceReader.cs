namespace Smc.Memory;

/// <summary>Computes a result from the bytes of a slice; see <see cref="SliceHeap.TryRead{TState, TResult}"/>.</summary>
/// <param name="bytes">The slice's bytes. They may change while the function runs, and it may run several times; only a run that saw them at rest counts.</param>
/// <param name="state">What the caller passed.</param>
/// <remarks>
/// The function must end for any bytes, bound what it indexes with, follow no pointer or <see cref="SafePtr"/> that it finds, keep the span from
/// nobody but itself, and have no effect but its result and what it puts into its own state, which the next run overwrites.
/// </remarks>
public delegate TResult SliceReader<in TState, out TResult>(ReadOnlySpan<byte> bytes, TState state)
    where TState : allows ref struct;
