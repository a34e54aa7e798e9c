using System.Collections.Concurrent;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <content>What a compaction changes of the context: which blocks it takes, the list of blocks, and what becomes of them.</content>
public sealed partial class MemoryContext
{
    // One sparse block in so many is worth a compaction in the background.
    private const int SparseShare = 8;

    private const int IdsPerLock = 1024;
    private static readonly TimeSpan s_gateTurn = TimeSpan.FromMilliseconds(5);

    // Targets of groups that were moving when the collection was disposed: in no list, but rows may have been located in them.
    private readonly List<ulong> _unlistedTargets = [];
    private readonly ConcurrentQueue<IFreedBetweenCompactions> _released = new();
    private bool _isCompacting;
    private long _sparseBlocks;
    private BlockList? _disposedBlocks;

    /// <summary>
    /// Moves the rows of sparse blocks together and gives back the blocks that are empty then, while others read, write, add and remove.
    /// See docs/compaction.md.
    /// </summary>
    /// <remarks>
    /// Readers never wait for it, writers while their row is being moved; a scan that arrives while a group of blocks is on the move moves
    /// what is left of it, some 40 ns a row. It waits itself for the critical sections that began before it. O(rows in sparse blocks).
    /// </remarks>
    /// <param name="options">What counts as sparse, and when to give up; the defaults if null.</param>
    /// <param name="cancellationToken">Ends the compaction early; that is no error, see <see cref="CompactionResult.IsComplete"/>.</param>
    /// <returns>What was done. Whatever that is, the collection is whole.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section, which the compaction would wait for.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">There is no memory for one block to move rows to. What was done before stays.</exception>
    public CompactionResult Compact(CompactionOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new CompactionOptions();
        CompactionOptions.Validate(options);
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Compact waits for critical sections to end; it cannot be called inside one.");
        // Rows stay in their slots while a snapshot is open.
        if (IsSnapshotted) return default;
        CompactionPatience patience = new(options.TimeLimit, this, cancellationToken);
        while (!_compaction.TryEnter(s_gateTurn))
        {
            if (patience.IsOver) return default;
        }
        BeginRepairs();
        try
        {
            return CompactAlone(options, patience);
        }
        finally
        {
            _compaction.Exit();
            FinishRepairs(patience);
        }
    }

    /// <summary>True from before the first row is frozen until the last group has moved or was given up.</summary>
    internal bool IsCompacting => Volatile.Read(ref _isCompacting);

    /// <summary>Compacts as the collection's options say.</summary>
    /// <returns>False if it should be tried again.</returns>
    internal bool TryCompactInBackground(TimeSpan patience)
    {
        try
        {
            return Compact(new CompactionOptions { Occupancy = _compactionOccupancy, TimeLimit = patience, IncludeActive = false }).IsComplete;
        }
        catch (OutOfMemoryException)
        {
            // Off the heap or on it.
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    /// <summary>A group has moved: the list gets its target in place of the old blocks, which are freed two epochs later.</summary>
    internal void Complete(CompactionGroup group)
    {
        lock (_lock)
        {
            // Without blocks: Dispose has taken the old ones, and ends their rows wherever these are now. The target is in no list then.
            bool isEmptied = _blocks.Count == 0;
            Volatile.Write(ref _blocks, _blocks.WithMoved(group));
            if (isEmptied)
            {
                _unlistedTargets.Add(group.Target);
                return;
            }
            if (Array.Exists(group.Sources, source => source.Block == _tail)) Volatile.Write(ref _tail, 0);
            Interlocked.Add(ref _leavingBytes, (group.Sources.Length - 1L) * Layout.BlockBytes);
            Readmit(group.Target);
            foreach (CompactionSource source in group.Sources) Retire(new RetiredSource(this, source));
        }
    }

    /// <summary>Groups that do not move after all: their blocks are as before, except that threads that added to them have taken others.</summary>
    internal void GiveUp(CompactionGroup[] groups)
    {
        foreach (CompactionGroup group in groups)
        {
            foreach (CompactionSource source in group.Sources) source.Thaw();
        }
        lock (_lock)
        {
            if (!IsDisposed)
            {
                Volatile.Write(ref _blocks, _blocks.WithGroups([]));
                foreach (CompactionGroup group in groups) ReadmitAll(group.Sources.Select(static source => source.Block));
            }
            foreach (CompactionGroup group in groups) ReturnTakenIds(group);
        }
        foreach (CompactionGroup group in groups) FreeBlock(group.Target);
    }

    /// <summary>A removal left a block sparse: enough of them are worth a compaction.</summary>
    private void NoteSparseBlock()
    {
        if (!AreWorthCompacting(Interlocked.Increment(ref _sparseBlocks))) return;
        // The number of times that a block became sparse; some of them have been filled again or are gone.
        long sparse = CountSparseBlocks();
        Volatile.Write(ref _sparseBlocks, sparse);
        if (AreWorthCompacting(sparse)) BackgroundCompaction.Shared.Request(this);
    }

    private bool AreWorthCompacting(long sparse) => sparse * Layout.BlockBytes >= _backgroundBytes && sparse >= BlocksNow.Count / SparseShare;

    private unsafe long CountSparseBlocks()
    {
        BlockList blocks = BlocksNow;
        long sparse = 0;
        for (int i = 0; i < blocks.Count; i++)
        {
            // SAFETY: the caller is in the critical section in which it removes a row.
            BlockPrefix* prefix = BlockHeader.Prefix(blocks[i]);
            if (Volatile.Read(ref prefix->Limbo) >= _sparseAt && Volatile.Read(ref prefix->State) != BlockState.Compacting) sparse++;
        }
        return sparse;
    }

    /// <summary>Takes ids for slots of a target that its old blocks have none for.</summary>
    /// <exception cref="OffHeapMemoryException">No ids are left, or no memory for their entries.</exception>
    internal void TakeIds(CompactionGroup group, Span<uint> ids)
    {
        lock (_lock)
        {
            foreach (ref uint id in ids)
            {
                id = _ids.TakeSingle();
                group.TakenIds.Add(id);
            }
        }
    }

    /// <summary>Where a target keeps the ids of its slots.</summary>
    internal unsafe Span<uint> SlotIds(ulong block) => new((void*)BlockHeader.BackPointers(block), _slotsPerBlock); // SAFETY: an id per slot.

    /// <summary>Takes a copy back whose row died before it moved.</summary>
    internal unsafe void DropCopy(ulong target, int slot)
    {
        _cleaner.Clear(target, slot);
        // SAFETY: the target is the compaction's; slots around this one may be in use.
        Interlocked.And(ref *((ulong*)BlockHeader.Validity(target) + (slot >> 6)), ~(1UL << (slot & 63)));
        BlockHeader.Directory(target)[slot] = SlotWord.Limbo(GlobalEpoch.Now);
        Interlocked.Increment(ref BlockHeader.Prefix(target)->Limbo);
    }

    private CompactionResult CompactAlone(CompactionOptions options, CompactionPatience patience)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            Volatile.Write(ref _isCompacting, true);
            PackedEntries.IsPinned = true;
        }
        CompactionTally tally = new(Layout.BlockBytes);
        try
        {
            tally.CountEmptyBlocks(FreeEmptyBlocks(includeUnused: false, options.IncludeActive));
            bool goesOn = true;
            while (goesOn && !patience.IsOver && !IsSnapshotted)
            {
                FreeReleased();
                CompactionGroup[] groups = FormGroups(options);
                tally.IsComplete = groups.Length == 0 && !IsDisposed;
                goesOn = groups.Length > 0 && new Compactor(this, groups, options, patience, tally).Run();
            }
            // With the blocks go the strings of the rows that died in them, which leaves holes in the string heap.
            if (!IsSnapshotted && AwaitReleases(patience))
            {
                PackEntries(options, patience);
                tally.IsComplete &= CompactStrings(patience.Cancellation).IsComplete;
                AwaitReleases(patience);
            }
            return tally.Result;
        }
        catch (ObjectDisposedException) when (IsDisposed)
        {
            // Between two looks at the mark.
            tally.IsComplete = false;
            return tally.Result;
        }
        finally
        {
            EndCompaction();
            Reclaimer.AdvanceTwice();
            tally.Report(this, patience.Elapsed);
        }
    }

    /// <summary>Waits until the blocks that left are freed: memory that nobody uses goes back although nobody may advance the epoch any more.</summary>
    /// <returns>False if some reader did not let that happen in time.</returns>
    private bool AwaitReleases(CompactionPatience patience)
    {
        SpinWait spin = default;
        while (Volatile.Read(ref _retired) > 0)
        {
            if (patience.IsOver) return false;
            bool advanced = Reclaimer.TryAdvance();
            Reclaimer.Drain();
            FreeReleased();
            if (advanced) continue;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            spin.SpinOnce();
        }
        return !patience.IsOver;
    }

    private void EndCompaction()
    {
        BlockList? disposed;
        lock (_lock)
        {
            Volatile.Write(ref _isCompacting, false);
            PackedEntries.IsPinned = IsSnapshotted;
            disposed = _disposedBlocks;
        }
        if (disposed is not null) Retire(new RetiredContext(this, disposed));
        // Store, full fence, look at the queue; partner: Release.
        Interlocked.MemoryBarrier();
        FreeReleased();
    }

    /// <summary>Takes sparse blocks, makes a target for each group of them and shows the groups in the list.</summary>
    private CompactionGroup[] FormGroups(CompactionOptions options)
    {
        List<List<ulong>> chosen = ChooseBlocks(options);
        List<CompactionGroup> groups = new(chosen.Count);
        try
        {
            foreach (List<ulong> blocks in chosen) groups.Add(MakeGroup(blocks));
        }
        catch (OutOfMemoryException) when (groups.Count > 0)
        {
            // What these free makes room for the next.
        }
        finally
        {
            lock (_lock)
            {
                if (!IsDisposed)
                {
                    foreach (List<ulong> blocks in chosen.Skip(groups.Count)) ReadmitAll(blocks);
                    Volatile.Write(ref _blocks, _blocks.WithGroups([.. groups]));
                }
            }
        }
        return [.. groups];
    }

    /// <summary>Chooses runs of sparse blocks whose rows fit in one block each and takes them from the allocators.</summary>
    private unsafe List<List<ulong>> ChooseBlocks(CompactionOptions options)
    {
        AllocationCursor[] cursors = options.IncludeActive ? Volatile.Read(ref _cursors) : [];
        foreach (AllocationCursor cursor in cursors) cursor.Latch.Enter();
        try
        {
            lock (_lock)
            {
                List<List<ulong>> groups = SparseRuns(cursors, options);
                HashSet<ulong> taken = [.. groups.SelectMany(static blocks => blocks)];
                _queue.Remove(taken);
                // SAFETY: blocks of the list stay mapped while it is locked. Under the lock alone blocks become owned or queued.
                foreach (ulong block in taken) Interlocked.Exchange(ref BlockHeader.Prefix(block)->State, BlockState.Compacting);
                foreach (AllocationCursor cursor in cursors)
                {
                    if (taken.Contains(cursor.Block)) cursor.Clear();
                }
                return groups;
            }
        }
        finally
        {
            foreach (AllocationCursor cursor in cursors) cursor.Latch.Exit();
        }
    }

    // In the order of the list, so that rows that were neighbours stay together and zone maps stay narrow.
    private List<List<ulong>> SparseRuns(AllocationCursor[] cursors, CompactionOptions options)
    {
        List<List<ulong>> runs = [];
        if (IsDisposed) return runs;
        List<ulong> run = [];
        int rows = 0;
        for (int i = 0; i < _blocks.Count && runs.Count < options.MaxGroups; i++)
        {
            ulong block = _blocks[i];
            if (!IsAvailable(block, cursors)) continue;
            int more = RowsOrReserved(block);
            if (more == 0 || more > options.Occupancy * _slotsPerBlock) continue;
            if (rows + more > _slotsPerBlock)
            {
                // One block alone would only change its place.
                if (run.Count > 1) runs.Add(run);
                run = [];
                rows = 0;
            }
            run.Add(block);
            rows += more;
        }
        if (run.Count > 1 && runs.Count < options.MaxGroups) runs.Add(run);
        return runs;
    }

    private static unsafe bool IsAvailable(ulong block, AllocationCursor[] cursors)
    {
        // SAFETY: as in ChooseBlocks.
        int state = Volatile.Read(ref BlockHeader.Prefix(block)->State);
        return state is BlockState.Idle or BlockState.Queued
            || state == BlockState.Owned && Array.Exists(cursors, cursor => cursor.Block == block);
    }

    private static unsafe int RowsOrReserved(ulong block)
    {
        // SAFETY: as in ChooseBlocks.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        return Volatile.Read(ref prefix->HighWater) - Volatile.Read(ref prefix->Limbo);
    }

    private CompactionGroup MakeGroup(List<ulong> blocks)
    {
        ulong target = _manager.Arenas.Take(Layout.BlockBytes, UsesHugePages(BlocksNow));
        Interlocked.Add(ref _leavingBytes, Layout.BlockBytes);
        try
        {
            InitializeTarget(target);
            return new CompactionGroup([.. blocks.Select(block => new CompactionSource(block, _slotsPerBlock, this))], target, new RowMover(this, target));
        }
        catch
        {
            FreeBlock(target);
            throw;
        }
    }

    private unsafe void InitializeTarget(ulong target)
    {
        BlockInitializer.Initialize(target, Layout, _slotsPerBlock, _range.Base);
        // SAFETY: the block was just taken, and nobody else sees it.
        BlockPrefix* prefix = BlockHeader.Prefix(target);
        prefix->HasListedIds = prefix->HasUsedIds = true;
        prefix->State = BlockState.Compacting;
    }

    private void FreeBlock(ulong target)
    {
        _manager.Arenas.Return(target, Layout.BlockBytes);
        Interlocked.Add(ref _leavingBytes, -Layout.BlockBytes);
    }

    private void ReturnTakenIds(CompactionGroup group)
    {
        foreach (uint id in group.TakenIds) _ids.ReturnSingle(id);
    }

    private unsafe void ReadmitAll(IEnumerable<ulong> blocks)
    {
        // A write may have given a block a successor for a snapshot; what a compaction has taken stays mapped until its end.
        foreach (ulong block in blocks)
        {
            ulong newest = NewestOf(block);
            // SAFETY: as above. Who is copying it at this moment gives the copy to the allocators.
            BlockPrefix* prefix = BlockHeader.Prefix(newest);
            if (Volatile.Read(ref prefix->State) == BlockState.Superseded) Volatile.Write(ref prefix->State, BlockState.SupersededAndGivenUp);
            else Readmit(newest);
        }
    }

    /// <summary>Gives a block back to the allocators. Under the context's lock.</summary>
    private unsafe void Readmit(ulong block)
    {
        // SAFETY: the block is the compaction's until now.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // Full fence; partner: MakeLimbo, as in ReleaseBlock.
        Interlocked.Exchange(ref prefix->State, BlockState.Idle);
        bool hasFresh = prefix->HighWater < prefix->Slots;
        if (!hasFresh && Volatile.Read(ref prefix->Limbo) < _queueAt) return;
        Volatile.Write(ref prefix->State, BlockState.Queued);
        _queue.Add(block, hasFresh ? GlobalEpoch.Now - Epoch.Grace : prefix->LimboStamp);
    }

    /// <summary>
    /// No reader can have some memory any more. Freeing a block takes half a millisecond, which the compacting thread has; the thread that moved
    /// the epoch on, and is here, may be a user's.
    /// </summary>
    private void Release(IFreedBetweenCompactions memory)
    {
        _released.Enqueue(memory);
        Interlocked.MemoryBarrier();
        if (!IsCompacting) FreeReleased();
    }

    private void FreeReleased()
    {
        while (_released.TryDequeue(out IFreedBetweenCompactions? memory))
        {
            try
            {
                memory.Free();
            }
            finally
            {
                // What could not be freed leaks; those who wait for the others must not wait for it.
                Interlocked.Decrement(ref _retired);
            }
        }
    }

    private void Free(CompactionSource source)
    {
        if (_cleaner.HasChunks) source.FreeChunks(_cleaner);
        // In pieces, because threads that need a block wait for the lock.
        for (int slot = 0; slot < _slotsPerBlock; slot += IdsPerLock)
        {
            lock (_lock) source.ReturnIds(_ids, slot, Math.Min(slot + IdsPerLock, _slotsPerBlock));
        }
        FreeBlock(source.Block);
        MemoryEventSource.Log.BlocksFreed(Name, 1, Layout.BlockBytes);
    }

    /// <summary>Memory that no reader can have any more, and that the compacting thread frees if one is at work.</summary>
    private interface IFreedBetweenCompactions
    {
        void Free();
    }

    /// <summary>An old block of a group.</summary>
    private sealed class RetiredSource(MemoryContext context, CompactionSource source) : RetiredMemory, IFreedBetweenCompactions
    {
        public override IEnumerable<ulong> Blocks => [source.Block];

        public override bool ReleaseSome(ref int pieces)
        {
            if (!context.AwaitsRepair(this)) context.Release(this);
            pieces--;
            return true;
        }

        public void Free() => context.Free(source);
    }
}
