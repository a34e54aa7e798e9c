using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;
using Smc.Memory.Timelines;

namespace Smc.Memory.Reclamation;

/// <summary>What one manager retired and who frees it: nothing here waits for another manager.</summary>
/// <remarks>
/// <para>The epoch is the process's, and any thread may move it on. Who does so for one manager frees that manager's memory, in the way of its
/// policy. Of managers that nobody has worked with for some epochs it frees a little, too, so that nothing stays for ever
/// (<see cref="Reclaimers"/>).</para>
/// <para>Invariants: an item is in the queue of one reclaimer or is being released by one thread, never both. A reclaimer with items is known to
/// <see cref="Reclaimers"/>, which keeps it and its manager alive.</para>
/// </remarks>
internal sealed class Reclaimer(ReclamationPolicy policy)
{
    /// <summary>After so many epochs without a visit of its own threads a manager is left alone, and others free for it.</summary>
    private const int EpochsLeftAlone = 8;

    /// <summary>A removal counts for at least this: an advance for every 4,096 removals under the default policy.</summary>
    private const long MinimumDebt = Epoch.DebtPerAdvance / 4096;

    // Over a soft mark: after an eighth of the garbage.
    private const int PressureShift = 3;

    private readonly bool _actsOnOperations = policy.ActsOnOperations;
    private readonly long _debtPerAdvance = policy.DebtPerAdvance;
    private bool _isKnown;
    private long _visitedIn = GlobalEpoch.Now;

    /// <summary>Things that wait.</summary>
    public int Count => policy.Count;

    /// <summary>True if no thread of the manager has looked after it for some epochs.</summary>
    public bool IsLeftAlone => GlobalEpoch.Now - Volatile.Read(ref _visitedIn) >= EpochsLeftAlone;

    /// <summary>Retires in the current epoch. The item must be unreachable for readers that begin after this call.</summary>
    public void Retire(RetiredParts item)
    {
        // A full fence between making it unreachable and reading the epoch; partner: the advance.
        Interlocked.MemoryBarrier();
        Retire(item, GlobalEpoch.Now);
    }

    /// <summary>Adds an item whose oldest part was retired at <paramref name="stamp"/>.</summary>
    public void Retire(RetiredParts item, long stamp)
    {
        item.Stamp = stamp;
        policy.Add(item);
        // Into the queue, full fence, look at the mark; partner: TryForget.
        Interlocked.MemoryBarrier();
        if (!Volatile.Read(ref _isKnown)) Reclaimers.Add(this);
    }

    /// <summary>Counts garbage that the calling thread made and tries to advance when enough has come together.</summary>
    /// <remarks>Must not be called with a lock of this library held: an advance takes long and frees things.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void AddGarbage(long bytes)
    {
        if (_actsOnOperations) policy.OperationDone();
        ThreadSlot* slot = ThreadSlots.Current;
        // SAFETY: the slot of the calling thread; never freed.
        long debt = slot->Debt + Math.Max(bytes, MinimumDebt);
        slot->Debt = debt;
        // Shifted, so that the limit without pressure is compared as it is.
        if (debt << (Epoch.IsUnderPressure ? PressureShift : 0) >= Math.Min(GarbageMonitor.DebtLimit, _debtPerAdvance)) PayDebt(slot);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe void PayDebt(ThreadSlot* slot)
    {
        long limit = Math.Min(GarbageMonitor.DebtLimit, _debtPerAdvance);
        // SAFETY: as in AddGarbage.
        slot->Debt = 0;
        AdvanceIfDue();
        if (!GarbageMonitor.Look()) slot->Debt = limit;
    }

    /// <summary>Frees the share of one operation, if that is the policy's way.</summary>
    public void OperationDone()
    {
        if (_actsOnOperations) policy.OperationDone();
    }

    /// <summary>Tries to advance unless somebody did so just now, and frees what is due by then.</summary>
    public void AdvanceIfDue()
    {
        // Or somebody else has moved it on, for another manager.
        if (policy.TryMoveEpochForDebt() || Volatile.Read(ref _visitedIn) != GlobalEpoch.Now) Visit();
    }

    /// <summary>Tries to move the epoch on, and frees what has waited for that.</summary>
    /// <returns>False if a reader is still in an older epoch or another thread was faster.</returns>
    public bool TryAdvance()
    {
        if (!Epoch.TryMove()) return false;
        Visit();
        return true;
    }

    /// <summary>Frees what was just retired, if there are no readers. With readers it costs two barriers, which is nothing beside the end of a collection.</summary>
    public void AdvanceTwice()
    {
        for (int i = 0; i < Epoch.Grace; i++) TryAdvance();
        Drain();
    }

    /// <summary>Frees everything that is due: for those who give memory back and want to see it gone.</summary>
    /// <param name="waits">False to leave to other threads what they are at; true for callers that need what is freed.</param>
    public void Drain(bool waits = false)
    {
        Volatile.Write(ref _visitedIn, GlobalEpoch.Now);
        int before = Count;
        // What a thread is releasing is not counted.
        if (before == 0 && !waits) return;
        long begin = TimelineRecorder.Begin();
        policy.Free(int.MaxValue, waits);
        if (begin != 0) TimelineRecorder.End(TimelineKind.Drain, begin, before - Count);
    }

    /// <summary>Frees a little of what is due, for a thread that works with another manager.</summary>
    public void FreeSome(int pieces) => policy.Free(pieces, waits: false);

    /// <summary>Says that <see cref="Reclaimers"/> knows the reclaimer, or does not. Under its lock.</summary>
    /// <returns>False if it knew it before.</returns>
    public bool TryKnow()
    {
        if (_isKnown) return false;
        Volatile.Write(ref _isKnown, true);
        return true;
    }

    /// <inheritdoc cref="TryKnow" path="/summary"/>
    /// <returns>False if something was retired meanwhile.</returns>
    public bool TryForget()
    {
        if (!_isKnown) return true;
        Volatile.Write(ref _isKnown, false);
        // Mark, full fence, look at the queue; partner: Retire.
        Interlocked.MemoryBarrier();
        if (Count == 0) return true;
        Volatile.Write(ref _isKnown, true);
        return false;
    }

    private void Visit()
    {
        Volatile.Write(ref _visitedIn, GlobalEpoch.Now);
        policy.EpochMoved();
        Reclaimers.LookAfterOthers(this);
        if (Epoch.IsUnderPressure) GarbageMonitor.Look();
    }
}
