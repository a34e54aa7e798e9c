using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// The lowest and the highest value that a column of a block ever held: two 64-bit numbers. Unsigned 64-bit values and references are
/// stored with the top bit flipped, so that signed comparison orders them.
/// </summary>
/// <remarks>
/// A zone map holds what was announced to it: whoever stores a value of a row that scans see widens first; the values of a new row are announced
/// before it is shown. A reader that reads values first and the zone map after has seen no value outside it.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ZoneMap
{
    /// <summary>Makes the zone map cover a value, before the value is written.</summary>
    /// <safety><paramref name="zone"/> is the address of a zone map in a block that the caller reached in its critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Widen(ulong zone, long value)
    {
        // SAFETY: as the caller promises.
        if (value < Volatile.Read(ref *(long*)zone)) Lower((long*)zone, value);
        if (value > Volatile.Read(ref *((long*)zone + 1))) Raise((long*)zone + 1, value);
    }

    /// <summary>No value is below this; <see cref="long.MaxValue"/> if there is none.</summary>
    /// <safety>As <see cref="Widen"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe long Min(ulong zone) => Volatile.Read(ref *(long*)zone); // SAFETY: as the caller promises.

    /// <summary>No value is above this; <see cref="long.MinValue"/> if there is none.</summary>
    /// <safety>As <see cref="Widen"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe long Max(ulong zone) => Volatile.Read(ref *((long*)zone + 1)); // SAFETY: as the caller promises.

    /// <safety>As <see cref="Widen"/>.</safety>
    internal static unsafe void Reset(ulong zone)
    {
        // SAFETY: as the caller promises; nobody else sees the block yet.
        *(long*)zone = long.MaxValue;
        *((long*)zone + 1) = long.MinValue;
    }

    // The exchange is a full fence: the value that follows cannot be seen before the widened bound.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Lower(long* bound, long value)
    {
        for (long seen = *bound; value < seen;)
        {
            long found = Interlocked.CompareExchange(ref *bound, value, seen);
            if (found == seen) return;
            seen = found;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Raise(long* bound, long value)
    {
        for (long seen = *bound; value > seen;)
        {
            long found = Interlocked.CompareExchange(ref *bound, value, seen);
            if (found == seen) return;
            seen = found;
        }
    }
}
