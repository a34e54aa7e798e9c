using Smc.Memory.Blocks;
using Smc.Memory.Indirection;

namespace Smc.Memory.Reachability;

/// <summary>A column in which rows keep references to rows.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Place">Where.</param>
/// <param name="Zone">Where blocks have its zone map; -1 if they have none.</param>
/// <param name="IsDirect">Whether the values are places (<see cref="DirectWord"/>), not handles.</param>
internal readonly record struct ReferenceColumn(string Name, RowField Place, int Zone, bool IsDirect)
{
    /// <summary>Those of a layout.</summary>
    public static ReferenceColumn[] Of(BlockLayout layout) =>
    [
        .. layout.Columns.ToArray().Where(static column => column.Storage is ColumnStorage.Reference or ColumnStorage.DirectReference)
            .Select(static column => new ReferenceColumn(column.Name, RowField.Of(column), column.ZoneMapOffset, column.Storage == ColumnStorage.DirectReference)),
    ];

    /// <summary>The handle of the row that a row refers to, dead or alive; 0 for none.</summary>
    /// <safety>The caller is inside the critical section in which it got the block; the slot is one of it.</safety>
    public ulong TargetAt(BlockRef block, int slot) => ToHandle(Volatile.Read(ref Place.WordAt(block, slot)));

    /// <summary>The handle that a value of the column stands for.</summary>
    /// <safety>The caller read the value in the critical section that it is in.</safety>
    public ulong ToHandle(ulong value) => IsDirect ? DirectWord.ToHandle(value) : value;

    /// <summary>Makes sure that a reference is admitted (<see cref="ReferenceBarrier"/>), or null.</summary>
    /// <safety>The caller is inside a critical section and a window; the slot is one of the block, which it may write.</safety>
    public void Admit(BlockRef block, int slot)
    {
        ulong value = Volatile.Read(ref Place.WordAt(block, slot));
        if (value != 0 && ReferenceBarrier.Admit(ToHandle(value)) == 0) Forget(block, slot, value);
    }

    /// <summary>Makes a reference null whose row is gone.</summary>
    /// <safety>As <see cref="Admit"/>.</safety>
    public void ForgetGone(BlockRef block, int slot)
    {
        ulong value = Volatile.Read(ref Place.WordAt(block, slot));
        if (value != 0 && ToHandle(value) is not 0 and ulong handle && (uint)EntryRef.Of(handle).Current(out _) != Handle.Incarnation(handle)) Forget(block, slot, value);
    }

    private void Forget(BlockRef block, int slot, ulong value)
    {
        // The zone map comes first: a scan that skips by it must not miss the null.
        if (Zone >= 0) block.Zone(Zone).Announce(slot, long.MinValue);
        // Compared: if somebody has stored another reference by now, that one is admitted.
        Interlocked.CompareExchange(ref Place.WordAt(block, slot), 0, value);
    }
}
