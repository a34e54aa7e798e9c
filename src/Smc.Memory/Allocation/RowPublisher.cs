using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Allocation;

/// <summary>Makes rows of reserved places, at once, as drafts, or not after all.</summary>
/// <remarks>
/// Invariants: allocate, write and publish lie in one section of the caller (I6), so the block stays mapped and the slot the caller's. A row's slot, its location and then its incarnation are stored
/// before its validity bit, which is a full fence before the look at the end of the collection: either <see cref="MemoryContext.Dispose"/> finds the row, or the publisher ends it.
/// If a snapshot needs the block as it is, the row comes to life in the block's successor. While a scan looks for retired rows, the references of a row are admitted before it can be seen, and once more
/// after it: somebody may write to a draft, whose references no scan reads, in between.
/// </remarks>
internal sealed class RowPublisher(
    CollectionLife life, EntryTable entries, BlockVersions versions, IndexSet indexSet, LiveCounters counters, RowAllocator allocator, RowRemoval removal, RowCleaner cleaner, ReferenceColumn[] references)
{
    private const int FewIndexes = 8;

    /// <summary>See <see cref="MemoryContext.Publish(in RowSlot)"/>.</summary>
    public unsafe ulong Publish(in RowSlot row)
    {
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = versions.Newest(row);
        // SAFETY: the caller reserved the slot and with it the entry, and is inside the section in which it did.
        EntryRef entry = row.Entry;
        uint incarnation = Enliven(place.Block, place.Slot, entry);
        ProtocolSteps.Reach(ProtocolStep.EntryLive);
        bool isScanned = ReferenceBarrier.IsNeeded;
        if (isScanned) ReferenceBarrier.AdmitAll(references, place.Block, place.Slot);
        // The interlocked operation is also the StoreStore barrier before the handle is handed out, and the fence between the row coming
        // to life and the look at the end; partner: Dispose.
        place.Block.SetValid(place.Slot);
        if (isScanned) ReferenceBarrier.AdmitAll(references, place.Block, place.Slot);
        counters.CountPublished(ThreadSlots.Current->Index, 1);
        if (life.IsDisposed) PublishedTooLate(entry, incarnation);
        return entry.HandleWith(incarnation);
    }

    /// <summary>See <see cref="MemoryContext.Publish(in RowRun)"/>.</summary>
    public unsafe void Publish(in RowRun run)
    {
        if (indexSet.All is not null) throw new InvalidOperationException($"{life.Name} has indexes: its rows are published one by one.");
        using WriteWindow window = WriteWindow.Enter();
        BlockRef block = run.Block;
        for (int i = 0; i < run.Count; i++) block = versions.Newest(run[i]).Block;
        // SAFETY: as above; a run lies in one block and its entries are neighbours.
        EntryRef entry = run.FirstEntry;
        for (int i = 0; i < run.Count; i++) Enliven(block, run.FirstSlot + i, entry.After(i));
        int end = run.FirstSlot + run.Count;
        bool isScanned = ReferenceBarrier.IsNeeded;
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) ReferenceBarrier.AdmitAll(references, block, slot);
        for (int slot = run.FirstSlot; slot < end; slot = (slot | 63) + 1)
        {
            ulong mask = ulong.MaxValue << (slot & 63);
            if (end < (slot | 63) + 1) mask &= (1UL << (end & 63)) - 1;
            block.SetValid(slot >> 6, mask);
        }
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) ReferenceBarrier.AdmitAll(references, block, slot);
        counters.CountPublished(ThreadSlots.Current->Index, run.Count);
        if (!life.IsDisposed) return;
        for (int i = 0; i < run.Count; i++) removal.KillCounted(entry.After(i), Handle.Incarnation(entry.After(i).LiveHandle()));
        ThrowDisposed();
    }

    /// <summary>See <see cref="MemoryContext.PublishIndexed"/>.</summary>
    public unsafe ulong PublishIndexed(in RowSlot row, bool isDraft, RowIndex[] indexes, ref bool isPublished)
    {
        // SAFETY: the caller reserved the slot and is inside the section in which it did.
        EntryRef entry = row.Entry;
        uint id = entries.IdOf(entry);
        uint incarnation = isDraft ? entry.Incarnation & Handle.MaxIncarnation : entries.NextIncarnation(entry);
        Span<ClaimedWord> claimed = indexes.Length <= FewIndexes ? stackalloc ClaimedWord[indexes.Length] : new ClaimedWord[indexes.Length];
        // Before the stripe: a window waits for a snapshot, which waits for the windows of setters, which wait for stripes. What an index admits here is good until the row is shown.
        using WriteWindow window = WriteWindow.Enter();
        // Where the row is shown. A draft went with its block if that got a successor, and its setters wrote there.
        BlockRef block = isDraft ? versions.Newest(row.Block) : versions.Newest(row).Block;
        RowLocation location = new RowLocation(block, row.Slot);
        indexSet.Enter(id);
        try
        {
            IndexSet.ClaimAll(indexes, location, id, incarnation, claimed);
            ulong handle;
            try
            {
                isPublished = true;
                handle = isDraft ? Reveal(row) : Publish(row);
            }
            catch
            {
                IndexSet.TakeBackAll(indexes, claimed, location, id);
                throw;
            }
            // A draft that was removed while it was hidden leaves no word.
            if (handle == 0) IndexSet.TakeBackAll(indexes, claimed, location, id);
            else IndexSet.SettleAll(indexes, claimed, id);
            return handle;
        }
        finally
        {
            indexSet.Exit(id);
        }
    }

    /// <summary>See <see cref="MemoryContext.PublishHidden"/>.</summary>
    public ulong PublishHidden(in RowSlot row)
    {
        // Whoever gets the handle may remove the row; the slot is not re-used before the caller's section ends.
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = versions.Newest(row);
        EntryRef entry = row.Entry;
        place.Block.SetSlot(place.Slot, SlotWord.Valid(entries.NextIncarnation(entry)));
        return entry.HandleWith(entry.PublishDraft(new RowLocation(place.Block, place.Slot), entries.FirstIncarnation));
    }

    /// <summary>See <see cref="MemoryContext.Reveal"/>.</summary>
    public unsafe ulong Reveal(in RowSlot row)
    {
        // SAFETY: as in PublishHidden.
        EntryRef entry = row.Entry;
        using WriteWindow window = WriteWindow.Enter();
        // The draft has moved with its block if a snapshot needs that.
        BlockRef block = versions.Newest(row.Block);
        bool isScanned = ReferenceBarrier.IsNeeded;
        if (isScanned) ReferenceBarrier.AdmitAll(references, block, row.Slot);
        // No writer is between a value and the end of the lock, and who writes after it widens the zone map first. A remover waits for the lock, too, and clears
        // the bit after; of a row that was removed before, the bit is never set.
        if (entry.TryLock(out ulong live))
        {
            ColumnSummaries.Note(versions.Layout, block, row.Slot);
            block.SetValid(row.Slot);
            entry.Unlock((uint)live);
            ProtocolSteps.Reach(ProtocolStep.EntryLive);
        }
        if (isScanned) ReferenceBarrier.AdmitAll(references, block, row.Slot);
        counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = entry.LiveHandle();
        if (handle == 0) block.ClearValid(row.Slot);
        else if (life.IsDisposed) PublishedTooLate(entry, Handle.Incarnation(handle));
        return handle;
    }

    /// <summary>See <see cref="MemoryContext.Withdraw"/>.</summary>
    public unsafe void Withdraw(in RowSlot row)
    {
        // SAFETY: as in PublishHidden.
        EntryRef entry = row.Entry;
        counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = entry.LiveHandle();
        if (handle == 0) return;
        if (!life.IsDisposed) removal.TryRemove(entry, Handle.Incarnation(handle));
        else removal.KillCounted(entry, Handle.Incarnation(handle));
    }

    /// <summary>See <see cref="MemoryContext.Abandon(in RowSlot)"/>.</summary>
    public void Abandon(in RowSlot row)
    {
        if (life.IsDisposed) return;
        using WriteWindow window = WriteWindow.Enter();
        BlockRef block = versions.Newest(row.Block);
        cleaner.Clean(row.Block, row.Slot);
        // Words that were copied with the block are the same chunks, which are freed.
        if (block != row.Block) cleaner.Clear(block, row.Slot);
        // Nobody ever saw the row, so the next allocation may have the slot at once.
        if (!allocator.TryTakeBack(block, row.Slot)) removal.MakeLimbo(block, row.Slot, GlobalEpoch.Now - Epoch.Grace);
    }

    /// <summary>Brings the row of a reserved slot to life for those who get its handle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Enliven(BlockRef block, int slot, EntryRef entry)
    {
        // The slot's word comes first: who finds the row through its entry finds it in its slot, too.
        block.SetSlot(slot, SlotWord.Valid(entries.NextIncarnation(entry)));
        return entry.Publish(new RowLocation(block, slot), entries.FirstIncarnation);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PublishedTooLate(EntryRef entry, uint incarnation)
    {
        removal.KillCounted(entry, incarnation);
        ThrowDisposed();
    }

    [DoesNotReturn]
    private void ThrowDisposed() => throw new ObjectDisposedException(life.Name, $"The collection {life.Name} was disposed while the row was added.");
}
