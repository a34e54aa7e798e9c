using Smc.Memory.Compaction;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory.DirectReferences;

/// <summary>The collections whose rows refer directly to rows of this one, and the blocks that wait for the repair of such references.</summary>
/// <remarks>
/// How blocks leave a collection to whose rows direct references lead (docs/models/directpointers.pml):
/// <code>
/// the block is retired --grace--> references to it are repaired --grace--> it is freed
/// </code>
/// After the first grace nobody writes a reference to the block any more: who does has located the row in the critical section in which it
/// writes, and found it there only before the block was retired. For the same reason every such reference lies in a row that is published by
/// then, and is seen by the walk unless the row is dead. After the second grace nobody follows one that was read before the repair.
/// Whether there are referrers is asked after the first grace, for the same reason.
/// Locks: the lock of a repair comes before the compaction gate of a referrer.
/// </remarks>
internal sealed class ReferrersToRows(Departures departures, Reclaimer reclaimer)
{
    private readonly List<WeakReference<DirectTargets>> _referrers = [];
    private readonly List<RetiredMemory> _departed = [];
    private readonly PatientLock _repair = new();
    private bool _isAny;
    private int _repairers;
    private bool _isRepairQueued;

    /// <summary>True from before the first direct reference to a row of this collection was stored.</summary>
    public bool IsAny => Volatile.Read(ref _isAny);

    /// <summary>Rows of another collection, or of this one, are about to refer to rows of this one.</summary>
    public void Add(DirectTargets referrer)
    {
        lock (_referrers) _referrers.Add(new WeakReference<DirectTargets>(referrer));
        Volatile.Write(ref _isAny, true);
    }

    /// <summary>Asked for blocks whose first grace has passed: true if they are not to be freed yet, because references to them have to be repaired.</summary>
    public bool Await(RetiredMemory item)
    {
        if (item.IsRepaired || !IsAny) return false;
        if (Live().Count == 0)
        {
            // Rows of the disposed referrers may have readers still.
            item.IsRepaired = true;
            reclaimer.Retire(item);
            return true;
        }
        departures.CountUnrepaired();
        lock (_departed)
        {
            _departed.Add(item);
            if (_repairers == 0) RepairLater();
        }
        return true;
    }

    /// <summary>Says that <see cref="FinishRepairs"/> follows on this thread.</summary>
    public void BeginRepairs()
    {
        lock (_departed) _repairers++;
    }

    /// <summary>Repairs the references to what leaves, and waits until that is freed. Without the compaction gate.</summary>
    public void FinishRepairs(in CompactionPatience patience)
    {
        try
        {
            EpochWait wait = new(reclaimer, patience);
            while (IsAny && !patience.IsOver && (departures.HasUnrepaired || departures.HasRetired))
            {
                if (!TryRepair(patience) || !wait.TryWait(frees: true)) return;
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

    /// <summary>A referrer was disposed, and its rows have no readers: what waits for an open snapshot may be free to go.</summary>
    public void LoseReferrer()
    {
        lock (_departed)
        {
            if (_repairers == 0 && _departed.Count > 0) RepairLater();
        }
    }

    /// <summary>Repairs on a thread of the pool: nobody who frees memory on the way shall walk through whole collections.</summary>
    public void RepairLater()
    {
        if (Interlocked.Exchange(ref _isRepairQueued, true)) return;
        ThreadPool.UnsafeQueueUserWorkItem(static referrers => referrers.RepairOnPool(), this, preferLocal: false);
    }

    private void RepairOnPool()
    {
        try
        {
            TryRepair(default);
            reclaimer.AdvanceTwice();
        }
        catch (OutOfMemoryException)
        {
            // It would end the process. What is not repaired stays among the departed: the next block that leaves, or the next compaction, comes back.
        }
    }

    private List<DirectTargets> Live()
    {
        lock (_referrers)
        {
            _referrers.RemoveAll(static known => !known.TryGetTarget(out DirectTargets? referrer) || referrer.IsDisposed);
            return [.. _referrers.Select(static known => known.TryGetTarget(out DirectTargets? referrer) ? referrer : null).OfType<DirectTargets>()];
        }
    }

    /// <summary>Repairs the references to everything whose first grace has passed.</summary>
    /// <returns>False if patience ended before; nothing has changed then but some references.</returns>
    private bool TryRepair(in CompactionPatience patience)
    {
        if (!_repair.TryEnter(patience)) return false;
        try
        {
            // Whoever asks from here on is not seen below.
            Interlocked.Exchange(ref _isRepairQueued, false);
            RetiredMemory[] departed;
            lock (_departed) departed = [.. _departed];
            if (departed.Length == 0) return true;
            // Old versions of blocks have references, too, which stay as they are: what these name is not freed. Where all referrers are disposed nobody reads them.
            long clock = SnapshotState.Clock;
            List<DirectTargets> referrers = Live();
            if (referrers.Count > 0 && SnapshotState.IsOpen) return Postpone();
            HashSet<BlockRef> leaving = [.. departed.SelectMany(static item => item.Blocks)];
            foreach (DirectTargets referrer in referrers)
            {
                // Whether the snapshot that came in between is still open is not asked: one that has ended by now would find nobody to come back for.
                if (!referrer.TryRepairReferencesTo(leaving, patience)) return Postpone();
            }
            if (referrers.Count > 0 && (SnapshotState.IsOpen || clock != SnapshotState.Clock)) return Postpone();
            lock (_departed) _departed.RemoveRange(0, departed.Length);
            foreach (RetiredMemory item in departed)
            {
                item.IsRepaired = true;
                departures.RetireRepaired(item);
            }
            return true;
        }
        finally
        {
            _repair.Exit();
        }
    }

    private bool Postpone()
    {
        OpenSnapshots.RepairLater(this);
        return false;
    }
}
