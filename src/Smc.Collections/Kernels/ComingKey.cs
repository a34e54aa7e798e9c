using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What an addition says of a row's keys as soon as it knows them: the memory that an index will read comes while the row's place is taken and its columns are written.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ComingKey
{
    /// <summary>Whether any collection of the row type has an index: one comparison.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsAny<TRow>() => IndexedColumns<TRow>.Any;

    /// <summary>Says which value a column of integers is about to get.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Expect<TRow, T>(Collection<TRow> collection, int offset, T value)
        where TRow : unmanaged
        where T : unmanaged
    {
        if (IndexedColumns<TRow>.Includes(offset))
            Prefetch(CollectionAccess.Context(collection), offset, Bits(value));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Prefetch(MemoryContext context, int offset, ulong bits)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (context.IsDisposed || context.Indexes.All is not { } indexes)
            return;
        foreach (RowIndex index in indexes)
            ((KeyedIndex)index).Prefetch(offset, bits);
    }

    private static ulong Bits<T>(T value)
        where T : unmanaged => Unsafe.SizeOf<T>() switch
        {
            1 => Unsafe.BitCast<T, byte>(value),
            2 => Unsafe.BitCast<T, ushort>(value),
            4 => Unsafe.BitCast<T, uint>(value),
            _ => Unsafe.BitCast<T, ulong>(value),
        };
}
