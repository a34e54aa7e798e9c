using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Compaction;

/// <summary>Which blocks of a collection a compaction takes, what the list of blocks shows of them, and what becomes of them.</summary>
/// <remarks>
/// Invariants: a block that a compaction has is no cursor's and in no queue, until its group has moved or is given up. The list shows a group before its first row is frozen. A target is in the list only
/// from when all its rows have moved; of a collection that was disposed meanwhile it is in no list, and <see cref="UnlistedTargets"/> has it until the end.
/// </remarks>
internal sealed class GroupFormation(
    CollectionLife life, BlockStore store, EntryTable entries, RowAllocator allocator, RowCleaner cleaner, Departures departures, ReferrersToRows referrers, SnapshotMarks snapshots, CompactionGate gate, RetiredRows retired)
{
    private const int IdsPerLock = 1024;

    /// <summary>Targets of groups that were moving when the collection was disposed: in no list, but rows may have been located in them.</summary>
    public List<BlockRef> UnlistedTargets { get; } = [];

    public BlockLayout Layout => store.Layout;

    public EntryTable Entries => entries;

    public RetiredRows Retired => retired;

    /// <summary>True while rows must stay in their slots.</summary>
    public bool IsSnapshotted => snapshots.IsSnapshotted;

    /// <summary>Scans that hold lists from before their section.</summary>
    public int RenewingScans => gate.RenewingScans;

    /// <summary>Takes sparse blocks, makes a target for each group of them and shows the groups in the list.</summary>
    public CompactionGroup[] Form(CompactionOptions options)
    {
        List<List<BlockRef>> chosen = ChooseBlocks(options);
        List<CompactionGroup> groups = new(chosen.Count);
        try
        {
            foreach (List<BlockRef> blocks in chosen) groups.Add(MakeGroup(blocks));
        }
        catch (OutOfMemoryException) when (groups.Count > 0)
        {
            // What these free makes room for the next.
        }
        finally
        {
            lock (life.Lock)
            {
                if (!life.IsDisposed)
                {
                    foreach (List<BlockRef> blocks in chosen.Skip(groups.Count)) ReadmitAll(blocks);
                    store.List = store.List.WithGroups([.. groups]);
                }
            }
        }
        return [.. groups];
    }

    /// <summary>A group has moved: the list gets its target in place of the old blocks, which are freed two epochs later.</summary>
    public void Complete(CompactionGroup group)
    {
        lock (life.Lock)
        {
            // Without blocks: Dispose has taken the old ones, and ends their rows wherever these are now. The target is in no list then.
            bool isEmptied = store.List.Count == 0;
            store.List = store.List.WithMoved(group);
            if (isEmptied)
            {
                UnlistedTargets.Add(group.Target);
                return;
            }
            store.ForgetTail([.. group.Sources.Select(static source => source.Block)]);
            departures.AddBytes((group.Sources.Length - 1L) * Layout.BlockBytes);
            store.Readmit(group.Target);
            foreach (CompactionSource source in group.Sources) departures.Retire(new RetiredSource(this, referrers, departures, source));
        }
    }

    /// <summary>Groups that do not move after all: their blocks are as before, except that threads that added to them have taken others.</summary>
    public void GiveUp(CompactionGroup[] groups)
    {
        foreach (CompactionGroup group in groups)
        {
            foreach (CompactionSource source in group.Sources) source.Thaw();
        }
        lock (life.Lock)
        {
            if (!life.IsDisposed)
            {
                store.List = store.List.WithGroups([]);
                foreach (CompactionGroup group in groups) ReadmitAll(group.Sources.Select(static source => source.Block));
            }
            foreach (CompactionGroup group in groups)
            {
                foreach (uint id in group.TakenIds) entries.Ids.ReturnSingle(id);
            }
        }
        foreach (CompactionGroup group in groups) store.Free(group.Target);
    }

    /// <summary>Where the slots of a target that have no row keep their ids.</summary>
    public Span<uint> FreeIdsOf(CompactionGroup group) => group.Target.SlotIds(store.SlotsPerBlock)[group.Copies..];

    /// <summary>Takes ids for slots of a target that its old blocks have none for.</summary>
    /// <exception cref="OffHeapMemoryException">No ids are left, or no memory for their entries.</exception>
    public void TakeIds(CompactionGroup group, Span<uint> ids)
    {
        lock (life.Lock)
        {
            foreach (ref uint id in ids)
            {
                id = entries.Ids.TakeSingle();
                group.TakenIds.Add(id);
            }
        }
    }

    /// <summary>Chooses runs of sparse blocks whose rows fit in one block each and takes them from the allocators.</summary>
    private List<List<BlockRef>> ChooseBlocks(CompactionOptions options)
    {
        AllocationCursor[] cursors = options.IncludeActive ? allocator.Cursors : [];
        foreach (AllocationCursor cursor in cursors) cursor.Latch.Enter();
        try
        {
            lock (life.Lock)
            {
                List<List<BlockRef>> groups = SparseRuns(cursors, options);
                HashSet<BlockRef> taken = [.. groups.SelectMany(static blocks => blocks)];
                store.Unqueue(taken);
                // Under the lock alone blocks become owned or queued.
                foreach (BlockRef block in taken) block.ExchangeState(BlockState.Compacting);
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
    private List<List<BlockRef>> SparseRuns(AllocationCursor[] cursors, CompactionOptions options)
    {
        List<List<BlockRef>> runs = [];
        if (life.IsDisposed) return runs;
        List<BlockRef> run = [];
        int rows = 0;
        BlockList list = store.List;
        for (int i = 0; i < list.Count && runs.Count < options.MaxGroups; i++)
        {
            BlockRef block = list[i];
            if (!IsAvailable(block, cursors)) continue;
            int more = RowsOrReserved(block);
            if (more == 0 || more > options.Occupancy * store.SlotsPerBlock) continue;
            if (rows + more > store.SlotsPerBlock)
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

    private static bool IsAvailable(BlockRef block, AllocationCursor[] cursors)
    {
        int state = block.State;
        return state is BlockState.Idle or BlockState.Queued
            || state == BlockState.Owned && Array.Exists(cursors, cursor => cursor.Block == block);
    }

    private static int RowsOrReserved(BlockRef block) => block.SlotCount - block.Limbo;

    private CompactionGroup MakeGroup(List<BlockRef> blocks)
    {
        BlockRef target = store.Map();
        departures.AddBytes(Layout.BlockBytes);
        try
        {
            InitializeTarget(target);
            return new CompactionGroup(
                [.. blocks.Select(block => new CompactionSource(block, store.SlotsPerBlock, entries.Packed, retired))], target, new RowMover(Layout, entries, retired, cleaner, target));
        }
        catch
        {
            store.Free(target);
            throw;
        }
    }

    private void InitializeTarget(BlockRef target)
    {
        store.Initialize(target);
        target.Header.HasListedIds = target.Header.HasUsedIds = true;
        target.SetState(BlockState.Compacting);
    }

    // Under the collection's lock.
    private void ReadmitAll(IEnumerable<BlockRef> blocks)
    {
        // A write may have given a block a successor for a snapshot; what a compaction has taken stays mapped until its end.
        foreach (BlockRef block in blocks)
        {
            BlockRef newest = BlockVersions.WithoutSuccessor(block);
            // Who is copying it at this moment gives the copy to the allocators.
            if (newest.State == BlockState.Superseded) newest.SetState(BlockState.SupersededAndGivenUp);
            else store.Readmit(newest);
        }
    }

    private void Free(CompactionSource source)
    {
        if (cleaner.HasChunks) source.FreeChunks(cleaner);
        // In pieces, because threads that need a block wait for the lock.
        for (int slot = 0; slot < store.SlotsPerBlock; slot += IdsPerLock)
        {
            lock (life.Lock) source.ReturnIds(entries.Ids, slot, Math.Min(slot + IdsPerLock, store.SlotsPerBlock));
        }
        store.Free(source.Block);
        MemoryEventSource.Log.BlocksFreed(life.Name, 1, Layout.BlockBytes);
    }

    /// <summary>An old block of a group.</summary>
    private sealed class RetiredSource(GroupFormation groups, ReferrersToRows referrers, Departures departures, CompactionSource source) : RetiredMemory, IFreedBetweenCompactions
    {
        public override IEnumerable<BlockRef> Blocks => [source.Block];

        public override bool ReleaseSome(ref int pieces)
        {
            if (!referrers.Await(this)) departures.Release(this);
            pieces--;
            return true;
        }

        public void Free() => groups.Free(source);
    }
}
