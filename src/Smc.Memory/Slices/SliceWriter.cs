namespace Smc.Memory;

/// <summary>Changes the bytes of a slice, alone; see <see cref="SliceHeap.TryWrite{TState}"/>.</summary>
/// <param name="bytes">The slice's bytes, all of them.</param>
/// <param name="state">What the caller passed.</param>
public delegate void SliceWriter<in TState>(Span<byte> bytes, TState state)
    where TState : allows ref struct;
