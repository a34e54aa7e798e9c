using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// The values that integer-like grouping keys had when the query began, from the zone maps of all blocks, and a number for every combination of them.
/// When there are few, groups are found by that number instead of by hashing.
/// </summary>
/// <remarks>
/// Writers may store other values while the query runs. A loaded value is therefore compared with its key's bounds before it takes part in a number;
/// rows with a value outside the domain find their group by hashing.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct KeyDomain
{
    /// <summary>The most combinations for which a map is made.</summary>
    public const long MaxSize = 1 << 24;

    /// <summary>The most combinations whose numbers fit 16 bits, beside <see cref="GroupNumbers.DiscardedAt"/> and <see cref="GroupNumbers.OutsideAt"/>.</summary>
    public const long MaxIndexes = ushort.MaxValue - 1;

    private Keys _keys;
    private int _count;

    /// <summary>An empty domain, to which keys are added.</summary>
    public static KeyDomain Empty => new() { Size = 1 };

    /// <summary>The number of combinations; above <see cref="MaxSize"/> when there are too many.</summary>
    public long Size { get; private set; }

    /// <summary>Whether a map of all combinations is affordable: it is small, or not larger than what the rows themselves take.</summary>
    public readonly bool IsSmallFor(long rows) => HasIndexes || (Size <= MaxSize && Size <= 2 * rows);

    /// <summary>Whether numbers of combinations fit 16 bits.</summary>
    public readonly bool HasIndexes => Size <= MaxIndexes;

    /// <summary>Adds a key with the values that were seen of it.</summary>
    public void Add(ZoneSpan span)
    {
        if (span.IsEmpty)
            span = new ZoneSpan(0, 0);
        UInt128 width = (UInt128)((Int128)span.Maximum - span.Minimum) + 1;
        _keys[_count++] = new Key { Minimum = span.Minimum, Maximum = span.Maximum, Step = Size };
        Size = width > (UInt128)MaxSize || Size > MaxSize ? MaxSize + 1 : Math.Min(MaxSize + 1, Size * (long)width);
    }

    /// <summary>The smallest value of a key.</summary>
    public readonly long Minimum(int key) => _keys[key].Minimum;

    /// <summary>The greatest distance of a key's value from its minimum; values further away are outside the domain.</summary>
    public readonly ulong Span(int key) => unchecked((ulong)_keys[key].Maximum - (ulong)_keys[key].Minimum);

    /// <summary>What a key's distance from its minimum is multiplied by in the number.</summary>
    public readonly long Step(int key) => _keys[key].Step;

    /// <summary>The value of a key in a combination.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly long ValueOf(int key, long number)
    {
        long width = _keys[key].Maximum - _keys[key].Minimum + 1;
        return _keys[key].Minimum + (number / _keys[key].Step % width);
    }

    private struct Key
    {
        public long Minimum, Maximum, Step;
    }

    [InlineArray(MaxKeys)]
    private struct Keys
    {
        private Key _first;
    }

    /// <summary>The most keys of a domain.</summary>
    public const int MaxKeys = 8;
}
