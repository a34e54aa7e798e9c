using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>What writers of columns do while a scan for retired rows is at work (<see cref="ReferenceBarrier"/>). References are 8 bytes without sign; other widths cost nothing.</summary>
internal static class StoredReference
{
    /// <summary>What is to be stored in a column of a row: the value, or null if that is a reference to a row that counts as removed.</summary>
    /// <safety>The caller is inside a critical section and a window, in which it stores the result.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Admit<T>(RowLocation location, int offset, T value)
        where T : unmanaged
    {
        if (typeof(T) != typeof(ulong) || !ReferenceBarrier.IsNeeded)
            return value;
        ulong admitted = ReferenceBarrier.AdmitTo(location.Block, offset, Unsafe.BitCast<T, ulong>(value));
        return Unsafe.BitCast<ulong, T>(admitted);
    }

    /// <summary>As <see cref="Admit{T}(RowLocation, int, T)"/>, with the key for the column's zone map.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Admit<T>(RowLocation location, int offset, T value, ref long key)
        where T : unmanaged
    {
        if (typeof(T) != typeof(ulong) || !ReferenceBarrier.IsNeeded)
            return value;
        ulong given = Unsafe.BitCast<T, ulong>(value);
        ulong admitted = ReferenceBarrier.AdmitTo(location.Block, offset, given);
        if (admitted != given)
            key = RowAccess.UnsignedKey(admitted);
        return Unsafe.BitCast<ulong, T>(admitted);
    }
}
