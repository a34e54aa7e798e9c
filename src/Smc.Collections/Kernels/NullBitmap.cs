using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>The nulls of one column in one block: one bit per slot, set where the value is null, in 64-bit words.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NullBitmap
{
    /// <summary>Whether the value in a slot is null.</summary>
    /// <safety>The bitmap belongs to a block that the caller's critical section keeps alive.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe bool IsSet(ulong bitmap, ulong slot)
    {
        // SAFETY: owed by the caller. Acquire: pairs with Clear, so that the value read afterwards is the one that was written before it.
        return (Volatile.Read(ref *Word(bitmap, slot)) >> (int)(slot & 63) & 1) != 0;
    }

    /// <summary>Marks the value in a slot as null. Neighbours in the word may be written at the same time.</summary>
    /// <safety>As for <see cref="IsSet"/>.</safety>
    public static unsafe void Set(ulong bitmap, ulong slot)
    {
        // SAFETY: owed by the caller.
        if (!IsSet(bitmap, slot))
            Interlocked.Or(ref *Word(bitmap, slot), 1UL << (int)(slot & 63));
    }

    /// <summary>Marks the value in a slot, which has been written, as not null.</summary>
    /// <safety>As for <see cref="IsSet"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Clear(ulong bitmap, ulong slot)
    {
        // SAFETY: owed by the caller. The interlocked operation is also the release that IsSet pairs with.
        if (IsSet(bitmap, slot))
            Interlocked.And(ref *Word(bitmap, slot), ~(1UL << (int)(slot & 63)));
    }

    private static unsafe ulong* Word(ulong bitmap, ulong slot) => (ulong*)(bitmap + (slot >> 6 << 3));
}
