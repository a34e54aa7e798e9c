using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Allocation;

/// <summary>Ends the life of rows.</summary>
/// <remarks>
/// Invariants: of several threads that remove a row one kills its entry and buries it: only that one clears its bit and makes its slot limbo. The stamp is read after the row became
/// unreachable, so it is at least the epoch of every reader that can have found the row. An open snapshot keeps the block with the row, and words of indexes leave, before the place can
/// be used again. A retired row is forgotten as one before that, too.
/// </remarks>
internal sealed class RowRemoval(BlockStore store, EntryTable entries, IndexSet indexSet, LiveCounters counters, RetiredRows retired, SparseBlocks sparse)
{
    // Below this many slots in limbo nothing has to be looked at.
    private readonly int _firstMark = Math.Min(store.QueueAt, sparse.SparseAt);

    /// <summary>Removes the row that has an incarnation of an entry.</summary>
    /// <returns>False if it was removed before.</returns>
    /// <safety>The caller is inside a critical section in which the collection was not disposed; the entry is one of it.</safety>
    public bool TryRemove(EntryRef entry, uint incarnation)
    {
        if (!TryRemove(entry, incarnation, out bool wasRetired)) return false;
        if (wasRetired) retired.GiveBackBytes();
        return true;
    }

    /// <inheritdoc cref="TryRemove(EntryRef, uint)"/>
    /// <param name="entry">The entry.</param>
    /// <param name="incarnation">The row's.</param>
    /// <param name="wasRetired">Whether the row was retired: then its bytes are still reserved.</param>
    public unsafe bool TryRemove(EntryRef entry, uint incarnation, out bool wasRetired)
    {
        wasRetired = false;
        using WriteWindow window = WriteWindow.Enter();
        uint id = entries.IdOf(entry);
        // A snapshot that is open keeps the block with the row.
        if (SnapshotState.IsSlow) BlockVersions.PrepareRow(entry.HandleWith(incarnation));
        ProtocolSteps.Reach(ProtocolStep.RemoveEntered);
        RowIndex[]? indexes = indexSet.All;
        IndexedRemoval removal = default;
        if (indexes is not null && !indexSet.TryBeginRemoval(indexes, entry, incarnation, out removal)) return false;
        if (!entry.TryKill(incarnation, entries.Packed, out EntryRef home))
        {
            if (indexes is not null) indexSet.EndRemoval(indexes, removal);
            return false;
        }
        ProtocolSteps.Reach(ProtocolStep.EntryDead);
        // After the entry is dead: nothing moves the row any more, and it is this thread's to bury.
        // SAFETY: the section keeps the row's block mapped.
        RowLocation location = home.Location;
        BlockRef block = location.Block;
        int slot = location.Slot;
        block.ClearValid(slot);
        ProtocolSteps.Reach(ProtocolStep.ValidityCleared);
        wasRetired = retired.TryForget(id);
        if (indexes is not null) indexSet.EndRemoval(indexes, removal);
        // The epoch is read after the row became unreachable: a reader that has it entered in this epoch or before.
        long stamp = GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.StampRead);
        counters.CountRemoved(ThreadSlots.Current->Index, stamp, rows: wasRetired ? 0 : 1);
        MakeLimbo(block, slot, stamp);
        return true;
    }

    /// <summary>Marks a slot as re-usable two epochs after <paramref name="stamp"/> and queues its block if that makes enough of them.</summary>
    /// <safety>The slot's row was the caller's to end, and its section keeps the block mapped.</safety>
    public void MakeLimbo(BlockRef block, int slot, long stamp)
    {
        // Release; partner: the acquire in RowAllocator.TryFindLimbo.
        block.SetSlot(slot, SlotWord.Limbo(stamp));
        int limbo = block.AddLimbo();
        if (limbo < _firstMark) return;
        if (limbo == sparse.SparseAt) sparse.Note();
        if (limbo < store.QueueAt) return;
        if (limbo == store.QueueAt) block.SetLimboStamp(stamp);
        if (block.State == BlockState.Idle) store.QueueForReuse(block, block.LimboStamp);
    }

    /// <summary>Ends the life of every row of some blocks, retired ones among them.</summary>
    /// <param name="blocks">A list that the caller got in its critical section.</param>
    /// <param name="keepSlots">True if the slots are to be re-used, false if the blocks are on their way out.</param>
    public void EndRowsOf(BlockList blocks, bool keepSlots)
    {
        for (int i = 0; i < blocks.Count; i++)
        {
            foreach (int slot in retired.SlotsOf(blocks[i]))
            {
                ulong handle = blocks[i].HandleAt(slot);
                if (handle == 0) continue;
                EntryRef entry = EntryRef.Of(handle);
                if (keepSlots) TryRemove(entry, Handle.Incarnation(handle));
                else KillCounted(entry, Handle.Incarnation(handle));
            }
        }
    }

    /// <summary>Ends a row whose memory goes with its block.</summary>
    /// <safety>As <see cref="TryRemove(EntryRef, uint)"/>, but the collection may be disposed in the section.</safety>
    public unsafe void KillCounted(EntryRef entry, uint incarnation)
    {
        uint id = entries.IdOf(entry);
        if (!entry.TryKill(incarnation, entries.Packed, out EntryRef home)) return;
        if (retired.TryForget(id)) retired.GiveBackBytes();
        else counters.CountGone(ThreadSlots.Current->Index);
        // SAFETY: the caller's section keeps the row's block mapped. Direct references look at the slot only.
        RowLocation location = home.Location;
        location.Block.SetSlot(location.Slot, SlotWord.Limbo(GlobalEpoch.Now));
    }
}
