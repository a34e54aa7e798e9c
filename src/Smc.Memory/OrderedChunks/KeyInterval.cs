using System.ComponentModel;

namespace Smc.Memory;

/// <summary>The keys from one on up to another, which is left out.</summary>
/// <param name="from">The lowest key; empty for none.</param>
/// <param name="to">The key that is above all of the interval.</param>
/// <param name="isEndless">True if there is no such key: <paramref name="to"/> says nothing.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct KeyInterval(ReadOnlySpan<byte> from, ReadOnlySpan<byte> to, bool isEndless)
{
    /// <summary>The lowest key.</summary>
    public ReadOnlySpan<byte> From { get; } = from;

    /// <summary>The key above all.</summary>
    public ReadOnlySpan<byte> To { get; } = to;

    /// <summary>True if the interval goes on without end.</summary>
    public bool IsEndless { get; } = isEndless;

    /// <summary>True if there is no key between the ends.</summary>
    public bool IsEmpty => !IsEndless && From.SequenceCompareTo(To) >= 0;

    /// <summary>Whether all keys below a bound of chunks, and what comes before, are the last that the interval can have.</summary>
    /// <param name="high">The bound; null for none.</param>
    internal bool EndsBelow(byte[]? high) => high is null || (!IsEndless && To.SequenceCompareTo(high) <= 0);
}
