using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;

namespace Smc.Memory.Snapshots;

/// <summary>What snapshots keep of the blocks of a collection, and how writers leave it to them. docs/snapshots.md; docs/models/snapshot.pml.</summary>
/// <remarks>
/// The first write to a block after the moment of a snapshot gives the block a successor: the same rows in the same slots with the same ids. Entries and
/// the list go over to it, and the old version never changes again.
/// Invariants: S1, a version that an open snapshot needs is never written, moved or freed; S3, every write goes to a version without successor; S4, from the
/// first snapshot until <see cref="End"/> no row changes its slot, and no id its block.
/// The collection is what snapshots know it by; nothing is called on it.
/// </remarks>
internal sealed class BlockVersions(
    MemoryContext collection, CollectionLife life, BlockStore store, EntryTable entries, RowAllocator allocator, RetiredRows retired, SnapshotMarks marks, Departures departures, ReferrersToRows referrers, StringHeap strings)
{
    private readonly List<BlockVersion> _versions = [];
    private readonly HashSet<BlockRef> _inTransit = [];
    private readonly SpareBlocks _spares = new(life, store, marks);
    private readonly BlockSuccession _succession = new(life, store, entries, allocator, retired);
    private RowCopier? _rowCopier;

    /// <summary>Bytes that snapshots keep: superseded blocks, blocks in reserve for the next, held chunks.</summary>
    public long Bytes => _spares.Bytes + strings.HeldBytes;

    public BlockLayout Layout => store.Layout;

    /// <summary>Sees to it that a block may be written until the caller's window ends: if a snapshot needs it as it is, it gets a successor, to which its rows' entries lead.</summary>
    /// <remarks>A location found before may be that of the old version. O(1), or the copy of a block (some 100 µs).</remarks>
    /// <safety>The caller is inside a <see cref="WriteWindow"/>, and inside the critical section in which it got the block.</safety>
    public void Prepare(BlockRef block)
    {
        // Nobody copies a block that is as young as the youngest snapshot there was since writers look.
        if (!marks.IsSnapshotted || block.Born >= marks.Highest) return;
        block.Header.VersionLatch.Enter();
        try
        {
            // Lost or released meanwhile: whoever copies holds the latch, so writing in place is right if nobody needs the block.
            if (block.Next.IsNone && block.Born < marks.Newest) Supersede(block);
        }
        finally
        {
            block.Header.VersionLatch.Exit();
        }
    }

    /// <summary>As <see cref="Prepare"/>, for the block of a handle's row, of whatever collection.</summary>
    /// <safety>As <see cref="Prepare"/>.</safety>
    public static void PrepareRow(ulong handle)
    {
        if ((uint)EntryRef.Of(handle).Current(out EntryRef entry) != Handle.Incarnation(handle)) return;
        BlockRef block = entry.Location.Block;
        block.Context?.Versions.Prepare(block);
    }

    /// <summary>The version of a block that may be written.</summary>
    /// <safety>As <see cref="Prepare"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockRef Newest(BlockRef block) => MustPrepare(block) ? PrepareNewest(block) : block;

    /// <summary>The place of a reserved slot in the version of its block that may be written; if the block got a successor since, the row is copied there.</summary>
    /// <safety>As <see cref="Prepare"/>; the caller reserved the slot in its critical section, and has written the row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RowSlot Newest(in RowSlot row) => MustPrepare(row.Block) ? PreparePlace(row) : row;

    /// <summary>The version of a block that has no successor.</summary>
    /// <safety>The caller has been in one critical section since the block was current, or is the compaction that took it.</safety>
    public static BlockRef WithoutSuccessor(BlockRef block)
    {
        // Versions that came after are freed two epochs after they left the chain.
        while (block.Next is { IsNone: false } next) block = next;
        return block;
    }

    /// <summary>Whether a block is one of the collection, current or a version that some entry may still name.</summary>
    public bool Has(BlockRef block)
    {
        if (store.List.IndexOf(block) >= 0) return true;
        lock (life.Lock) return _versions.Exists(version => version.Block == block);
    }

    /// <summary>A snapshot of this collection was drawn. No window is open.</summary>
    public void Begin(long number)
    {
        lock (life.Lock)
        {
            marks.Begin(number);
            entries.Packed.IsPinned = true;
            strings.IsHolding = true;
            marks.IsSnapshotted = true;
        }
    }

    /// <summary>Snapshots have ended; these are still open.</summary>
    public void SetOpen(long[] numbers)
    {
        lock (life.Lock) marks.Open = numbers;
    }

    /// <summary>Frees the versions and chunks that no open snapshot needs.</summary>
    public void Collect()
    {
        // A snapshot that is being drawn has this number already, and may not be among the marks yet. Its texts would not be freed, but retired and kept again (StringHeap.Free).
        long drawn = SnapshotState.Clock;
        ReleaseStrings(Math.Min(drawn, CollectVersions()));
    }

    /// <summary>The last snapshot has ended, and no window is open in which a thread still copies for one. <see cref="ReleaseStrings"/> and <see cref="ReleaseSpares"/> come next, without the lock of the list.</summary>
    /// <param name="gate">Tells whether entries have to stay for a compaction.</param>
    public void End(CompactionGate gate)
    {
        CollectVersions();
        lock (life.Lock)
        {
            if (!gate.IsCompacting) entries.Packed.IsPinned = false;
            strings.IsHolding = false;
            marks.IsSnapshotted = false;
        }
    }

    /// <summary>Frees the chunks that no snapshot from <paramref name="oldest"/> on can read. May advance the epoch: not under a lock.</summary>
    public void ReleaseStrings(long oldest)
    {
        // In a section in which the collection was seen to be there: its chunks are mapped until the section ends. Those of a disposed one go with its memory.
        using CriticalSection section = CriticalSection.Enter();
        if (!life.IsDisposed) strings.ReleaseHeld(oldest);
    }

    /// <summary>Gives the blocks that were ready for copies back to the system, while no snapshot is open. It takes long: not under a lock.</summary>
    public void ReleaseSpares() => _spares.ReturnUnused();

    /// <summary>The end of the collection ends its part of every snapshot. Under the collection's lock.</summary>
    public void Clear()
    {
        foreach (BlockVersion version in _versions) departures.Retire(Leave(version.Block));
        _versions.Clear();
        _spares.ReturnAll();
    }

    /// <summary>Has a thread of the pool make blocks ready for the first writes: to copy into fresh pages takes fifty times as long.</summary>
    public void TouchSpares()
    {
        _spares.TouchLater(Math.Min(2 * allocator.Cursors.Length, store.List.Count));
    }

    /// <summary>Frees the versions that no open snapshot needs.</summary>
    /// <returns>The oldest open snapshot.</returns>
    private long CollectVersions()
    {
        List<RetiredVersion> retired = [];
        long oldest;
        lock (life.Lock)
        {
            oldest = marks.Oldest;
            for (int i = life.IsDisposed ? -1 : _versions.Count - 1; i >= 0; i--)
            {
                BlockVersion version = _versions[i];
                if (version.IsNeededBy(marks.Open) || _inTransit.Contains(version.Block)) continue;
                // Versions and blocks of the list are mapped; what left the chain before is not in it.
                BlockRef next = version.Block.Next, older = version.Block.Older;
                next.SetOlder(older);
                if (!older.IsNone) older.SetNext(next);
                _versions.RemoveAt(i);
                retired.Add(Leave(version.Block));
            }
        }
        foreach (RetiredVersion version in retired) departures.Retire(version);
        return oldest;
    }

    /// <summary>Whether a snapshot is open, or the block has been left to one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool MustPrepare(BlockRef block) => SnapshotState.IsSlow || !block.Next.IsNone;

    private BlockRef PrepareNewest(BlockRef block)
    {
        block = WithoutSuccessor(block);
        if (!SnapshotState.IsSlow) return block;
        Prepare(block);
        return WithoutSuccessor(block);
    }

    private RowSlot PreparePlace(in RowSlot row)
    {
        BlockRef block = PrepareNewest(row.Block);
        if (block == row.Block) return row;
        (_rowCopier ??= new RowCopier(Layout)).CopyRow(row.Block, row.Slot, block, row.Slot);
        ColumnSummaries.Note(Layout, block, row.Slot);
        return new RowSlot(block, row.Slot, row.Entry);
    }

    private void Supersede(BlockRef block)
    {
        while (OpenSnapshots.IsOverLimit(collection, Layout.BlockBytes) && OpenSnapshots.TryLoseOldest(collection))
        {
        }
        BlockRef copy = default;
        bool isZeroed = false;
        while (block.Born < marks.Newest)
        {
            try
            {
                copy = _spares.Take(out isZeroed);
                break;
            }
            catch (OutOfMemoryException)
            {
                // A writer is never refused because of a reader.
                if (!OpenSnapshots.TryLoseOldest(collection)) return;
            }
        }
        if (copy.IsNone) return;
        bool isCompacted = _succession.Detach(block);
        _succession.Copy(block, copy, isZeroed);
        ProtocolSteps.Reach(ProtocolStep.VersionCopied);
        lock (life.Lock)
        {
            if (life.IsDisposed)
            {
                // The end of the collection ends its part of every snapshot.
                _spares.Return(copy);
                return;
            }
            // The list first: who has written to the copy finds it there.
            store.Succeed(block, copy);
            _inTransit.Add(block);
            _versions.Add(new BlockVersion(block, block.Born, SnapshotState.Clock));
            block.SetNext(copy);
        }
        ProtocolSteps.Reach(ProtocolStep.VersionListed);
        _succession.SwingEntries(block, copy);
        lock (life.Lock)
        {
            _inTransit.Remove(block);
            bool isFree = !isCompacted || block.State == BlockState.SupersededAndGivenUp;
            if (isFree && !life.IsDisposed) store.Readmit(copy);
        }
        OpenSnapshots.Charge(collection, Layout.BlockBytes);
        SnapshotMeter.CountCopy(Layout.BlockBytes);
    }

    private RetiredVersion Leave(BlockRef block)
    {
        _spares.CountLeft();
        departures.AddBytes(Layout.BlockBytes);
        return new RetiredVersion(this, referrers, departures, block);
    }

    // No reader can have the version any more.
    private void Free(BlockRef block)
    {
        if (_spares.TryKeep(block)) departures.AddBytes(-Layout.BlockBytes);
        else store.Free(block);
    }

    /// <summary>A version that no snapshot needs. Its strings and ids are those of the block that superseded it.</summary>
    private sealed class RetiredVersion(BlockVersions versions, ReferrersToRows referrers, Departures departures, BlockRef block) : RetiredMemory, IFreedBetweenCompactions
    {
        public override IEnumerable<BlockRef> Blocks => [block];

        public override bool ReleaseSome(ref int pieces)
        {
            if (!referrers.Await(this)) departures.Release(this);
            pieces--;
            return true;
        }

        public void Free() => versions.Free(block);
    }
}
