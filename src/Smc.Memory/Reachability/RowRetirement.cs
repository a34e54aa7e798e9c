using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Reachability;

/// <summary>Hides rows whose owner is done with them, and ends those that a scan condemned.</summary>
/// <remarks>
/// Invariants: of several threads that retire a row one hides it, under the row's lock if a compaction is about to move it. Who retires sets the bit of the id and then looks at the entry; who
/// removes kills the entry and then looks at the bit: one of the two takes it back, and the row leaves the count once.
/// </remarks>
internal sealed class RowRetirement(CollectionLife life, EntryTable entries, IndexSet indexSet, LiveCounters counters, RetiredRows retired, RowRemoval removal, Reclaimer reclaimer, int bytesPerRow)
{
    /// <summary>See <see cref="MemoryContext.TryRetire"/>.</summary>
    /// <safety>The caller is inside a critical section in which the collection was not disposed; the handle is one of it.</safety>
    public unsafe bool TryRetire(ulong handle)
    {
        using WriteWindow window = WriteWindow.Enter();
        // SAFETY: as the caller promises.
        EntryRef entry = EntryRef.Of(handle);
        uint id = entries.IdOf(entry);
        IdBitmap ids = retired.Reserve(id);
        // A snapshot that is open keeps the block with the row, before the row is located for its indexes.
        if (SnapshotState.IsSlow) BlockVersions.PrepareRow(handle);
        RowIndex[]? indexes = indexSet.All;
        IndexedRemoval words = default;
        if (indexes is not null && !indexSet.TryBeginRemoval(indexes, entry, Handle.Incarnation(handle), out words)) return false;
        bool isRetired = TryHide(handle, id, ids, out bool isDraft);
        if (indexes is not null) indexSet.EndRemoval(indexes, words);
        if (isDraft && retired.HandleOf(id) == handle)
            throw new InvalidOperationException($"The row of {life.Name} is being initialised. Retire it when it has been added.");
        if (!isRetired) return false;
        // Removed meanwhile, by somebody who did not see the bit: it was never retired, and the remover counts it.
        if (retired.HandleOf(id) != handle && retired.TryForget(id)) return false;
        counters.CountGone(ThreadSlots.Current->Index);
        return true;
    }

    /// <summary>Removes a row that a scan condemned.</summary>
    /// <returns>The bytes that the row keeps until no reader can be at it; 0 if it is gone.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    public int Reclaim(ScanPart part, uint id)
    {
        if (life.IsDisposed) return 0;
        ulong handle = retired.HandleOf(id);
        // The handle first: a row that is still a candidate after that is the one whose handle it is, until this section ends.
        if (handle == 0 || !part.Candidates.IsSet(id)) return 0;
        if (!removal.TryRemove(EntryRef.Of(handle), Handle.Incarnation(handle), out _)) return 0;
        reclaimer.AddGarbage(bytesPerRow + indexSet.TakeGarbage());
        return bytesPerRow;
    }

    /// <summary>Hides a row, if it is there and neither hidden nor a draft.</summary>
    private static bool TryHide(ulong handle, uint id, IdBitmap ids, out bool isDraft)
    {
        isDraft = false;
        // Locked if a compaction is about to move the row: its mover looks at the id's bit after this.
        if (!RowWriter.TryBegin(handle, out RowLocation location, out bool isLocked)) return false;
        BlockRef block = location.Block;
        int slot = location.Slot;
        bool isVisible = block.IsValid(slot);
        isDraft = !isVisible && !ids.IsSet(id);
        bool isHidden = isVisible && ids.TrySet(id);
        ProtocolSteps.Reach(ProtocolStep.RetiredBitSet);
        if (isHidden) block.ClearValid(slot);
        if (isLocked) RowWriter.End(handle);
        return isHidden;
    }
}
