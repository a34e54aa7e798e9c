using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Allocation;

/// <summary>Hands out places for rows: fresh ones, and those whose rows were removed two epochs ago.</summary>
/// <remarks>
/// Invariants: a block that is owned is the block of one cursor, under whose latch its slots are taken, so a slot has one taker. A slot in limbo is taken two epochs after its stamp (I1), and with
/// its entry, unless that is worn out or packed. What hung on the row that was there is freed before the place is handed out, with no latch held.
/// Locks: the latch of a cursor, then the collection's lock.
/// </remarks>
internal sealed class RowAllocator(CollectionLife life, BlockStore store, EntryTable entries, RowCleaner cleaner, SnapshotMarks snapshots, ReferrersToRows referrers, Reclaimer reclaimer)
{
    private const int MaxCursors = 16;

    private readonly CollectionLife _life = life;
    private readonly EntryTable _entries = entries;
    private readonly RowCleaner _cleaner = cleaner;
    private AllocationCursor[] _cursors = [new()];

    /// <summary>The cursors, of which there are as many as threads that met.</summary>
    public AllocationCursor[] Cursors => Volatile.Read(ref _cursors);

    private static int CursorCount => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxCursors));

    /// <summary>See <see cref="MemoryContext.Allocate"/>.</summary>
    public unsafe RowSlot Allocate()
    {
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        int slot = cursor.NextFresh;
        if (slot >= cursor.FastLimit) return AllocateSlowly(cursor);
        ulong block = cursor.Block;
        uint id = cursor.TakeFresh(block, slot);
        cursor.Latch.Exit();
        return new RowSlot(block, slot, _entries.Of(id));
    }

    /// <summary>See <see cref="MemoryContext.AllocateRun"/>.</summary>
    public unsafe RowRun AllocateRun(int wanted)
    {
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        int first = cursor.NextFresh;
        int count = Math.Min(wanted, cursor.FastLimit - first);
        if (count <= 0)
        {
            RowSlot single = AllocateSlowly(cursor);
            return new RowRun(single.Block, single.Slot, 1, single.Entry);
        }
        ulong block = cursor.Block;
        for (int slot = first; slot < first + count; slot++) cursor.TakeFresh(block, slot);
        // SAFETY: the cursor owns the block.
        uint firstId = BlockHeader.Prefix(block)->FirstId + (uint)first;
        cursor.Latch.Exit();
        return new RowRun(block, first, count, _entries.Of(firstId));
    }

    /// <summary>Takes a reserved slot back as one that was never used, if it was the last of the calling thread's block.</summary>
    /// <safety>The caller reserved the slot, is inside the section in which it did, and has cleared it.</safety>
    public unsafe bool TryTakeBack(ulong block, int slot)
    {
        // SAFETY: as the caller promises.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        // A slot that direct references may name counts its rows; as a fresh one it would begin anew.
        bool wasLast = !referrers.IsAny && cursor.Block == block && cursor.NextFresh == slot + 1
            && (prefix->HasListedIds || BlockHeader.DenseIdAt(block, slot) == prefix->FirstId + (uint)slot);
        if (wasLast)
        {
            BlockHeader.Directory(block)[slot] = SlotWord.Free;
            cursor.NextFresh = slot;
            Volatile.Write(ref prefix->HighWater, slot);
        }
        cursor.Latch.Exit();
        return wasLast;
    }

    /// <summary>See <see cref="MemoryContext.Reserve"/>.</summary>
    public void Reserve(long rows)
    {
        lock (_life.Lock)
        {
            _life.ThrowIfDisposed();
            store.Reserve(rows, FreshSlots());
        }
    }

    /// <summary>Takes the blocks of all cursors away, for good.</summary>
    public void Clear()
    {
        foreach (AllocationCursor cursor in Cursors)
        {
            cursor.Latch.Enter();
            cursor.Clear();
            cursor.Latch.Exit();
        }
    }

    /// <summary>Takes the block of each cursor that holds no rows; nobody takes slots of it any more.</summary>
    /// <param name="taken">Gets them.</param>
    public unsafe void TakeEmpty(HashSet<ulong> taken)
    {
        foreach (AllocationCursor cursor in Cursors)
        {
            cursor.Latch.Enter();
            if (cursor.Block != 0 && BlockHeader.IsEmpty(cursor.Block))
            {
                // SAFETY: the cursor owns the block, so nobody else takes slots of it.
                Volatile.Write(ref BlockHeader.Prefix(cursor.Block)->State, BlockState.Leaving);
                taken.Add(cursor.Block);
                cursor.Clear();
            }
            cursor.Latch.Exit();
        }
    }

    /// <summary>Takes a block away from the cursor that owns it, if there is one at this moment.</summary>
    /// <param name="block">The block.</param>
    /// <param name="state">Its next state.</param>
    /// <safety>The caller's section keeps the block mapped.</safety>
    public unsafe bool TryTakeFromOwner(ulong block, int state)
    {
        foreach (AllocationCursor cursor in Cursors)
        {
            cursor.Latch.Enter();
            bool isOwner = cursor.Block == block;
            if (isOwner)
            {
                // SAFETY: as the caller promises.
                Interlocked.Exchange(ref BlockHeader.Prefix(block)->State, state);
                cursor.Clear();
            }
            cursor.Latch.Exit();
            if (isOwner) return true;
        }
        return false;
    }

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
            lock (_life.Lock)
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

    /// <summary>Takes a slot in any way there is. Leaves the cursor's latch.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private RowSlot AllocateSlowly(AllocationCursor cursor)
    {
        RowSlot row;
        bool isReused;
        bool advance = false;
        int blocks = store.List.Count;
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
        if (store.List.Count > blocks) MemoryEventSource.Log.BlockAdded(_life.Name, store.Layout.BlockBytes, store.List.Count);
        if (advance) reclaimer.AdvanceIfDue();
        reclaimer.OperationDone();
        return row;
    }

    private unsafe bool TryTake(AllocationCursor cursor, out RowSlot row, out bool isReused)
    {
        _life.ThrowIfDisposed();
        row = default;
        isReused = false;
        ulong block = cursor.Block;
        if (block == 0) return false;
        // SAFETY: the cursor owns the block.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        isReused = cursor.TryFindLimbo(out int slot);
        while (isReused && TrySpend(block, slot)) isReused = cursor.TryFindLimbo(out slot);
        if (isReused) PrefetchNextLimbo(cursor, slot);
        if (!isReused)
        {
            if (cursor.NextFresh >= prefix->Slots) return false;
            if (!prefix->HasUsedIds) cursor.FastLimit = prefix->Slots;
            slot = cursor.NextFresh;
        }
        uint id = isReused || prefix->HasListedIds ? BlockHeader.DenseIdAt(block, slot) : prefix->FirstId + (uint)slot;
        if (_entries.IsSpent(id)) id = ReplaceId(prefix, id);
        if (_entries.NoteIncarnation(id)) prefix->HasReusedEntries = true;
        if (isReused) TakeLimbo(block, slot);
        else cursor.TakeFresh(block, slot);
        ((uint*)BlockHeader.BackPointers(block))[slot] = id;
        row = new RowSlot(block, slot, _entries.Of(id));
        return true;
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
        _entries.Of(BlockHeader.Prefix(cursor.Block)->FirstId + (uint)slot).Prefetch();
        _cleaner.Prefetch(cursor.Block, slot);
    }

    private static unsafe void TakeLimbo(ulong block, int slot)
    {
        // SAFETY: the caller's cursor owns the block.
        BlockHeader.Directory(block)[slot] = SlotWord.Reserved;
        Interlocked.Decrement(ref BlockHeader.Prefix(block)->Limbo);
    }

    /// <summary>
    /// Takes a slot in limbo out of use for ever (its block's ever) if another row in it could not be told from an old one by direct references:
    /// when 2^16 rows were in it, or its entry has no incarnation left, or is packed, and would have to be replaced.
    /// </summary>
    private unsafe bool TrySpend(ulong block, int slot)
    {
        if (!referrers.IsAny) return false;
        uint id = BlockHeader.DenseIdAt(block, slot);
        // SAFETY: the caller's cursor owns the block; ids handed out have memory behind their entries.
        uint next = _entries.NextIncarnation(_entries.Of(id));
        if ((next & DirectWord.IncarnationMask) != 0 && !_entries.IsSpent(id)) return false;
        _cleaner.Clean(block, slot);
        // It stays counted as limbo: no row is in it.
        Volatile.Write(ref BlockHeader.Directory(block)[slot], SlotWord.Spent);
        return true;
    }

    // Of a slot that the cursor found and has not taken: its entry is dead, and no reader that found it alive is left.
    private unsafe uint ReplaceId(BlockPrefix* prefix, uint replaced)
    {
        uint id;
        lock (_life.Lock)
        {
            // An id of a run goes back with it. One by which a snapshot may look for a row is lost: that is rare.
            id = _entries.Replace(replaced, isReturned: prefix->HasListedIds && !snapshots.IsSnapshotted);
            // The newest block no longer has the highest id.
            store.ForgetTail();
        }
        // SAFETY: the caller's cursor owns the block.
        prefix->HasReplacedIds = true;
        return id;
    }

    /// <summary>Gives the cursor another block: one with limbo that can be re-used, else an unused one.</summary>
    private unsafe void Refill(AllocationCursor cursor, ref bool advance)
    {
        ulong last = cursor.Block;
        Release(cursor);
        ulong block = store.TakeForOwner(out bool waits);
        advance |= waits;
        // SAFETY: the cursor owns the block from here on.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // The block that was full stays mapped until the caller's section ends.
        if (prefix->HighWater == 0 && last != 0) ColumnSummaries.Scale(store.Layout, block, [last]);
        cursor.Block = block;
        cursor.NextFresh = prefix->HighWater;
        cursor.FastLimit = 0;
        cursor.WalkWord = 0;
        cursor.WalkWords = (prefix->HighWater + 63) / 64;
        cursor.WalkMask = 0;
        cursor.SearchEpoch = prefix->HighWater > 0 ? GlobalEpoch.Now : 0;
    }

    /// <summary>Lets go of a block that has no more slots for now.</summary>
    private unsafe void Release(AllocationCursor cursor)
    {
        ulong block = cursor.Block;
        if (block == 0) return;
        long searched = cursor.SearchEpoch;
        cursor.Clear();
        // SAFETY: the cursor owned the block until now; it stays mapped at least until the caller's section ends.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // A full fence between giving up the block and counting its limbo; partner: RowRemoval.MakeLimbo counts first and then looks at the state,
        // so one of the two sees that the block has to be queued.
        Interlocked.Exchange(ref prefix->State, BlockState.Idle);
        // What a search left in limbo was not ready in its epoch.
        if (Volatile.Read(ref prefix->Limbo) >= store.QueueAt) store.QueueForReuse(block, Math.Max(searched, prefix->LimboStamp));
    }

    // What the calling thread can take without another block: the rest of its cursor's block. Others may be taking from it, so it is an estimate.
    private unsafe long FreshSlots()
    {
        // SAFETY: the slot of the calling thread; never freed.
        AllocationCursor cursor = _cursors[ThreadSlots.Current->Index & (_cursors.Length - 1)];
        return Volatile.Read(ref cursor.Block) == 0 ? 0 : store.SlotsPerBlock - Volatile.Read(ref cursor.NextFresh);
    }

    [DoesNotReturn]
    private static void ThrowNotInSection() => throw new InvalidOperationException(
        "Rows are allocated, written and published inside one critical section. Enter it before Allocate and leave it after Publish.");
}
