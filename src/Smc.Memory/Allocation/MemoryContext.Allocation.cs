using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>Reserving slots and publishing rows.</content>
public sealed partial class MemoryContext
{
    /// <summary>
    /// Reserves a place for a row, which reads as zero and which nobody sees. It becomes a row with <see cref="Publish(in RowSlot)"/> or
    /// goes back with <see cref="Abandon(in RowSlot)"/>.
    /// </summary>
    /// <remarks>The caller stays inside one critical section from here until Publish or Abandon returns.</remarks>
    /// <exception cref="InvalidOperationException">The caller is not inside a critical section.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public unsafe RowSlot Allocate()
    {
        ThreadSlot* thread = ThreadInSection();
        AllocationCursor cursor = EnterCursor(thread);
        int slot = cursor.NextFresh;
        if (slot >= cursor.FastLimit) return AllocateSlowly(cursor);
        ulong block = cursor.Block;
        uint id = TakeFresh(cursor, block, slot);
        cursor.Latch.Exit();
        return new RowSlot(block, slot, EntryAddress(id));
    }

    /// <summary>Reserves up to <paramref name="wanted"/> neighbouring places, at least one. Otherwise like <see cref="Allocate"/>.</summary>
    /// <inheritdoc cref="Allocate" path="/remarks|/exception"/>
    public unsafe RowRun AllocateRun(int wanted)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(wanted);
        ThreadSlot* thread = ThreadInSection();
        AllocationCursor cursor = EnterCursor(thread);
        int first = cursor.NextFresh;
        int count = Math.Min(wanted, cursor.FastLimit - first);
        if (count <= 0)
        {
            RowSlot single = AllocateSlowly(cursor);
            return new RowRun(single.Block, single.Slot, 1, single.Entry);
        }
        ulong block = cursor.Block;
        for (int slot = first; slot < first + count; slot++) TakeFresh(cursor, block, slot);
        // SAFETY: the cursor owns the block.
        uint firstId = BlockHeader.Prefix(block)->FirstId + (uint)first;
        cursor.Latch.Exit();
        return new RowRun(block, first, count, EntryAddress(firstId));
    }

    /// <summary>Makes a row of a reserved place: from here on everybody sees it.</summary>
    /// <returns>The row's handle.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public unsafe ulong Publish(in RowSlot row)
    {
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = MustPrepare(row.Block) ? PreparePlace(row) : row;
        // SAFETY: the caller reserved the slot and with it the entry, and is inside the section in which it did.
        EntryWord* entry = (EntryWord*)row.Entry;
        uint incarnation = Enliven(place.Block, place.Slot, entry);
        ProtocolSteps.Reach(ProtocolStep.EntryLive);
        bool isScanned = ReferenceBarrier.IsNeeded && !Mutants.RetirePublishesBlind;
        if (isScanned) AdmitReferences(place.Block, place.Slot);
        // The interlocked operation is also the StoreStore barrier before the handle is handed out, and the fence between the row coming
        // to life and the look at _disposed; partner: Dispose.
        Interlocked.Or(ref *((ulong*)BlockHeader.Validity(place.Block) + (place.Slot >> 6)), 1UL << (place.Slot & 63));
        if (isScanned) AdmitReferences(place.Block, place.Slot);
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        if (IsDisposed) PublishedTooLate(entry, incarnation);
        return Handle.Make(row.Entry, incarnation);
    }

    /// <summary>Makes rows of reserved places.</summary>
    /// <inheritdoc cref="Publish(in RowSlot)" path="/exception"/>
    /// <exception cref="InvalidOperationException">The collection has indexes, into which rows go one by one (<see cref="PublishIndexed"/>).</exception>
    public unsafe void Publish(in RowRun run)
    {
        if (Indexes is not null) throw new InvalidOperationException($"{Name} has indexes: its rows are published one by one.");
        using WriteWindow window = WriteWindow.Enter();
        ulong block = run.Block;
        if (MustPrepare(block))
        {
            for (int i = 0; i < run.Count; i++) block = PreparePlace(run[i]).Block;
        }
        // SAFETY: as above; a run lies in one block and its entries are neighbours.
        EntryWord* entry = (EntryWord*)run.FirstEntry;
        for (int i = 0; i < run.Count; i++) Enliven(block, run.FirstSlot + i, entry + i);
        int end = run.FirstSlot + run.Count;
        bool isScanned = ReferenceBarrier.IsNeeded && !Mutants.RetirePublishesBlind;
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) AdmitReferences(block, slot);
        for (int slot = run.FirstSlot; slot < end; slot = (slot | 63) + 1)
        {
            ulong mask = ulong.MaxValue << (slot & 63);
            if (end < (slot | 63) + 1) mask &= (1UL << (end & 63)) - 1;
            Interlocked.Or(ref *((ulong*)BlockHeader.Validity(block) + (slot >> 6)), mask);
        }
        for (int slot = run.FirstSlot; isScanned && slot < end; slot++) AdmitReferences(block, slot);
        _counters.CountPublished(ThreadSlots.Current->Index, run.Count);
        if (!IsDisposed) return;
        for (int i = 0; i < run.Count; i++) KillCounted(entry + i, Handle.Incarnation(EntryWord.HandleOf(entry + i)));
        ThrowDisposed();
    }

    /// <summary>The handle that a row of a published run got.</summary>
    /// <safety>The caller is inside the section in which it published the run.</safety>
    public static unsafe ulong HandleOf(in RowSlot row) => EntryWord.HandleOf((EntryWord*)row.Entry); // SAFETY: as the caller promises.

    /// <summary>Gives a reserved place back, with the strings that were stored in it.</summary>
    public unsafe void Abandon(in RowSlot row)
    {
        if (IsDisposed) return;
        using WriteWindow window = WriteWindow.Enter();
        ulong block = MustPrepare(row.Block) ? PrepareNewest(row.Block) : row.Block;
        _cleaner.Clean(row.Block, row.Slot);
        // Words that were copied with the block are the same chunks, which are freed.
        if (block != row.Block) _cleaner.Clear(block, row.Slot);
        // SAFETY: the caller reserved the slot and is inside the section in which it did.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        // A slot that direct references may name counts its rows; as a fresh one it would begin anew.
        bool wasLast = !IsDirectTarget && cursor.Block == block && cursor.NextFresh == row.Slot + 1
            && (prefix->HasListedIds || BlockHeader.DenseIdAt(block, row.Slot) == prefix->FirstId + (uint)row.Slot);
        if (wasLast)
        {
            BlockHeader.Directory(block)[row.Slot] = SlotWord.Free;
            cursor.NextFresh = row.Slot;
            Volatile.Write(ref prefix->HighWater, row.Slot);
        }
        cursor.Latch.Exit();
        // Nobody ever saw the row, so the next allocation may have the slot at once.
        if (!wasLast) MakeLimbo(block, row.Slot, GlobalEpoch.Now - Epoch.Grace);
    }

    /// <summary>Gives the reserved places of a run back.</summary>
    public void Abandon(in RowRun run)
    {
        for (int i = run.Count - 1; i >= 0; i--) Abandon(run[i]);
    }

    /// <summary>Whether a snapshot is open, or the block has been left to one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe bool MustPrepare(ulong block) => SnapshotState.IsSlow || Volatile.Read(ref BlockHeader.Prefix(block)->Next) != 0; // SAFETY: the caller's section keeps the block mapped.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe ThreadSlot* ThreadInSection()
    {
        ThreadSlot* thread = ThreadSlots.Current;
        if (!AsymmetricFence.IsInside(thread)) ThrowNotInSection();
        return thread;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe AllocationCursor EnterCursor(ThreadSlot* thread)
    {
        AllocationCursor[] cursors = _cursors;
        AllocationCursor cursor = cursors[thread->Index & (cursors.Length - 1)];
        return cursor.Latch.TryEnter() ? cursor : EnterCursorContended(thread);
    }

    // Two threads met: from now on there are twice as many cursors, up to one for each processor.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe AllocationCursor EnterCursorContended(ThreadSlot* thread)
    {
        AllocationCursor[] cursors = _cursors;
        if (cursors.Length < CursorCount)
        {
            lock (_lock)
            {
                cursors = _cursors;
                int length = cursors.Length;
                if (length < CursorCount)
                {
                    Array.Resize(ref cursors, length * 2);
                    for (int i = length; i < cursors.Length; i++) cursors[i] = new AllocationCursor();
                    Volatile.Write(ref _cursors, cursors);
                }
            }
        }
        AllocationCursor cursor = cursors[thread->Index & (cursors.Length - 1)];
        cursor.Latch.Enter();
        return cursor;
    }

    /// <summary>Brings the row of a reserved slot to life for those who get its handle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe uint Enliven(ulong block, int slot, EntryWord* entry)
    {
        // SAFETY: the caller owns slot and entry. The slot's word comes first: who finds the row through its entry finds it in its slot, too.
        BlockHeader.Directory(block)[slot] = SlotWord.Valid(EntryWord.NextIncarnation(entry, _range.FirstIncarnation));
        return EntryWord.Publish(entry, Location.Make(block, slot), _range.FirstIncarnation);
    }

    private unsafe uint EnlivenDraft(ulong block, int slot, EntryWord* entry)
    {
        // SAFETY: as in Enliven.
        BlockHeader.Directory(block)[slot] = SlotWord.Valid(EntryWord.NextIncarnation(entry, _range.FirstIncarnation));
        return EntryWord.PublishDraft(entry, Location.Make(block, slot), _range.FirstIncarnation);
    }

    /// <summary>Takes the next slot that was never used, whose entry was not either.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe uint TakeFresh(AllocationCursor cursor, ulong block, int slot)
    {
        // SAFETY: the cursor owns the block, and slot is below the number of its slots.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        uint id = prefix->FirstId + (uint)slot;
        ((uint*)BlockHeader.BackPointers(block))[slot] = id;
        BlockHeader.Directory(block)[slot] = SlotWord.Reserved;
        cursor.NextFresh = slot + 1;
        Volatile.Write(ref prefix->HighWater, slot + 1);
        return id;
    }

    /// <summary>Takes a slot in any way there is. Leaves the cursor's latch.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private RowSlot AllocateSlowly(AllocationCursor cursor)
    {
        RowSlot row;
        bool isReused;
        bool advance = false;
        int blocks = BlocksNow.Count;
        try
        {
            while (!TryTake(cursor, out row, out isReused)) Refill(cursor, ref advance);
        }
        finally
        {
            cursor.Latch.Exit();
        }
        ProtocolSteps.Reach(ProtocolStep.SlotTaken);
        if (isReused) _cleaner.Clean(row.Block, row.Slot);
        if (BlocksNow.Count > blocks) MemoryEventSource.Log.BlockAdded(Name, Layout.BlockBytes, BlocksNow.Count);
        if (advance) Reclaimer.AdvanceIfDue();
        Reclaimer.OperationDone();
        return row;
    }

    private unsafe bool TryTake(AllocationCursor cursor, out RowSlot row, out bool isReused)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        row = default;
        isReused = false;
        ulong block = cursor.Block;
        if (block == 0) return false;
        // SAFETY: the cursor owns the block.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        isReused = TryFindLimbo(cursor, out int slot);
        while (isReused && TrySpend(block, slot)) isReused = TryFindLimbo(cursor, out slot);
        if (isReused) PrefetchNextLimbo(cursor, slot);
        if (!isReused)
        {
            if (cursor.NextFresh >= prefix->Slots) return false;
            if (!prefix->HasUsedIds) cursor.FastLimit = prefix->Slots;
            slot = cursor.NextFresh;
        }
        uint id = isReused || prefix->HasListedIds ? BlockHeader.DenseIdAt(block, slot) : prefix->FirstId + (uint)slot;
        if (PackedEntries.Contains(id) || _ids.IsWornOut(id)) id = ReplaceId(prefix, id);
        if (NoteIncarnation(id) > _range.FirstIncarnation) prefix->HasReusedEntries = true;
        if (isReused) TakeLimbo(block, slot);
        else TakeFresh(cursor, block, slot);
        ((uint*)BlockHeader.BackPointers(block))[slot] = id;
        row = new RowSlot(block, slot, EntryAddress(id));
        return true;
    }

    /// <summary>Finds the next slot in limbo that no reader can reach: a look at the validity bitmap for 64, at stamps of candidates only.</summary>
    private static unsafe bool TryFindLimbo(AllocationCursor cursor, out int slot)
    {
        // SAFETY: the cursor owns the block; words and slots are below its high-water mark.
        ulong* validity = (ulong*)BlockHeader.Validity(cursor.Block);
        uint* directory = BlockHeader.Directory(cursor.Block);
        long epoch = GlobalEpoch.Now;
        while (true)
        {
            while (cursor.WalkMask == 0)
            {
                if (cursor.WalkWord >= cursor.WalkWords)
                {
                    slot = -1;
                    return false;
                }
                cursor.WalkMask = ~Volatile.Read(ref validity[cursor.WalkWord]);
                cursor.WalkWord++;
            }
            slot = (cursor.WalkWord - 1) * 64 + BitOperations.TrailingZeroCount(cursor.WalkMask);
            cursor.WalkMask &= cursor.WalkMask - 1;
            // Acquire; partner: the release with which the remover stored the stamp. A slot above the high-water mark is free, not in limbo.
            if (SlotWord.IsReusable(Volatile.Read(ref directory[slot]), epoch, Epoch.Grace)) return true;
        }
    }

    // Slots apart from which values of eight bytes lie in different lines; nearer ones come without asking.
    private const int SparseLimbo = 8;

    /// <summary>
    /// Asks for the memory of the row that the next allocation takes, if the search goes on as it is: interlocked operations wait until what
    /// was written before has found its way to the cache, and where limbo is sparse that is a line for every column. (5 % limbo: adding
    /// takes 200 instead of 280 ns.)
    /// </summary>
    private unsafe void PrefetchNextLimbo(AllocationCursor cursor, int current)
    {
        int word = cursor.WalkWord - 1;
        ulong mask = cursor.WalkMask;
        if (mask == 0)
        {
            if (++word >= cursor.WalkWords) return;
            // SAFETY: the cursor owns the block; words are below its high-water mark.
            mask = ~Volatile.Read(ref ((ulong*)BlockHeader.Validity(cursor.Block))[word]);
            if (mask == 0) return;
        }
        int slot = word * 64 + BitOperations.TrailingZeroCount(mask);
        if (slot - current < SparseLimbo) return;
        // Nearly always the id that the slot began with.
        Prefetch.Line(EntryAddress(BlockHeader.Prefix(cursor.Block)->FirstId + (uint)slot));
        _cleaner.Prefetch(cursor.Block, slot);
    }

    private static unsafe void TakeLimbo(ulong block, int slot)
    {
        // SAFETY: the caller's cursor owns the block.
        BlockHeader.Directory(block)[slot] = SlotWord.Reserved;
        Interlocked.Decrement(ref BlockHeader.Prefix(block)->Limbo);
    }

    // Of a slot that the cursor found and has not taken: its entry is dead, and no reader that found it alive is left.
    private unsafe uint ReplaceId(BlockPrefix* prefix, uint replaced)
    {
        uint id;
        lock (_lock)
        {
            id = _ids.TakeSingle();
            bool isWornOut = !PackedEntries.Contains(replaced) && _ids.IsWornOut(replaced);
            if (isWornOut) Interlocked.Increment(ref _wornOut);
            // An id of a run goes back with it. One by which a snapshot may look for a row is lost: that is rare.
            else if (prefix->HasListedIds && !IsSnapshotted) _ids.ReturnSingle(replaced);
            // The newest block no longer has the highest id.
            Volatile.Write(ref _tail, 0);
        }
        // SAFETY: the caller's cursor owns the block.
        prefix->HasReplacedIds = true;
        return id;
    }

    // The incarnation that the entry gets now. The next tenant of the range starts above the highest.
    private unsafe long NoteIncarnation(uint id)
    {
        // SAFETY: ids handed out have memory behind their entries.
        long next = EntryWord.NextIncarnation((EntryWord*)_range.Base + id, _range.FirstIncarnation);
        for (long highest = Volatile.Read(ref _highestIncarnation); next > highest;)
        {
            long found = Interlocked.CompareExchange(ref _highestIncarnation, next, highest);
            if (found == highest) break;
            highest = found;
        }
        return next;
    }

    /// <summary>Gives the cursor another block: one with limbo that can be re-used, else an unused one.</summary>
    private unsafe void Refill(AllocationCursor cursor, ref bool advance)
    {
        ulong last = cursor.Block;
        ReleaseBlock(cursor);
        ulong block;
        lock (_lock)
        {
            block = _queue.TryTakeReady();
            if (block == 0)
            {
                advance = _queue.Count > 0;
                block = _unused.Count > 0 ? _unused.Dequeue() : AddBlock();
            }
            // SAFETY: blocks of the queue and unused ones stay mapped while they are there.
            Volatile.Write(ref BlockHeader.Prefix(block)->State, BlockState.Owned);
        }
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // The block that was full stays mapped until the caller's section ends.
        if (prefix->HighWater == 0 && last != 0) ColumnSummaries.Scale(Layout, block, [last]);
        cursor.Block = block;
        cursor.NextFresh = prefix->HighWater;
        cursor.FastLimit = 0;
        cursor.WalkWord = 0;
        cursor.WalkWords = (prefix->HighWater + 63) / 64;
        cursor.WalkMask = 0;
        cursor.SearchEpoch = prefix->HighWater > 0 ? GlobalEpoch.Now : 0;
    }

    /// <summary>Lets go of a block that has no more slots for now.</summary>
    private unsafe void ReleaseBlock(AllocationCursor cursor)
    {
        ulong block = cursor.Block;
        if (block == 0) return;
        long searched = cursor.SearchEpoch;
        cursor.Clear();
        // SAFETY: the cursor owned the block until now; it stays mapped at least until the caller's section ends.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // A full fence between giving up the block and counting its limbo; partner: MakeLimbo counts first and then looks at the state,
        // so one of the two sees that the block has to be queued.
        Interlocked.Exchange(ref prefix->State, BlockState.Idle);
        // What a search left in limbo was not ready in its epoch.
        if (Volatile.Read(ref prefix->Limbo) >= _queueAt) QueueForReuse(block, Math.Max(searched, prefix->LimboStamp));
    }

    private unsafe void QueueForReuse(ulong block, long stamp)
    {
        lock (_lock)
        {
            // SAFETY: as in the callers.
            BlockPrefix* prefix = BlockHeader.Prefix(block);
            if (IsDisposed || Interlocked.CompareExchange(ref prefix->State, BlockState.Queued, BlockState.Idle) != BlockState.Idle) return;
            _queue.Add(block, stamp);
        }
    }

    // Under the context's lock.
    private ulong AddBlock()
    {
        BlockList blocks = _blocks;
        ulong block = _manager.Arenas.Take(Layout.BlockBytes, UsesHugePages(blocks));
        try
        {
            blocks = blocks.With(block);
            BlockInitializer.Initialize(block, Layout, _slotsPerBlock, _range.Base);
            GiveIds(block);
        }
        catch
        {
            _manager.Arenas.Return(block, Layout.BlockBytes);
            throw;
        }
        Volatile.Write(ref _blocks, blocks);
        return block;
    }

    // The first blocks may stay nearly empty, so they take small pages as they are touched.
    private bool UsesHugePages(BlockList blocks) => (long)blocks.Count * Layout.BlockBytes >= VirtualMemory.HugePageSize;

    // Ids that are free come before new ones, so that the entries do not grow for ever.
    private unsafe void GiveIds(ulong block)
    {
        // SAFETY: the caller just made the block, and nobody else sees it.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        prefix->HasListedIds = _ids.TryTakeList(SlotIds(block));
        bool areUsed = true;
        if (!prefix->HasListedIds) prefix->FirstId = _ids.TakeRun(_slotsPerBlock, out areUsed);
        prefix->HasUsedIds = areUsed;
        Volatile.Write(ref _tail, areUsed ? 0 : block);
    }

    private ulong EntryAddress(uint id) => _range.Base + (ulong)id * EntryWord.SizeInBytes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe void PublishedTooLate(EntryWord* entry, uint incarnation)
    {
        if (Mutants.PublishIgnoresDispose) return;
        KillCounted(entry, incarnation);
        ThrowDisposed();
    }

    [DoesNotReturn]
    private void ThrowDisposed() => throw new ObjectDisposedException(Name, $"The collection {Name} was disposed while the row was added.");

    [DoesNotReturn]
    private static void ThrowNotInSection() => throw new InvalidOperationException(
        "Rows are allocated, written and published inside one critical section. Enter it before Allocate and leave it after Publish.");
}
