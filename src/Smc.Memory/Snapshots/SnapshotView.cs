using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Indirection;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>Which snapshot the calling thread reads through, if any: kernels, getters and enumerations find rows as they were at its moment.</summary>
/// <remarks>While no thread of the process reads through a snapshot, everybody pays one predictable branch; while one does, a look at the block's age (decision 0029).</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class SnapshotView
{
    private static readonly Lock s_lock = new();

    // Under the lock. What everybody looks at is in a type of its own, without static initialisers: see SnapshotState.
    private static int s_readers;

    [ThreadStatic]
    private static MemorySnapshot? t_current;

    /// <summary>True while some thread reads through a snapshot.</summary>
    public static bool IsAnyActive
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => OldestView.Number != 0;
    }

    /// <summary>The snapshot that the calling thread reads through; null if it reads what is there now.</summary>
    public static MemorySnapshot? Current => IsAnyActive ? t_current : null;

    /// <summary>Makes the calling thread read through a snapshot, or through none.</summary>
    /// <returns>What it read through before.</returns>
    public static MemorySnapshot? Exchange(MemorySnapshot? snapshot)
    {
        MemorySnapshot? before = t_current;
        t_current = snapshot;
        if (before == snapshot) return before;
        lock (s_lock)
        {
            if (snapshot is not null)
            {
                s_readers++;
                // Stays as low as it was until no thread reads through a snapshot: then more rows are looked at closely than need be.
                if (OldestView.Number == 0 || snapshot.Number < OldestView.Number) OldestView.Number = snapshot.Number;
            }
            if (before is not null && --s_readers == 0) OldestView.Number = 0;
        }
        return before;
    }

    /// <summary>Whether a row that is alive is at the same place, with the same values, in every snapshot that a thread reads through.</summary>
    /// <remarks>
    /// Its block was not written since the oldest of them: a write after the moment of a snapshot goes to a younger version (S3), and so does a row that is added. A draft is
    /// alive for those who have its handle, but no row yet: its validity bit is set in a younger version, if ever, so a snapshot never sees it, whenever it asks.
    /// </remarks>
    /// <safety>The caller located the row in its critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsSameInAll(RowLocation location) =>
        OldestView.Number is var oldest
        && (oldest == 0 || (location.Block.Born < oldest && location.Block.IsValid(location.Slot)));

    /// <summary>The rows of a context that the calling thread sees.</summary>
    public static long RowsOf(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return Current?.Find(context)?.Rows ?? context.Count;
    }

    /// <summary>Whether the calling thread reads a context through a snapshot.</summary>
    public static bool Covers(MemoryContext context) => Current?.Find(context) is not null;

    /// <summary>As <see cref="Handle.TryLocate"/>, where the calling thread may read through a snapshot, for rows that are gone or not <see cref="IsSameInAll"/>.</summary>
    /// <safety>The caller is inside a critical section, and <paramref name="handle"/> is not 0.</safety>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryLocate(ulong handle, out RowLocation location)
    {
        if (t_current is { } snapshot)
        {
            foreach (MemorySnapshot.Part part in snapshot.Parts)
            {
                // Behind the entries of a collection that was disposed are those of another.
                if (part.Owns(handle) && !part.Context.IsDisposed) return TryLocate(snapshot.Number, part.Context, handle, out location);
            }
        }
        return Handle.TryLocate(handle, out location);
    }

    /// <summary>The handle of a row in a slot whose validity bit was seen set, in this section or in the blocks of the snapshot.</summary>
    /// <safety>As <see cref="BlockHeader.HandleOfSeen"/>.</safety>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong HandleOfSeen(BlockRef block, int slot)
    {
        // A block of the snapshot keeps the incarnations of its rows in its directory; the entry may have another tenant.
        uint word = block.SlotAt(slot);
        EntryRef entry = block.EntryAt(slot);
        return SlotWord.IsValid(word) ? entry.HandleWith(SlotWord.Incarnation(word)) : entry.HandleOfSeen();
    }

    /// <summary>The place of the row that a handle named at the moment of a snapshot.</summary>
    /// <safety>The caller is inside a critical section that it entered while the snapshot was in use.</safety>
    private static bool TryLocate(long number, MemoryContext context, ulong handle, out RowLocation location)
    {
        location = default;
        if (context.IsDisposed) return false;
        EntryRef entry = EntryRef.Of(handle);
        // Also of a dead entry: the id keeps its slot while there is a snapshot.
        ulong word = context.Entries.Packed.Current(entry, out EntryRef home);
        if (word == 0) return false;
        RowLocation place = home.Location;
        // An entry without a row may be one of a block that is gone: then its location is nothing. Or the block got a successor for a later snapshot, which has ended: then the entry leads there by now.
        while ((uint)word >= EntryWord.Dead && !context.Versions.Has(place.Block))
        {
            if (home.Location == place) return false;
            place = home.Location;
        }
        BlockRef block = place.Block;
        int slot = place.Slot;
        while (block.Born >= number)
        {
            block = block.Older;
            if (block.IsNone) return false;
        }
        if (slot >= block.SlotCount) return false;
        // A row that was retired can be read, in the snapshot as then.
        if (!block.IsValid(slot) && !IsHidden(context, block, slot)) return false;
        uint found = block.SlotAt(slot);
        if (!SlotWord.IsValid(found) || SlotWord.Incarnation(found) != Handle.Incarnation(handle)) return false;
        if (block.EntryAt(slot) != entry) return false;
        location = new RowLocation(block, slot);
        return true;
    }

    /// <summary>Whether a row without validity bit was retired at the moment of a snapshot: otherwise it was a draft.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="block">The version of the snapshot.</param>
    /// <param name="slot">Where the row was.</param>
    private static bool IsHidden(MemoryContext context, BlockRef block, int slot)
    {
        // In this order: what changes the row first gives the block a successor, and with it the word its mark.
        bool isRetired = context.Retired.Has(block.DenseIdAt(slot));
        uint word = block.SlotAt(slot);
        return SlotWord.IsMoved(word) ? SlotWord.IsMovedHidden(word) : isRetired;
    }
}
