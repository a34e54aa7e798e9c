using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>Blocks and the whole context coming and going.</content>
public sealed partial class MemoryContext
{
    /// <summary>
    /// Maps the blocks and entries for so many rows more, so that the calling thread can add them without running out of memory for rows
    /// (strings may), unless other threads add too.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; what was mapped until then stays.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Reserve(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            for (long reserved = FreshSlots(); reserved < rows; reserved += _slotsPerBlock) _unused.Enqueue(AddBlock());
        }
    }

    // What the calling thread can take without another block: the rest of its cursor's block and the blocks that nobody uses. Others may
    // be taking from the same, so the rest is an estimate.
    private unsafe long FreshSlots()
    {
        // SAFETY: the slot of the calling thread; never freed.
        AllocationCursor cursor = _cursors[ThreadSlots.Current->Index & (_cursors.Length - 1)];
        long rest = Volatile.Read(ref cursor.Block) == 0 ? 0 : _slotsPerBlock - Volatile.Read(ref cursor.NextFresh);
        return rest + (long)_unused.Count * _slotsPerBlock;
    }

    /// <summary>Gives blocks without rows back, two epochs later.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void TrimExcess()
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (FreeEmptyBlocks(includeUnused: true, includeActive: true) > 0) Reclaimer.AdvanceTwice();
    }

    /// <summary>Retires blocks without rows.</summary>
    /// <param name="includeUnused">True for blocks also that were reserved and not used yet.</param>
    /// <param name="includeActive">True for blocks also that threads are adding to.</param>
    /// <returns>How many.</returns>
    private int FreeEmptyBlocks(bool includeUnused, bool includeActive)
    {
        using CriticalSection section = CriticalSection.Enter();
        using WriteWindow window = WriteWindow.Enter();
        if (IsSnapshotted)
        {
            // Blocks of a snapshot's list stay.
            Volatile.Write(ref _trimsLater, true);
            return 0;
        }
        HashSet<ulong> leaving = [];
        if (includeActive)
        {
            foreach (AllocationCursor cursor in Volatile.Read(ref _cursors)) TakeEmptyFrom(cursor, leaving);
        }
        lock (_lock)
        {
            if (IsDisposed) return 0;
            TakeEmptyFromList(leaving, includeUnused);
            if (leaving.Count == 0) return 0;
            _queue.Remove(leaving);
            if (leaving.Contains(_tail)) Volatile.Write(ref _tail, 0);
            Volatile.Write(ref _blocks, _blocks.Without(leaving));
            Interlocked.Add(ref _leavingBytes, (long)leaving.Count * Layout.BlockBytes);
            Retire(new RetiredBlocks(this, leaving));
            return leaving.Count;
        }
    }

    /// <summary>
    /// Ends the collection: its rows are dead from here on. Does not wait for readers; the memory goes back when the last of them that is
    /// inside a critical section now has left it and the epoch has moved on twice.
    /// </summary>
    public void Dispose()
    {
        // Full fence between the mark and the look at the rows; partner: Publish.
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        ProtocolSteps.Reach(ProtocolStep.DisposeMarked);
        foreach (AllocationCursor cursor in Volatile.Read(ref _cursors))
        {
            cursor.Latch.Enter();
            cursor.Clear();
            cursor.Latch.Exit();
        }
        BlockList blocks;
        lock (_lock)
        {
            blocks = _blocks;
            Volatile.Write(ref _tail, 0);
            Volatile.Write(ref _blocks, blocks.WithoutAll());
            Interlocked.Add(ref _leavingBytes, (long)blocks.Count * Layout.BlockBytes);
            _queue.Clear();
            _unused.Clear();
            // The end of the collection ends its part of every snapshot.
            foreach (BlockVersion version in _versions)
            {
                Interlocked.Add(ref _versionBytes, -Layout.BlockBytes);
                Interlocked.Add(ref _leavingBytes, Layout.BlockBytes);
                Retire(new RetiredVersion(this, version.Block));
            }
            _versions.Clear();
            while (_spares.TryTake(out ulong spare, out _)) ReturnSpare(spare);
        }
        using (CriticalSection.Enter())
        {
            for (int i = 0; i < blocks.Count; i++) EndRowsOf(blocks[i], keepSlots: false);
            EndRetiredRows(keepSlots: false);
        }
        RangeRegistry.Unregister(_range);
        lock (_lock)
        {
            // A compaction that is at work on the blocks retires them when it ends, which it does at once.
            _disposedBlocks = blocks;
            if (_isCompacting) return;
        }
        Retire(new RetiredContext(this, blocks));
        Reclaimer.AdvanceTwice();
    }

    /// <summary>True if no slot holds a row or is reserved for one.</summary>
    private static unsafe bool IsEmpty(ulong block)
    {
        // SAFETY: the caller keeps the block mapped.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        return Volatile.Read(ref prefix->Limbo) == Volatile.Read(ref prefix->HighWater);
    }

    private static unsafe void TakeEmptyFrom(AllocationCursor cursor, HashSet<ulong> leaving)
    {
        cursor.Latch.Enter();
        if (cursor.Block != 0 && IsEmpty(cursor.Block))
        {
            // SAFETY: the cursor owns the block, so nobody else takes slots of it.
            Volatile.Write(ref BlockHeader.Prefix(cursor.Block)->State, BlockState.Leaving);
            leaving.Add(cursor.Block);
            cursor.Clear();
        }
        cursor.Latch.Exit();
    }

    // Under the context's lock, under which alone blocks become owned.
    private unsafe void TakeEmptyFromList(HashSet<ulong> leaving, bool includeUnused)
    {
        for (int i = 0; i < _blocks.Count; i++)
        {
            ulong block = _blocks[i];
            // SAFETY: blocks of the list stay mapped until the caller's section ends.
            BlockPrefix* prefix = BlockHeader.Prefix(block);
            int state = Volatile.Read(ref prefix->State);
            if (state is not (BlockState.Idle or BlockState.Queued) || !IsEmpty(block)) continue;
            if (!includeUnused && BlockHeader.SlotCount(block) == 0) continue;
            // Without an owner no slot can be taken, so the block stays empty. A removal may queue it meanwhile, hence the exchange.
            Interlocked.Exchange(ref prefix->State, BlockState.Leaving);
            leaving.Add(block);
        }
        int unused = _unused.Count;
        for (int i = 0; i < unused; i++)
        {
            ulong block = _unused.Dequeue();
            if (!leaving.Contains(block)) _unused.Enqueue(block);
        }
    }

    // Runs two epochs after the block left the list, before Free. A slot with strings is one piece.
    private unsafe bool TryFreeChunks(ulong block, ref int slot, ref int pieces)
    {
        if (!_cleaner.HasChunks) return true;
        // SAFETY: no reader can have the block, and it is mapped until Free.
        int end = BlockHeader.Prefix(block)->HighWater;
        for (; slot < end && pieces > 0; slot++, pieces--) _cleaner.FreeChunks(block, slot);
        return slot == end;
    }

    // Runs two epochs after the block left the list, when its strings are freed.
    private unsafe void Free(ulong block)
    {
        // SAFETY: no reader can have the block, and it is mapped until Return.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        lock (_lock)
        {
            if (prefix->HasListedIds) ReturnListedIds(block);
            else _ids.ReturnRun(prefix->FirstId);
            if (prefix->HasReplacedIds && !prefix->HasListedIds) ReturnReplacedIds(block, prefix);
        }
        FreeBlock(block);
    }

    private void ReturnListedIds(ulong block)
    {
        foreach (uint id in SlotIds(block)) _ids.ReturnSingle(id);
    }

    private unsafe void ReturnReplacedIds(ulong block, BlockPrefix* prefix)
    {
        // SAFETY: as in Free.
        for (int slot = 0; slot < prefix->HighWater; slot++)
        {
            uint id = BlockHeader.DenseIdAt(block, slot);
            if (id != prefix->FirstId + (uint)slot) _ids.ReturnSingle(id);
        }
    }

    // Runs two epochs after Dispose, when the blocks are freed.
    private void FreeTheRest()
    {
        foreach (ulong target in _unlistedTargets) FreeBlock(target);
        foreach (RowIndex index in Volatile.Read(ref _indexesWithMemory)) index.Release();
        Strings.Release();
        PackedEntries.Release();
        long entries = PackedEntries.MappedBytes;
        _range.Vacate((uint)Volatile.Read(ref _highestIncarnation));
        _manager.Budget.Release(entries);
        RangeRegistry.Return(_range);
        _manager.Remove(this);
    }

    private void Retire(RetiredParts item)
    {
        Interlocked.Increment(ref _retired);
        if (Mutants.SourceFreedAfterOneEpoch && item is RetiredSource) Reclaimer.Retire(item, GlobalEpoch.Now - 1);
        else if (Mutants.RepairWithoutGrace && IsDirectTarget && item is RetiredSource) Reclaimer.Retire(item, GlobalEpoch.Now - Epoch.Grace);
        else if (Mutants.SnapshotFreesNow && item is RetiredVersion) Reclaimer.Retire(item, GlobalEpoch.Now - Epoch.Grace);
        else Reclaimer.Retire(item);
    }

    /// <summary>Blocks without rows. A block is one piece, and so is each of its slots if they have strings.</summary>
    private sealed class RetiredBlocks(MemoryContext context, HashSet<ulong> blocks) : RetiredMemory
    {
        private readonly Queue<ulong> _left = new(blocks);
        private int _slot;

        public override IEnumerable<ulong> Blocks => blocks;

        public override bool ReleaseSome(ref int pieces)
        {
            bool hasBegun = _left.Count < blocks.Count || _slot > 0;
            if (!hasBegun && context.AwaitsRepair(this)) return true;
            bool isDone = true;
            try
            {
                isDone = TryFree(ref pieces);
            }
            finally
            {
                if (isDone) Interlocked.Decrement(ref context._retired);
            }
            if (isDone) MemoryEventSource.Log.BlocksFreed(context.Name, blocks.Count, (long)blocks.Count * context.Layout.BlockBytes);
            return isDone;
        }

        private bool TryFree(ref int pieces)
        {
            for (; _left.TryPeek(out ulong block); _slot = 0, pieces--)
            {
                if (pieces <= 0 || !context.TryFreeChunks(block, ref _slot, ref pieces)) return false;
                context.Free(block);
                _left.Dequeue();
            }
            context.Strings.TrimExcess();
            return true;
        }
    }

    /// <summary>The memory of a disposed collection. A block is one piece.</summary>
    private sealed class RetiredContext(MemoryContext context, BlockList blocks) : RetiredMemory
    {
        private int _freed;

        public override IEnumerable<ulong> Blocks => [.. Enumerable.Range(0, blocks.Count).Select(i => blocks[i]), .. context._unlistedTargets];

        public override bool ReleaseSome(ref int pieces)
        {
            if (_freed == 0)
            {
                // Blocks that left before are freed first, whatever the order of the policy: they need entries and strings.
                if (Volatile.Read(ref context._retired) > 1 || Volatile.Read(ref context._unrepaired) > 0)
                {
                    context.Reclaimer.Retire(this);
                    return true;
                }
                if (context.AwaitsRepair(this)) return true;
            }
            for (; _freed < blocks.Count; _freed++, pieces--)
            {
                if (pieces <= 0) return false;
                context.FreeBlock(blocks[_freed]);
            }
            context.FreeTheRest();
            pieces--;
            MemoryEventSource.Log.BlocksFreed(context.Name, blocks.Count, (long)blocks.Count * context.Layout.BlockBytes);
            return true;
        }
    }
}
