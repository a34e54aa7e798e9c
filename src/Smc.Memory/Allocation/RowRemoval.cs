using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>Ends the life of rows.</summary>
/// <remarks>
/// Invariants: of several threads that remove a row one kills its entry and buries it: only that one clears its bit and makes its slot limbo. The stamp is read after the row became
/// unreachable, so it is at least the epoch of every reader that can have found the row. An open snapshot keeps the block with the row, and words of indexes leave, before the place can
/// be used again. A retired row is forgotten as one before that, too.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowRemoval
{
    // What a removal has ended.
    private enum Ended
    {
        Nothing,
        Row,
        RetiredRow,
    }

    // Rows whose memory is asked for at once.
    private const int RowsAhead = OrderedSearches.Most;

    private readonly BlockStore _store;
    private readonly EntryTable _entries;
    private readonly IndexSet _indexSet;
    private readonly LiveCounters _counters;
    private readonly RetiredRows _retired;
    private readonly SparseBlocks _sparse;
    private readonly Reclaimer _reclaimer;

    // Below this many slots in limbo nothing has to be looked at.
    private readonly int _firstMark;

    internal RowRemoval(BlockStore store, EntryTable entries, IndexSet indexSet, LiveCounters counters, RetiredRows retired, SparseBlocks sparse, Reclaimer reclaimer)
    {
        _store = store;
        _entries = entries;
        _indexSet = indexSet;
        _counters = counters;
        _retired = retired;
        _sparse = sparse;
        _reclaimer = reclaimer;
        _firstMark = Math.Min(store.QueueAt, sparse.SparseAt);
    }

    /// <summary>Removes the row of a handle. Readers that are at it may finish; the place is re-used two epochs later.</summary>
    /// <returns>False if the handle is null or the row was removed before; of several threads that remove a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public bool TryRemove(ulong handle)
    {
        if (handle == 0) return false;
        Ended ended;
        using (WriteSection section = WriteSection.Enter())
        {
            // Inside the section: the entries of a collection that is disposed after this stay mapped until the section ends.
            _entries.RequireOwn(handle);
            ended = Remove(EntryRef.Of(handle), Handle.Incarnation(handle), section.Thread);
        }
        if (ended == Ended.Nothing) return false;
        if (ended == Ended.RetiredRow) _retired.GiveBackBytes();
        _reclaimer.AddGarbage(_store.Layout.BytesPerRow + _indexSet.TakeGarbage());
        return true;
    }

    /// <summary>Removes the rows of some handles, one by one. What is read for several of them is asked for before the first is removed, so that the processor waits for memory once for all of these.</summary>
    /// <param name="handles">The handles; null ones are left out.</param>
    /// <param name="cancellationToken">Ends it early; rows that were removed by then stay removed.</param>
    /// <returns>How many this call removed.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <inheritdoc cref="TryRemove(ulong)" path="/exception"/>
    public long Remove(ReadOnlySpan<ulong> handles, CancellationToken cancellationToken)
    {
        long removed = 0;
        for (; handles.Length > 0; handles = handles[Math.Min(RowsAhead, handles.Length)..])
        {
            cancellationToken.ThrowIfCancellationRequested();
            removed += RemoveSome(handles[..Math.Min(RowsAhead, handles.Length)]);
        }
        return removed;
    }

    private int RemoveSome(ReadOnlySpan<ulong> given)
    {
        int removed = 0;
        // Read once: another thread may write to what the caller gave.
        Span<ulong> copy = stackalloc ulong[RowsAhead];
        given.CopyTo(copy);
        ReadOnlySpan<ulong> handles = copy[..given.Length];
        using (WriteSection section = WriteSection.Enter())
        {
            foreach (ulong handle in handles)
            {
                if (handle == 0) continue;
                _entries.RequireOwn(handle);
                EntryRef.Of(handle).Prefetch();
            }
            Prefetch(handles);
            foreach (ulong handle in handles)
            {
                Ended ended = handle == 0 ? Ended.Nothing : Remove(EntryRef.Of(handle), Handle.Incarnation(handle), section.Thread);
                if (ended != Ended.Nothing) removed++;
                if (ended == Ended.RetiredRow) _retired.GiveBackBytes();
            }
        }
        if (removed > 0) _reclaimer.AddGarbage((removed * _store.Layout.BytesPerRow) + _indexSet.TakeGarbage());
        return removed;
    }

    // Nothing that is read here counts: rows may change, move and go meanwhile.
    private void Prefetch(ReadOnlySpan<ulong> handles)
    {
        RowIndex[] indexes = _indexSet.All ?? [];
        Span<RowLocation> rows = stackalloc RowLocation[RowsAhead];
        Span<uint> ids = stackalloc uint[RowsAhead];
        for (int i = 0; i < handles.Length; i++)
        {
            if (handles[i] == 0 || !Handle.TryLocate(handles[i], out rows[i])) continue;
            ids[i] = _entries.IdOf(EntryRef.Of(handles[i]));
            rows[i].Block.PrefetchState(rows[i].Slot);
            foreach (RowIndex index in indexes) index.PrefetchKeyColumns(rows[i]);
        }
        foreach (RowIndex index in indexes) index.PrefetchWords(rows[..handles.Length], ids);
    }

    /// <summary>Removes the row that has an incarnation of an entry.</summary>
    /// <returns>False if it was removed before.</returns>
    /// <safety>The caller is inside a critical section in which the collection was not disposed; the entry is one of it.</safety>
    internal bool TryRemove(EntryRef entry, uint incarnation)
    {
        if (!TryRemove(entry, incarnation, out bool wasRetired)) return false;
        if (wasRetired) _retired.GiveBackBytes();
        return true;
    }

    /// <inheritdoc cref="TryRemove(EntryRef, uint)"/>
    /// <param name="entry">The entry.</param>
    /// <param name="incarnation">The row's.</param>
    /// <param name="wasRetired">Whether the row was retired: then its bytes are still reserved.</param>
    internal unsafe bool TryRemove(EntryRef entry, uint incarnation, out bool wasRetired)
    {
        using WriteWindow window = WriteWindow.Enter();
        Ended ended = Remove(entry, incarnation, ThreadSlots.Current->Index);
        wasRetired = ended == Ended.RetiredRow;
        return ended != Ended.Nothing;
    }

    /// <safety>As <see cref="TryRemove(EntryRef, uint)"/>. The caller, the index of whose slot is given, is inside a write window, too.</safety>
    private Ended Remove(EntryRef entry, uint incarnation, int thread)
    {
        // A snapshot that is open keeps the block with the row.
        if (SnapshotState.IsSlow) BlockVersions.PrepareRow(entry.HandleWith(incarnation));
        ProtocolSteps.Reach(ProtocolStep.RemoveEntered);
        RowIndex[]? indexes = _indexSet.All;
        return indexes is null ? End(entry, incarnation, thread, null, ref Unsafe.NullRef<IndexedRemoval>()) : RemoveIndexed(entry, incarnation, thread, indexes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Ended RemoveIndexed(EntryRef entry, uint incarnation, int thread, RowIndex[] indexes) =>
        _indexSet.TryBeginRemoval(indexes, entry, incarnation, out IndexedRemoval removal) ? End(entry, incarnation, thread, indexes, ref removal) : Ended.Nothing;

    /// <summary>Ends the life of a row and buries it.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="incarnation">The row's.</param>
    /// <param name="thread">Index of the caller's slot.</param>
    /// <param name="indexes">The collection's, if there are any.</param>
    /// <param name="removal">What the removal from them has begun with.</param>
    /// <safety>As <see cref="Remove(EntryRef, uint, int)"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Ended End(EntryRef entry, uint incarnation, int thread, RowIndex[]? indexes, ref IndexedRemoval removal)
    {
        if (!entry.TryKill(incarnation, _entries.Packed, out EntryRef home))
        {
            if (indexes is not null) _indexSet.EndRemoval(indexes, removal);
            return Ended.Nothing;
        }
        ProtocolSteps.Reach(ProtocolStep.EntryDead);
        // After the entry is dead: nothing moves the row any more, and it is this thread's to bury.
        // SAFETY: the section keeps the row's block mapped.
        RowLocation location = home.Location;
        BlockRef block = location.Block;
        int slot = location.Slot;
        block.ClearValid(slot);
        ProtocolSteps.Reach(ProtocolStep.ValidityCleared);
        Ended ended = _retired.Any && _retired.TryForget(_entries.IdOf(entry)) ? Ended.RetiredRow : Ended.Row;
        if (indexes is not null) _indexSet.EndRemoval(indexes, removal);
        // The epoch is read after the row became unreachable: a reader that has it entered in this epoch or before.
        long stamp = GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.StampRead);
        _counters.CountRemoved(thread, stamp, rows: ended == Ended.RetiredRow ? 0 : 1);
        MakeLimbo(block, slot, stamp);
        return ended;
    }

    /// <summary>Marks a slot as re-usable two epochs after <paramref name="stamp"/> and queues its block if that makes enough of them.</summary>
    /// <safety>The slot's row was the caller's to end, and its section keeps the block mapped.</safety>
    internal void MakeLimbo(BlockRef block, int slot, long stamp)
    {
        // Release; partner: the acquire in AllocationCursor.TryFindLimbo.
        block.SetSlot(slot, SlotWord.Limbo(stamp));
        int limbo = block.AddLimbo();
        if (limbo < _firstMark) return;
        if (limbo == _sparse.SparseAt) _sparse.Note();
        if (limbo < _store.QueueAt) return;
        if (limbo == _store.QueueAt) block.SetLimboStamp(stamp);
        if (block.State == BlockState.Idle) _store.QueueForReuse(block, block.LimboStamp);
    }

    /// <summary>Ends the life of every row of some blocks, retired ones among them.</summary>
    /// <param name="blocks">A list that the caller got in its critical section.</param>
    /// <param name="keepSlots">True if the slots are to be re-used, false if the blocks are on their way out.</param>
    internal void EndRowsOf(BlockList blocks, bool keepSlots)
    {
        for (int i = 0; i < blocks.Count; i++)
        {
            foreach (int slot in _retired.SlotsOf(blocks[i]))
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
    internal unsafe void KillCounted(EntryRef entry, uint incarnation)
    {
        uint id = _entries.IdOf(entry);
        if (!entry.TryKill(incarnation, _entries.Packed, out EntryRef home)) return;
        if (_retired.TryForget(id)) _retired.GiveBackBytes();
        else _counters.CountGone(ThreadSlots.Current->Index);
        // SAFETY: the caller's section keeps the row's block mapped. Direct references look at the slot only.
        RowLocation location = home.Location;
        location.Block.SetSlot(location.Slot, SlotWord.Limbo(GlobalEpoch.Now));
    }
}
