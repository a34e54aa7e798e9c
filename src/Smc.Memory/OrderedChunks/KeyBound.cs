using System.ComponentModel;

namespace Smc.Memory;

/// <summary>An end of a range of keys.</summary>
/// <param name="Key">The bytes of the key. They must not change afterwards.</param>
/// <param name="IsIncluded">True if the key itself is in the range.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct KeyBound(byte[] Key, bool IsIncluded)
{
    /// <summary>The narrower of this bound and another one. At one key, the one that leaves it out.</summary>
    /// <param name="other">The other one; null for none.</param>
    /// <param name="isLower">Whether both are lower bounds, or both upper ones.</param>
    public KeyBound Within(KeyBound? other, bool isLower)
    {
        if (other is not { } bound) return this;
        int order = bound.Key.AsSpan().SequenceCompareTo(Key);
        bool isOther = order == 0 ? !bound.IsIncluded : order > 0 == isLower;
        return isOther ? bound : this;
    }
}
