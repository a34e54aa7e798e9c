using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>The least and the greatest of some integer keys, as words.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct KeySpan
{
    private long _least;
    private long _greatest;

    /// <summary>A span without keys.</summary>
    public static KeySpan Empty => new() { _least = long.MaxValue, _greatest = long.MinValue };

    /// <summary>The least key.</summary>
    public readonly ulong Least => unchecked((ulong)_least);

    /// <summary>How many integers lie in the span; the greatest number there is, when it cannot be said.</summary>
    public readonly ulong Size
    {
        get
        {
            ulong distance = unchecked((ulong)_greatest - (ulong)_least);
            return _least > _greatest ? 0 : distance == ulong.MaxValue ? distance : distance + 1;
        }
    }

    /// <summary>The span of a column by its zone maps.</summary>
    internal static KeySpan Of(ZoneSpan zones) => zones.IsEmpty ? Empty : new() { _least = zones.Minimum, _greatest = zones.Maximum };

    /// <summary>Takes a key in.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Widen(ulong key)
    {
        _least = Math.Min(_least, unchecked((long)key));
        _greatest = Math.Max(_greatest, unchecked((long)key));
    }
}
