using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>Direct references from rows of this collection and to them.</content>
/// <remarks>
/// How blocks leave a collection to whose rows direct references lead (docs/models/directpointers.pml):
/// <code>
/// the block is retired --grace--> references to it are repaired --grace--> it is freed
/// </code>
/// After the first grace nobody writes a reference to the block any more: who does has located the row in the critical section in which it
/// writes, and found it there only before the block was retired. For the same reason every such reference lies in a row that is published by
/// then, and is seen by the walk unless the row is dead. After the second grace nobody follows one that was read before the repair.
/// Whether there are referrers is asked after the first grace, for the same reason.
/// A repair holds the referrer's compaction gate, so that it does not miss words that are being copied, and no lock or gate of the
/// collection whose blocks leave, so that two collections that refer to each other do not wait for one another.
/// </remarks>
public sealed partial class MemoryContext
{
    // Who refers to whom changes rarely.
    private static readonly Lock s_referrersLock = new();

    private readonly List<WeakReference<MemoryContext>> _referrers = [];
    private readonly List<RetiredMemory> _departed = [];
    private readonly Lock _repair = new();
    private MemoryContext[] _directTargets = [];
    private bool _isDirectTarget;
    private int _repairers;
    private int _unrepaired;

    /// <summary>True from before the first direct reference to a row of this collection was stored.</summary>
    internal bool IsDirectTarget => Volatile.Read(ref _isDirectTarget);

    /// <summary>
    /// The word with which a row of this collection refers directly to the row of a handle; 0 if the handle is null or the row was removed.
    /// </summary>
    /// <safety>The caller is inside a critical section, stores the word in a column of storage <see cref="ColumnStorage.DirectReference"/>
    /// of this collection or nowhere, and does so before the section ends.</safety>
    public ulong DirectWordOf(ulong handle)
    {
        if (handle == 0 || !Handle.TryLocate(handle, out ulong location)) return 0;
        return IsTargetKnown(handle) ? DirectWord.Make(location, Handle.Incarnation(handle)) : 0;
    }

    private bool IsTargetKnown(ulong handle)
    {
        foreach (MemoryContext target in Volatile.Read(ref _directTargets))
        {
            // The addresses of a disposed collection may have a new tenant.
            if (target.Owns(handle) && !target.IsDisposed) return true;
        }
        return TryAddTarget(handle);
    }

    /// <returns>False if the collection of the row is disposed by now.</returns>
    private bool TryAddTarget(ulong handle)
    {
        if (Find(handle) is not { } target) return false;
        lock (s_referrersLock)
        {
            if (Array.IndexOf(_directTargets, target) >= 0) return true;
            target._referrers.Add(new WeakReference<MemoryContext>(this));
            Volatile.Write(ref target._isDirectTarget, true);
            Volatile.Write(ref _directTargets, [.. Array.FindAll(_directTargets, static known => !known.IsDisposed), target]);
        }
        return true;
    }

    /// <summary>
    /// Takes a slot in limbo out of use for ever (its block's ever) if another row in it could not be told from an old one by direct references:
    /// when 2^16 rows were in it, or its entry has no incarnation left, or is packed, and would have to be replaced.
    /// </summary>
    private unsafe bool TrySpend(ulong block, int slot)
    {
        if (!IsDirectTarget) return false;
        uint id = BlockHeader.DenseIdAt(block, slot);
        // SAFETY: the caller's cursor owns the block; ids handed out have memory behind their entries.
        uint next = EntryWord.NextIncarnation((EntryWord*)_range.Base + id, _range.FirstIncarnation);
        if ((next & DirectWord.IncarnationMask) != 0 && !_ids.IsWornOut(id) && !PackedEntries.Contains(id)) return false;
        _cleaner.Clean(block, slot);
        // It stays counted as limbo: no row is in it.
        Volatile.Write(ref BlockHeader.Directory(block)[slot], SlotWord.Spent);
        return true;
    }

    /// <summary>Asked for blocks whose first grace has passed: true if they are not to be freed yet, because references to them have to be repaired.</summary>
    private bool AwaitsRepair(RetiredMemory item)
    {
        if (item.IsRepaired || !IsDirectTarget) return false;
        if (LiveReferrers().Count == 0)
        {
            // Rows of the disposed referrers may have readers still.
            item.IsRepaired = true;
            Reclaimer.Retire(item);
            return true;
        }
        // In this order, so that the item is counted all the time.
        Interlocked.Increment(ref _unrepaired);
        Interlocked.Decrement(ref _retired);
        lock (_departed)
        {
            _departed.Add(item);
            if (_repairers == 0) RepairLater();
        }
        return true;
    }

    private List<MemoryContext> LiveReferrers()
    {
        lock (s_referrersLock)
        {
            _referrers.RemoveAll(static known => !known.TryGetTarget(out MemoryContext? referrer) || referrer.IsDisposed);
            return [.. _referrers.Select(static known => known.TryGetTarget(out MemoryContext? referrer) ? referrer : null).OfType<MemoryContext>()];
        }
    }

    /// <summary>Says that <see cref="FinishRepairs"/> follows on this thread.</summary>
    private void BeginRepairs()
    {
        lock (_departed) _repairers++;
    }

    /// <summary>Repairs the references to what leaves, and waits until that is freed.</summary>
    /// <remarks>Without the compaction gate, see the remarks of the class.</remarks>
    private void FinishRepairs(CompactionPatience patience)
    {
        try
        {
            SpinWait spin = default;
            while (IsDirectTarget && !patience.IsOver && (Volatile.Read(ref _unrepaired) > 0 || Volatile.Read(ref _retired) > 0))
            {
                if (!TryRepair(patience)) return;
                bool advanced = Reclaimer.TryAdvance();
                Reclaimer.Drain();
                if (advanced) continue;
                ProtocolSteps.Reach(ProtocolStep.Waiting);
                spin.SpinOnce();
            }
        }
        finally
        {
            lock (_departed)
            {
                _repairers--;
                if (_repairers == 0 && _departed.Count > 0) RepairLater();
            }
        }
    }

    // Nobody who frees memory on the way shall walk through whole collections.
    internal void RepairLater() => ThreadPool.UnsafeQueueUserWorkItem(static context => context.RepairOnPool(), this, preferLocal: false);

    private void RepairOnPool()
    {
        try
        {
            TryRepair(null);
            Reclaimer.AdvanceTwice();
        }
        catch (OutOfMemoryException)
        {
            // It would end the process. What is not repaired stays among the departed: the next block that leaves, or the next compaction, comes back.
        }
    }

    /// <summary>Repairs the references to everything whose first grace has passed.</summary>
    /// <returns>False if patience ended before; nothing has changed then but some references.</returns>
    private bool TryRepair(CompactionPatience? patience)
    {
        while (!_repair.TryEnter(s_gateTurn))
        {
            if (patience is { IsOver: true }) return false;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
        }
        try
        {
            RetiredMemory[] departed;
            lock (_departed) departed = [.. _departed];
            if (departed.Length == 0) return true;
            // Old versions of blocks have references, too, which stay as they are: what these name is not freed.
            long clock = SnapshotState.Clock;
            if (SnapshotState.IsSlow) return PostponeRepair();
            HashSet<ulong> leaving = [.. departed.SelectMany(static item => item.Blocks)];
            foreach (MemoryContext referrer in LiveReferrers())
            {
                if (!referrer.TryRepairReferencesTo(leaving, patience)) return SnapshotState.IsSlow && PostponeRepair();
            }
            if (SnapshotState.IsSlow || clock != SnapshotState.Clock) return PostponeRepair();
            lock (_departed) _departed.RemoveRange(0, departed.Length);
            foreach (RetiredMemory item in departed)
            {
                item.IsRepaired = true;
                Interlocked.Increment(ref _retired);
                Interlocked.Decrement(ref _unrepaired);
                Reclaimer.Retire(item);
            }
            return true;
        }
        finally
        {
            _repair.Exit();
        }
    }

    private bool PostponeRepair()
    {
        OpenSnapshots.RepairLater(this);
        return false;
    }

    private bool TryRepairReferencesTo(HashSet<ulong> leaving, CompactionPatience? patience)
    {
        while (!_compaction.TryEnter(s_gateTurn))
        {
            if (patience is { IsOver: true }) return false;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
        }
        try
        {
            ReferenceRepair repair = new(Layout, leaving);
            // Rows in blocks that are added from here on refer to nothing that leaves.
            BlockList blocks = BlocksNow;
            for (int i = 0; i < blocks.Count; i++)
            {
                using CriticalSection section = CriticalSection.Enter();
                using WriteWindow window = WriteWindow.Enter();
                if (SnapshotState.IsSlow) return false;
                // Blocks without rows may have left; when all have, the collection was disposed, and its rows are dead.
                if (BlocksNow.Contains(blocks[i], i)) repair.Walk(blocks[i]);
            }
            return true;
        }
        finally
        {
            _compaction.Exit();
        }
    }
}
