using System.ComponentModel;
using Smc.Memory.Allocation;
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

namespace Smc.Memory;

/// <summary>Hands out places for rows: fresh ones, and those whose rows were removed two epochs ago.</summary>
/// <remarks>
/// Invariants: a block that is owned is the block of one cursor, under whose latch its slots are taken, so a slot has one taker. A slot in limbo is taken two epochs after its stamp (I1), and with
/// its entry, unless that is worn out or packed. What hung on the row that was there is freed before the place is handed out, with no latch held.
/// Locks: the latch of a cursor, then the collection's lock.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowAllocator
{
    private const int MaxCursors = 16;

    private readonly CollectionLife _life;
    private readonly BlockStore _store;
    private readonly EntryTable _entries;
    private readonly RowCleaner _cleaner;
    private readonly ReferrersToRows _referrers;
    private readonly Reclaimer _reclaimer;
    private readonly SlotSearch _slots;
    private readonly CursorBlocks _blocks;
    private AllocationCursor[] _cursors = [new()];

    internal RowAllocator(CollectionLife life, BlockStore store, EntryTable entries, RowCleaner cleaner, SnapshotMarks snapshots, ReferrersToRows referrers, Reclaimer reclaimer)
    {
        _life = life;
        _store = store;
        _entries = entries;
        _cleaner = cleaner;
        _referrers = referrers;
        _reclaimer = reclaimer;
        _slots = new SlotSearch(life, store, entries, cleaner, snapshots, referrers);
        _blocks = new CursorBlocks(store);
    }

    /// <summary>The cursors, of which there are as many as threads that met.</summary>
    internal AllocationCursor[] Cursors => Volatile.Read(ref _cursors);

    private static int CursorCount => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxCursors));

    /// <summary>
    /// Reserves a place for a row, which reads as zero and which nobody sees. It becomes a row with <see cref="RowPublisher.Publish(in RowSlot)"/> or
    /// goes back with <see cref="RowPublisher.Abandon(in RowSlot)"/>.
    /// </summary>
    /// <remarks>The caller stays inside one critical section from here until Publish or Abandon returns.</remarks>
    /// <exception cref="InvalidOperationException">The caller is not inside a critical section.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
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

    /// <summary>Reserves up to <paramref name="wanted"/> neighbouring places, at least one. Otherwise like <see cref="Allocate"/>.</summary>
    /// <inheritdoc cref="Allocate" path="/remarks|/exception"/>
    public unsafe RowRun AllocateRun(int wanted)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(wanted);
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        int first = cursor.NextFresh;
        int count = Math.Min(wanted, cursor.FastLimit - first);
        if (count <= 0)
        {
            RowSlot single = AllocateSlowly(cursor);
            return new RowRun(single.Block, single.Slot, 1, single.Entry);
        }
        BlockRef block = cursor.Block;
        uint firstId = cursor.TakeFresh(block, first, count);
        cursor.Latch.Exit();
        return new RowRun(block, first, count, _entries.Of(firstId));
    }

    /// <summary>Takes a reserved slot back as one that was never used, if it was the last of the calling thread's block.</summary>
    /// <safety>The caller reserved the slot, is inside the section in which it did, and has cleared it.</safety>
    internal unsafe bool TryTakeBack(BlockRef block, int slot)
    {
        AllocationCursor cursor = EnterCursor(ThreadInSection());
        // A slot that direct references may name counts its rows; as a fresh one it would begin anew.
        bool wasLast = !_referrers.IsAny && cursor.Block == block && cursor.NextFresh == slot + 1
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

    /// <summary>Reserves places for rows, block by block from the first slot on. O(rows).</summary>
    /// <remarks>
    /// For many rows at once in a collection that nobody else has yet: all are reserved first, so that they can refer to each other, then filled by any number of threads, then published.
    /// Between reserving and publishing no critical section is held, so that a load from a slow source holds back nobody. It is not needed: what a section protects from
    /// is the removal of rows, compaction and <see cref="RowClearing.TrimExcess"/>, and nobody has the collection. What is left is that the manager is disposed; so every thread
    /// is in a section while it writes, and asks in it whether the collection is there.
    /// </remarks>
    /// <returns>The places in order.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <safety>The collection is new, and the caller is the only one who has it until <see cref="RowPublisher.Publish(in RowRun)"/> has returned for all runs.</safety>
    public IReadOnlyList<RowRun> ReserveRuns(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        List<RowRun> runs = [];
        while (rows > 0)
        {
            using CriticalSection section = CriticalSection.Enter();
            RowRun run = AllocateRun((int)Math.Min(rows, int.MaxValue));
            runs.Add(run);
            rows -= run.Count;
        }
        return runs;
    }

    /// <summary>
    /// Maps the blocks and entries for so many rows more, so that the calling thread can add them without running out of memory for rows
    /// (strings may), unless other threads add too.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; what was mapped until then stays. Or the rows are more than <see cref="MemoryContextOptions.MaxRows"/>.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Reserve(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        // At once, not after minutes of mapping blocks.
        if (rows > _entries.MaxRows) throw new OffHeapMemoryException($"{_life.Name} has at most the {_entries.MaxRows:N0} rows that its MaxRows allows, and room for {rows:N0} is wanted. Set MaxRows higher when it is created.");
        lock (_life.Lock)
        {
            _life.ThrowIfDisposed();
            _store.Reserve(rows, FreshSlots());
        }
    }

    /// <summary>Takes the blocks of all cursors away, for good.</summary>
    internal void Clear()
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
    internal void TakeEmpty(HashSet<BlockRef> taken)
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
    internal bool TryTakeFromOwner(BlockRef block, int state)
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
        int blocks = _store.List.Count;
        try
        {
            while (!_slots.TryTake(cursor, out row, out isReused)) _blocks.Refill(cursor, ref advance);
        }
        finally
        {
            cursor.Latch.Exit();
        }
        ProtocolSteps.Reach(ProtocolStep.SlotTaken);
        if (isReused) _cleaner.Clean(row.Block, row.Slot);
        if (_store.List.Count > blocks) MemoryEventSource.Log.BlockAdded(_life.Name, _store.Layout.BlockBytes, _store.List.Count);
        if (advance) _reclaimer.AdvanceIfDue();
        _reclaimer.OperationDone();
        return row;
    }

    // What the calling thread can take without another block: the rest of its cursor's block. Others may be taking from it, so it is an estimate.
    private unsafe long FreshSlots()
    {
        // SAFETY: the slot of the calling thread; never freed.
        AllocationCursor cursor = _cursors[ThreadSlots.Current->Index & (_cursors.Length - 1)];
        return cursor.Block.IsNone ? 0 : _store.SlotsPerBlock - Volatile.Read(ref cursor.NextFresh);
    }

    [DoesNotReturn]
    private static void ThrowNotInSection() => throw new InvalidOperationException(
        "Rows are allocated, written and published inside one critical section. Enter it before Allocate and leave it after Publish.");
}
