using System.ComponentModel;
using Smc.Memory.Allocation;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>Makes rows of reserved places, at once, as drafts, or not after all.</summary>
/// <remarks>
/// Invariants: allocate, write and publish lie in one section of the caller (I6), so the block stays mapped and the slot the caller's. A row's slot, its location and then its incarnation are stored
/// before its validity bit, which is a full fence before the look at the end of the collection: either <see cref="MemoryContext.Dispose"/> finds the row, or the publisher ends it.
/// If a snapshot needs the block as it is, the row comes to life in the block's successor. While a scan looks for retired rows, the references of a row are admitted before it can be seen, and once more
/// after it: somebody may write to a draft, whose references no scan reads, in between.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowPublisher
{
    private readonly CollectionLife _life;
    private readonly EntryTable _entries;
    private readonly BlockVersions _versions;
    private readonly IndexSet _indexSet;
    private readonly LiveCounters _counters;
    private readonly RowAllocator _allocator;
    private readonly RowRemoval _removal;
    private readonly RowCleaner _cleaner;
    private readonly ReferenceColumn[] _references;

    internal RowPublisher(CollectionLife life, EntryTable entries, BlockVersions versions, IndexSet indexSet, LiveCounters counters, RowAllocator allocator, RowRemoval removal, RowCleaner cleaner, ReferenceColumn[] references)
    {
        _life = life;
        _entries = entries;
        _versions = versions;
        _indexSet = indexSet;
        _counters = counters;
        _allocator = allocator;
        _removal = removal;
        _cleaner = cleaner;
        _references = references;
    }

    private const int FewIndexes = 8;

    /// <summary>Makes a row of a reserved place: from here on everybody sees it.</summary>
    /// <returns>The row's handle.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public unsafe ulong Publish(in RowSlot row)
    {
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = _versions.Newest(row);
        // SAFETY: the caller reserved the slot and with it the entry, and is inside the section in which it did.
        EntryRef entry = row.Entry;
        uint incarnation = Enliven(place.Block, place.Slot, entry);
        ProtocolSteps.Reach(ProtocolStep.EntryLive);
        bool isScanned = ReferenceBarrier.IsNeeded;
        if (isScanned) ReferenceBarrier.AdmitAll(_references, place.Block, place.Slot);
        // The interlocked operation is also the StoreStore barrier before the handle is handed out, and the fence between the row coming
        // to life and the look at the end; partner: Dispose.
        place.Block.SetValid(place.Slot);
        if (isScanned) ReferenceBarrier.AdmitAll(_references, place.Block, place.Slot);
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        if (_life.IsDisposed) PublishedTooLate(entry, incarnation);
        return entry.HandleWith(incarnation);
    }

    /// <summary>Makes rows of reserved places.</summary>
    /// <inheritdoc cref="Publish(in RowSlot)" path="/exception"/>
    /// <exception cref="InvalidOperationException">The collection has indexes, into which rows go one by one (<see cref="PublishIndexed"/>).</exception>
    public unsafe void Publish(in RowRun run)
    {
        if (_indexSet.All is not null) throw new InvalidOperationException($"{_life.Name} has indexes: its rows are published one by one.");
        using WriteWindow window = WriteWindow.Enter();
        BlockRef block = run.Block;
        // No snapshot begins while the window is open, so rows of a block that needs no look now need none.
        for (int i = 0; BlockVersions.MustPrepare(run.Block) && i < run.Count; i++) block = _versions.Newest(run[i]).Block;
        // SAFETY: as above; a run lies in one block and its entries are neighbours.
        EntryRef entry = run.FirstEntry;
        for (int i = 0; i < run.Count; i++) Enliven(block, run.FirstSlot + i, entry.After(i));
        int end = run.FirstSlot + run.Count;
        bool isScanned = ReferenceBarrier.IsNeeded;
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) ReferenceBarrier.AdmitAll(_references, block, slot);
        for (int slot = run.FirstSlot; slot < end; slot = (slot | 63) + 1)
        {
            ulong mask = ulong.MaxValue << (slot & 63);
            if (end < (slot | 63) + 1) mask &= (1UL << (end & 63)) - 1;
            block.SetValid(slot >> 6, mask);
        }
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) ReferenceBarrier.AdmitAll(_references, block, slot);
        _counters.CountPublished(ThreadSlots.Current->Index, run.Count);
        if (!_life.IsDisposed) return;
        for (int i = 0; i < run.Count; i++) _removal.KillCounted(entry.After(i), Handle.Incarnation(entry.After(i).LiveHandle()));
        ThrowDisposed();
    }

    /// <summary>Publishes a reserved place, or reveals a draft, in a collection that has indexes.</summary>
    /// <param name="row">The place.</param>
    /// <param name="isDraft">Whether <see cref="PublishHidden"/> was called.</param>
    /// <param name="verdicts">As <see cref="Reveal"/> takes it, of a draft.</param>
    /// <param name="indexes">What <see cref="IndexSet.All"/> was in the caller's critical section.</param>
    /// <param name="isPublished">True from the moment on from which the place is no longer the caller's to give back.</param>
    /// <returns>The handle; 0 if the row was removed while it was a draft.</returns>
    /// <safety>As <see cref="Publish(in RowSlot)"/> and <see cref="Reveal"/>.</safety>
    public unsafe ulong PublishIndexed(in RowSlot row, bool isDraft, long verdicts, RowIndex[] indexes, ref bool isPublished)
    {
        ArgumentNullException.ThrowIfNull(indexes);
        // SAFETY: the caller reserved the slot and is inside the section in which it did.
        EntryRef entry = row.Entry;
        uint id = _entries.IdOf(entry);
        uint incarnation = isDraft ? entry.Incarnation & Handle.MaxIncarnation : _entries.NextIncarnation(entry);
        Span<ClaimedWord> claimed = indexes.Length <= FewIndexes ? stackalloc ClaimedWord[indexes.Length] : new ClaimedWord[indexes.Length];
        // Before the stripe: a window waits for a snapshot, which waits for the windows of setters, which wait for stripes. What an index admits here is good until the row is shown.
        using WriteWindow window = WriteWindow.Enter();
        // Where the row is shown. A draft went with its block if that got a successor, and its setters wrote there.
        BlockRef block = isDraft ? _versions.Newest(row.Block) : _versions.Newest(row).Block;
        RowLocation location = new RowLocation(block, row.Slot);
        _indexSet.EnterById(id);
        try
        {
            IndexSet.ClaimAll(indexes, location, id, incarnation, claimed);
            ulong handle;
            try
            {
                isPublished = true;
                handle = isDraft ? Reveal(row, verdicts) : Publish(row);
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
            _indexSet.Exit(id);
        }
    }

    /// <summary>
    /// Makes the handle of a reserved place work while enumerations and queries do not see the row: for an initialiser that sets the row's
    /// properties. Writers lock the row and leave zone maps and sketches alone (<see cref="RowWriter"/>). <see cref="Reveal"/> or <see cref="Withdraw"/> follows in the same critical section.
    /// </summary>
    /// <returns>The row's handle.</returns>
    public ulong PublishHidden(in RowSlot row)
    {
        // Whoever gets the handle may remove the row; the slot is not re-used before the caller's section ends.
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = _versions.Newest(row);
        EntryRef entry = row.Entry;
        place.Block.SetSlot(place.Slot, SlotWord.Valid(_entries.NextIncarnation(entry)));
        return entry.HandleWith(entry.PublishDraft(new RowLocation(place.Block, place.Slot), _entries.FirstIncarnation));
    }

    /// <summary>Writes zone maps and sketches from the values of a row of <see cref="PublishHidden"/> and shows it to everybody.</summary>
    /// <param name="row">The place.</param>
    /// <param name="verdicts"><see cref="ReferenceBarrier.Verdicts"/> before <see cref="PublishHidden"/>.</param>
    /// <returns>The row's handle; 0 if the row was removed while it was hidden.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public unsafe ulong Reveal(in RowSlot row, long verdicts)
    {
        // SAFETY: as in PublishHidden.
        EntryRef entry = row.Entry;
        using WriteWindow window = WriteWindow.Enter();
        // The draft has moved with its block if a snapshot needs that.
        BlockRef block = _versions.Newest(row.Block);
        bool isScanned = ReferenceBarrier.IsNeeded;
        if (isScanned) ReferenceBarrier.AdmitAll(_references, block, row.Slot);
        // No writer is between a value and the end of the lock, and who writes after it widens the zone map first. A remover waits for the lock, too, and clears
        // the bit after; of a row that was removed before, the bit is never set.
        if (entry.Lock.TryLock(out ulong live))
        {
            ColumnSummaries.Note(_versions.Layout, block, row.Slot);
            block.SetValid(row.Slot);
            entry.Lock.Unlock((uint)live);
            ProtocolSteps.Reach(ProtocolStep.EntryLive);
        }
        if (isScanned) ReferenceBarrier.AdmitAll(_references, block, row.Slot);
        // No scan sees the references of a draft: one that has ended by now may have reclaimed what they lead to.
        if (ReferenceBarrier.Verdicts != verdicts) ReferenceBarrier.ForgetGone(_references, block, row.Slot);
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = entry.LiveHandle();
        if (handle == 0) block.ClearValid(row.Slot);
        else if (_life.IsDisposed) PublishedTooLate(entry, Handle.Incarnation(handle));
        return handle;
    }

    /// <summary>Takes back a row of <see cref="PublishHidden"/> that nobody shall see.</summary>
    public unsafe void Withdraw(in RowSlot row)
    {
        // SAFETY: as in PublishHidden.
        EntryRef entry = row.Entry;
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = entry.LiveHandle();
        if (handle == 0) return;
        if (!_life.IsDisposed) _removal.TryRemove(entry, Handle.Incarnation(handle));
        else _removal.KillCounted(entry, Handle.Incarnation(handle));
    }

    /// <summary>Gives a reserved place back, with the strings that were stored in it.</summary>
    public void Abandon(in RowSlot row)
    {
        if (_life.IsDisposed) return;
        using WriteWindow window = WriteWindow.Enter();
        BlockRef block = _versions.Newest(row.Block);
        _cleaner.Clean(row.Block, row.Slot);
        // Words that were copied with the block are the same chunks, which are freed.
        if (block != row.Block) _cleaner.Clear(block, row.Slot);
        // Nobody ever saw the row, so the next allocation may have the slot at once.
        if (!_allocator.TryTakeBack(block, row.Slot)) _removal.MakeLimbo(block, row.Slot, GlobalEpoch.Now - Epoch.Grace);
    }

    /// <summary>Writes zone maps and sketches of a block whose rows are written and not published: the steps of a sketch by the block's own values. O(rows × columns).</summary>
    /// <param name="block">The block.</param>
    /// <param name="slots">The slots of its rows, from 0 on.</param>
    /// <safety>As <see cref="RowAllocator.ReserveRuns"/>. Values and null bits of all rows of the block are written, and no other thread writes to it.</safety>
    public void Summarize(BlockRef block, int slots)
    {
        foreach (ColumnLayout column in _versions.Layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) BlockSummary.Write(block, slots, column);
        }
    }

    /// <summary>Brings the row of a reserved slot to life for those who get its handle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Enliven(BlockRef block, int slot, EntryRef entry)
    {
        // The slot's word comes first: who finds the row through its entry finds it in its slot, too.
        block.SetSlot(slot, SlotWord.Valid(_entries.NextIncarnation(entry)));
        return entry.Publish(new RowLocation(block, slot), _entries.FirstIncarnation);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PublishedTooLate(EntryRef entry, uint incarnation)
    {
        _removal.KillCounted(entry, incarnation);
        ThrowDisposed();
    }

    [DoesNotReturn]
    private void ThrowDisposed() => throw new ObjectDisposedException(_life.Name, $"The collection {_life.Name} was disposed while the row was added.");
}
