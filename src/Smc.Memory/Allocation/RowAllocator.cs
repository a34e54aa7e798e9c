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
    private readonly SlotSearch _slots = new(life, store, entries, cleaner, snapshots, referrers);
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
        BlockRef block = cursor.Block;
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
        BlockRef block = cursor.Block;
        for (int slot = first; slot < first + count; slot++) cursor.TakeFresh(block, slot);
        uint firstId = block.Header.FirstId + (uint)first;
        cursor.Latch.Exit();
        return new RowRun(block, first, count, _entries.Of(firstId));
    }

    /// <summary>Takes a reserved slot back as one that was never used, if it was the last of the calling thread's block.</summary>
    /// <safety>The caller reserved the slot, is inside the section in which it did, and has cleared it.</safety>
    public unsafe bool TryTakeBack(BlockRef block, int slot)
    {
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        // A slot that direct references may name counts its rows; as a fresh one it would begin anew.
        bool wasLast = !referrers.IsAny && cursor.Block == block && cursor.NextFresh == slot + 1
            && (block.Header.HasListedIds || block.DenseIdAt(slot) == block.Header.FirstId + (uint)slot);
        if (wasLast)
        {
            block.SetSlot(slot, SlotWord.Free);
            cursor.NextFresh = slot;
            block.UseSlots(slot);
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
    public void TakeEmpty(HashSet<BlockRef> taken)
    {
        foreach (AllocationCursor cursor in Cursors)
        {
            cursor.Latch.Enter();
            if (!cursor.Block.IsNone && cursor.Block.IsEmpty)
            {
                // The cursor owns the block, so nobody else takes slots of it.
                cursor.Block.SetState(BlockState.Leaving);
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
    public bool TryTakeFromOwner(BlockRef block, int state)
    {
        foreach (AllocationCursor cursor in Cursors)
        {
            cursor.Latch.Enter();
            bool isOwner = cursor.Block == block;
            if (isOwner)
            {
                block.ExchangeState(state);
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
            while (!_slots.TryTake(cursor, out row, out isReused)) Refill(cursor, ref advance);
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

    /// <summary>Gives the cursor another block: one with limbo that can be re-used, else an unused one.</summary>
    private void Refill(AllocationCursor cursor, ref bool advance)
    {
        BlockRef last = cursor.Block;
        Release(cursor);
        BlockRef block = store.TakeForOwner(out bool waits);
        advance |= waits;
        // The cursor owns the block from here on.
        int used = block.Header.HighWater;
        // The block that was full stays mapped until the caller's section ends.
        if (used == 0 && !last.IsNone) ColumnSummaries.Scale(store.Layout, block, [last]);
        cursor.Block = block;
        cursor.NextFresh = used;
        cursor.FastLimit = 0;
        cursor.WalkWord = 0;
        cursor.WalkWords = (used + 63) / 64;
        cursor.WalkMask = 0;
        cursor.SearchEpoch = used > 0 ? GlobalEpoch.Now : 0;
    }

    /// <summary>Lets go of a block that has no more slots for now.</summary>
    private void Release(AllocationCursor cursor)
    {
        BlockRef block = cursor.Block;
        if (block.IsNone) return;
        long searched = cursor.SearchEpoch;
        cursor.Clear();
        // A full fence between giving up the block and counting its limbo; partner: RowRemoval.MakeLimbo counts first and then looks at the state,
        // so one of the two sees that the block has to be queued.
        block.ExchangeState(BlockState.Idle);
        // What a search left in limbo was not ready in its epoch.
        if (block.Limbo >= store.QueueAt) store.QueueForReuse(block, Math.Max(searched, block.LimboStamp));
    }

    // What the calling thread can take without another block: the rest of its cursor's block. Others may be taking from it, so it is an estimate.
    private unsafe long FreshSlots()
    {
        // SAFETY: the slot of the calling thread; never freed.
        AllocationCursor cursor = _cursors[ThreadSlots.Current->Index & (_cursors.Length - 1)];
        return cursor.Block.IsNone ? 0 : store.SlotsPerBlock - Volatile.Read(ref cursor.NextFresh);
    }

    [DoesNotReturn]
    private static void ThrowNotInSection() => throw new InvalidOperationException(
        "Rows are allocated, written and published inside one critical section. Enter it before Allocate and leave it after Publish.");
}
