using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;
using Smc.Memory.Reachability;

namespace Smc.Memory.Snapshots;

/// <summary>The steps in which a block gets a successor: nobody allocates in it any more, it is copied, and the entries of its rows go over. <see cref="BlockVersions"/> says when.</summary>
/// <remarks>
/// Invariants: the caller holds the latch of the block's versions from the first step to the last, so no row of the block is written, and one thread makes its successor. Until the successor is in
/// the list nobody else sees it.
/// </remarks>
internal sealed class BlockSuccession(CollectionLife life, BlockStore store, EntryTable entries, RowAllocator allocator, RetiredRows retired)
{
    private BlockCopier? _copier;

    /// <summary>Takes a block from those who allocate in it.</summary>
    /// <returns>True if a compaction has it.</returns>
    /// <safety>The caller holds the latch of the block's versions, and its section keeps the block mapped.</safety>
    public bool Detach(BlockRef block)
    {
        ShortWait wait = default;
        while (true)
        {
            lock (life.Lock)
            {
                // Under the lock alone blocks become owned or queued.
                int state = block.State;
                if (life.IsDisposed) return true;
                if (state == BlockState.Compacting)
                {
                    block.SetState(BlockState.Superseded);
                    return true;
                }
                if (state != BlockState.Owned)
                {
                    block.ExchangeState(BlockState.Superseded);
                    store.Unqueue([block]);
                    return false;
                }
            }
            if (allocator.TryTakeFromOwner(block, BlockState.Superseded)) return false;
            // Between two owners.
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            wait.Once();
        }
    }

    /// <summary>Copies a block to one that nobody sees.</summary>
    /// <param name="block">The block.</param>
    /// <param name="copy">The successor.</param>
    /// <param name="isZeroed">Whether the successor reads as zero.</param>
    public void Copy(BlockRef block, BlockRef copy, bool isZeroed)
    {
        (_copier ??= new BlockCopier(store.Layout)).Copy(block, copy, isZeroed);
        copy.Header = block.Header with { VersionLatch = default, State = BlockState.Compacting, Born = SnapshotState.Clock, Older = block.Address, Next = 0 };
    }

    /// <summary>Leads the entries of a block's rows to the successor, which is in the list.</summary>
    /// <safety>The caller has the successor, and no row of the block is written.</safety>
    public void SwingEntries(BlockRef block, BlockRef copy)
    {
        int used = copy.SlotCount;
        for (int slot = 0; slot < used; slot++)
        {
            RowLocation place = new RowLocation(block, slot);
            entries.Packed.Current(copy.EntryAt(slot), out EntryRef entry);
            if (entry.Location != place) continue;
            // The mark first: a direct reference that sees it asks the entry, which says either place. Whether the row is retired is said, too: nobody knows once it was reclaimed (SnapshotView.IsHidden).
            uint word = block.SlotAt(slot);
            if (SlotWord.IsValid(word))
                block.SetSlot(slot, retired.Has(block, slot) ? SlotWord.MovedHidden(SlotWord.Incarnation(word)) : SlotWord.Moved(SlotWord.Incarnation(word)));
            // Not if somebody gave the entry of a dead row to another slot meanwhile.
            entry.Swing(place, new RowLocation(copy, slot));
        }
    }
}
