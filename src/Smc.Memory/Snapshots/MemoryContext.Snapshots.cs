using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>What snapshots keep of a collection, and how writers leave it to them. docs/snapshots.md; docs/models/snapshot.pml.</content>
/// <remarks>
/// The first write to a block after the moment of a snapshot gives the block a successor: the same rows in the same slots with the same ids. Entries and
/// the list go over to it, and the old version never changes again.
/// Invariants: S1, a version that an open snapshot needs is never written, moved or freed; S3, every write goes to a version without successor; S4, from the
/// first snapshot until <see cref="EndSnapshots"/> no row changes its slot, and no id its block.
/// </remarks>
public sealed partial class MemoryContext
{
    private readonly List<BlockVersion> _versions = [];
    private readonly HashSet<ulong> _inTransit = [];
    private readonly SpareBlocks _spares = new();
    private BlockCopier? _blockCopier;
    private RowCopier? _rowCopier;
    private long[] _openSnapshots = [];

    // The youngest open snapshot, 0 without one, and the youngest since writers look.
    private long _newestSnapshot;
    private long _highestSnapshot;
    private bool _isSnapshotted;
    private long _versionBytes;
    private bool _trimsLater;
    private bool _endsInterningLater;

    /// <summary>True from the first snapshot of this collection on until the last has ended and all writers know.</summary>
    internal bool IsSnapshotted => Volatile.Read(ref _isSnapshotted);

    /// <summary>Bytes that snapshots keep: superseded blocks, blocks in reserve for the next, held chunks.</summary>
    internal long SnapshotBytes => Volatile.Read(ref _versionBytes) + Strings.HeldBytes;

    internal ulong EntryBytes => (ulong)_range.Bytes;

    /// <summary>Sees to it that a block may be written until the caller's window ends: if a snapshot needs it as it is, it gets a successor, to which its rows' entries lead.</summary>
    /// <remarks>A location found before may be that of the old version. O(1), or the copy of a block (some 100 µs).</remarks>
    /// <safety>The caller is inside a <see cref="WriteWindow"/>, and inside the critical section in which it got the block.</safety>
    public unsafe void Prepare(ulong block)
    {
        // SAFETY: as the caller promises. Nobody copies a block that is as young as the youngest snapshot there was since writers look.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        if (!IsSnapshotted || prefix->Born >= Volatile.Read(ref _highestSnapshot)) return;
        if (Mutants.SnapshotNoLatch)
        {
            if (prefix->Next == 0 && prefix->Born < Volatile.Read(ref _newestSnapshot)) Supersede(block);
            return;
        }
        prefix->VersionLatch.Enter();
        try
        {
            // Lost or released meanwhile: whoever copies holds the latch, so writing in place is right if nobody needs the block.
            if (prefix->Next == 0 && prefix->Born < Volatile.Read(ref _newestSnapshot)) Supersede(block);
        }
        finally
        {
            prefix->VersionLatch.Exit();
        }
    }

    /// <summary>As <see cref="Prepare"/>, for the block of a handle's row.</summary>
    /// <safety>As <see cref="Prepare"/>.</safety>
    internal static unsafe void PrepareRow(ulong handle)
    {
        // SAFETY: entries are never unmapped, and the caller's section keeps the block mapped.
        if ((uint)EntryWord.Current((EntryWord*)Handle.EntryAddress(handle), out EntryWord* entry) != Handle.Incarnation(handle)) return;
        ulong block = Location.BlockOf(Volatile.Read(ref entry->Location));
        BlockHeader.Context(block)?.Prepare(block);
    }

    /// <summary>The version of a block that may be written.</summary>
    /// <safety>As <see cref="Prepare"/>.</safety>
    private unsafe ulong PrepareNewest(ulong block)
    {
        block = NewestOf(block);
        if (!SnapshotState.IsSlow) return block;
        Prepare(block);
        return NewestOf(block);
    }

    /// <summary>The version of a block that has no successor.</summary>
    /// <safety>The caller has been in one critical section since the block was current.</safety>
    private static unsafe ulong NewestOf(ulong block)
    {
        // SAFETY: as the caller promises: versions that came after are freed two epochs after they left the chain.
        while (Volatile.Read(ref BlockHeader.Prefix(block)->Next) is not 0 and ulong next) block = next;
        return block;
    }

    /// <summary>The place of a reserved slot in the version of its block that may be written; if the block got a successor since, the row is copied there.</summary>
    /// <safety>As <see cref="Prepare"/>; the caller reserved the slot in its critical section, and has written the row.</safety>
    private RowSlot PreparePlace(in RowSlot row)
    {
        ulong block = PrepareNewest(row.Block);
        if (block == row.Block) return row;
        (_rowCopier ??= new RowCopier(Layout)).CopyRow(row.Block, row.Slot, block, row.Slot);
        ColumnSummaries.Note(Layout, block, row.Slot);
        return new RowSlot(block, row.Slot, row.Entry);
    }

    private unsafe void Supersede(ulong block)
    {
        while (OpenSnapshots.IsOverLimit(this, Layout.BlockBytes) && OpenSnapshots.TryLoseOldest(this))
        {
        }
        ulong copy = 0;
        bool isZeroed = false;
        while (BlockHeader.Prefix(block)->Born < Volatile.Read(ref _newestSnapshot))
        {
            try
            {
                copy = TakeSpare(out isZeroed);
                break;
            }
            catch (OutOfMemoryException)
            {
                // A writer is never refused because of a reader.
                if (!OpenSnapshots.TryLoseOldest(this)) return;
            }
        }
        if (copy == 0) return;
        bool isCompacted = Detach(block);
        (_blockCopier ??= new BlockCopier(Layout)).Copy(block, copy, isZeroed);
        // SAFETY: nobody else sees the copy, and the caller's section keeps the block mapped. No row of the block is written: its writers wait for the latch.
        BlockPrefix* old = BlockHeader.Prefix(block), young = BlockHeader.Prefix(copy);
        *young = *old;
        young->VersionLatch = default;
        young->State = BlockState.Compacting;
        young->Born = SnapshotState.Clock;
        young->Older = block;
        young->Next = 0;
        ProtocolSteps.Reach(ProtocolStep.VersionCopied);
        lock (_lock)
        {
            if (IsDisposed)
            {
                // The end of the collection ends its part of every snapshot.
                ReturnSpare(copy);
                return;
            }
            // The list first: who has written to the copy finds it there.
            Volatile.Write(ref _blocks, _blocks.WithSuccessor(block, copy));
            if (_tail == block) Volatile.Write(ref _tail, copy);
            _inTransit.Add(block);
            _versions.Add(new BlockVersion(block, old->Born, SnapshotState.Clock));
            Volatile.Write(ref old->Next, copy);
        }
        ProtocolSteps.Reach(ProtocolStep.VersionListed);
        SwingEntries(block, copy);
        lock (_lock)
        {
            _inTransit.Remove(block);
            bool isFree = !isCompacted || Volatile.Read(ref old->State) == BlockState.SupersededAndGivenUp;
            if (isFree && !IsDisposed) Readmit(copy);
        }
        OpenSnapshots.Charge(this, Layout.BlockBytes);
        SnapshotMeter.CountCopy(Layout.BlockBytes);
    }

    private unsafe void SwingEntries(ulong block, ulong copy)
    {
        // SAFETY: as above; slots below the high-water mark have ids.
        uint* directory = BlockHeader.Directory(block);
        int used = BlockHeader.SlotCount(copy);
        for (int slot = 0; slot < used; slot++)
        {
            ulong place = Location.Make(block, slot);
            EntryWord* inPlace = (EntryWord*)_range.Base + BlockHeader.DenseIdAt(copy, slot);
            PackedEntries.Current(inPlace, out EntryWord* entry);
            if (Volatile.Read(ref entry->Location) != place) continue;
            // The mark first: a direct reference that sees it asks the entry, which says either place.
            uint word = directory[slot];
            if (SlotWord.IsValid(word)) Volatile.Write(ref directory[slot], SlotWord.Moved(SlotWord.Incarnation(word)));
            // Not if somebody gave the entry of a dead row to another slot meanwhile.
            Interlocked.CompareExchange(ref entry->Location, Location.Make(copy, slot), place);
        }
    }

    /// <summary>Whether a block is one of the collection, current or a version that some entry may still name.</summary>
    internal bool HasBlock(ulong block)
    {
        if (BlocksNow.IndexOf(block) >= 0) return true;
        lock (_lock) return _versions.Exists(version => version.Block == block);
    }

    /// <summary>Takes a block from those who allocate in it.</summary>
    /// <returns>True if a compaction has it.</returns>
    private unsafe bool Detach(ulong block)
    {
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        SpinWait spin = default;
        while (true)
        {
            lock (_lock)
            {
                // SAFETY: the caller's section keeps the block mapped. Under the lock alone blocks become owned or queued.
                int state = Volatile.Read(ref prefix->State);
                if (IsDisposed) return true;
                if (state == BlockState.Compacting)
                {
                    Volatile.Write(ref prefix->State, BlockState.Superseded);
                    return true;
                }
                if (state != BlockState.Owned)
                {
                    Interlocked.Exchange(ref prefix->State, BlockState.Superseded);
                    _queue.Remove([block]);
                    int unused = _unused.Count;
                    for (int i = 0; i < unused; i++)
                    {
                        ulong other = _unused.Dequeue();
                        if (other != block) _unused.Enqueue(other);
                    }
                    return false;
                }
            }
            foreach (AllocationCursor cursor in Volatile.Read(ref _cursors))
            {
                cursor.Latch.Enter();
                bool isOwner = cursor.Block == block;
                if (isOwner)
                {
                    Interlocked.Exchange(ref prefix->State, BlockState.Superseded);
                    cursor.Clear();
                }
                cursor.Latch.Exit();
                if (isOwner) return false;
            }
            // Between two owners.
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            spin.SpinOnce();
        }
    }

    /// <summary>What a snapshot has of this collection.</summary>
    /// <safety>The caller is inside a critical section, and no window is open.</safety>
    internal MemorySnapshot.Part NotePart() => new(this, Blocks, Count);

    /// <summary>A snapshot of this collection was drawn. No window is open.</summary>
    internal void BeginSnapshot(long number)
    {
        lock (_lock)
        {
            Volatile.Write(ref _openSnapshots, [.. _openSnapshots, number]);
            Volatile.Write(ref _newestSnapshot, number);
            Volatile.Write(ref _highestSnapshot, number);
            PackedEntries.IsPinned = true;
            Strings.IsHolding = true;
            Volatile.Write(ref _isSnapshotted, true);
        }
    }

    internal void SetOpenSnapshots(long[] numbers)
    {
        lock (_lock)
        {
            Volatile.Write(ref _openSnapshots, numbers);
            Volatile.Write(ref _newestSnapshot, numbers.Length == 0 ? 0 : numbers[^1]);
        }
    }

    /// <summary>Frees the versions and chunks that no open snapshot needs.</summary>
    internal unsafe void CollectVersions()
    {
        List<RetiredVersion> retired = [];
        long oldest;
        lock (_lock)
        {
            oldest = _openSnapshots.Length == 0 ? long.MaxValue : _openSnapshots[0];
            if (!IsDisposed)
            {
                for (int i = _versions.Count - 1; i >= 0; i--)
                {
                    BlockVersion version = _versions[i];
                    if (version.IsNeededBy(_openSnapshots) && !Mutants.SnapshotFreesAll || _inTransit.Contains(version.Block)) continue;
                    // SAFETY: versions and blocks of the list are mapped; what left the chain before is not in it.
                    BlockPrefix* prefix = BlockHeader.Prefix(version.Block);
                    if (!Mutants.SnapshotKeepsLink)
                    {
                        Volatile.Write(ref BlockHeader.Prefix(prefix->Next)->Older, prefix->Older);
                        if (prefix->Older != 0) Volatile.Write(ref BlockHeader.Prefix(prefix->Older)->Next, prefix->Next);
                    }
                    _versions.RemoveAt(i);
                    Interlocked.Add(ref _versionBytes, -Layout.BlockBytes);
                    Interlocked.Add(ref _leavingBytes, Layout.BlockBytes);
                    retired.Add(new RetiredVersion(this, version.Block));
                }
            }
        }
        foreach (RetiredVersion version in retired) Retire(version);
        Strings.ReleaseHeld(oldest);
    }

    /// <summary>The last snapshot has ended, and no window is open in which a thread still copies for one.</summary>
    internal void EndSnapshots()
    {
        CollectVersions();
        lock (_lock)
        {
            while (_spares.TryTake(out ulong block, out _)) ReturnSpare(block);
            if (!_isCompacting) PackedEntries.IsPinned = false;
            Strings.IsHolding = false;
            Volatile.Write(ref _isSnapshotted, false);
        }
        Strings.ReleaseHeld(long.MaxValue);
    }

    /// <summary>Does what had to wait for the end of the snapshots.</summary>
    internal void DoPostponed()
    {
        if (IsDisposed) return;
        bool trims = Interlocked.Exchange(ref _trimsLater, false), endsInterning = Interlocked.Exchange(ref _endsInterningLater, false);
        try
        {
            if (trims) FreeEmptyBlocks(includeUnused: false, includeActive: true);
            if (endsInterning && LiveRows == 0) Strings.ResetInterning(this);
        }
        catch (ObjectDisposedException)
        {
            // Meanwhile.
        }
        Reclaimer.AdvanceTwice();
    }

    /// <summary>Has a thread of the pool make blocks ready for the first writes: to copy into fresh pages takes fifty times as long.</summary>
    internal void TouchSpares()
    {
        if (_manager.Options.Limit is { } limit && _manager.MappedBytes > limit / 2) return;
        int wanted = Math.Min(2 * Volatile.Read(ref _cursors).Length, BlocksNow.Count);
        if (wanted == 0 || _spares.Count >= wanted) return;
        ThreadPool.UnsafeQueueUserWorkItem(static state => state.Context.TouchSpares(state.Wanted), (Context: this, Wanted: wanted), preferLocal: false);
    }

    private void TouchSpares(int wanted)
    {
        try
        {
            while (_spares.Count < wanted && IsSnapshotted)
            {
                ulong block = _manager.Arenas.Take(Layout.BlockBytes, UsesHugePages(BlocksNow));
                SpareBlocks.Touch(block, Layout.BlockBytes);
                lock (_lock)
                {
                    Interlocked.Add(ref _versionBytes, Layout.BlockBytes);
                    if (IsSnapshotted && !IsDisposed) _spares.Add(block, isZeroed: true);
                    else ReturnSpare(block);
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // The first writes take what they need themselves.
        }
    }

    private ulong TakeSpare(out bool isZeroed)
    {
        if (_spares.TryTake(out ulong block, out isZeroed)) return block;
        isZeroed = true;
        block = _manager.Arenas.Take(Layout.BlockBytes, UsesHugePages(BlocksNow));
        Interlocked.Add(ref _versionBytes, Layout.BlockBytes);
        return block;
    }

    private void ReturnSpare(ulong block)
    {
        _manager.Arenas.Return(block, Layout.BlockBytes);
        Interlocked.Add(ref _versionBytes, -Layout.BlockBytes);
    }

    /// <summary>A version that no snapshot needs. Its strings and ids are those of the block that superseded it.</summary>
    private sealed class RetiredVersion(MemoryContext context, ulong block) : RetiredMemory, IFreedBetweenCompactions
    {
        public override IEnumerable<ulong> Blocks => [block];

        public override bool ReleaseSome(ref int pieces)
        {
            if (!context.AwaitsRepair(this)) context.Release(this);
            pieces--;
            return true;
        }

        public void Free()
        {
            lock (context._lock)
            {
                if (context.IsSnapshotted && !context.IsDisposed && context._spares.Count < SpareBlocks.Most)
                {
                    GuardMode.Poison(block, context.Layout.BlockBytes);
                    context._spares.Add(block, isZeroed: false);
                    Interlocked.Add(ref context._leavingBytes, -context.Layout.BlockBytes);
                    Interlocked.Add(ref context._versionBytes, context.Layout.BlockBytes);
                    return;
                }
            }
            context.FreeBlock(block);
        }
    }
}
