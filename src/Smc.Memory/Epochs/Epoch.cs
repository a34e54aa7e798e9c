using System.Diagnostics;
using System.Diagnostics.Tracing;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory;

/// <summary>
/// The epoch domain of the process. What is removed in epoch e is re-used or freed from epoch e + 2 on, when every critical section that
/// could have seen it has ended.
/// </summary>
public static class Epoch
{
    /// <summary>Epochs that pass between a removal and the re-use of what was removed.</summary>
    internal static int Grace => Mutants.ReuseAfterOneEpoch ? 1 : 2;

    // Advance once per this much garbage and thread; a removal counts for at least MinimumDebt, which makes it 4,096 removals.
    private const long DebtPerAdvance = 1 << 20;
    private const long MinimumDebt = DebtPerAdvance / 4096;
    private static readonly long s_minimumInterval = Stopwatch.Frequency / 10_000;
    private static long s_lastAttempt;
    private static long s_blocked;

    /// <summary>The global epoch.</summary>
    public static long Current => GlobalEpoch.Now;

    /// <summary>How often the epoch moved on.</summary>
    public static long Advances => GlobalEpoch.Now - GlobalEpoch.First;

    /// <summary>How often it could not, because a reader was in an older epoch.</summary>
    public static long BlockedAdvances => Volatile.Read(ref s_blocked);

    /// <summary>Sections that were never left because their thread ended inside.</summary>
    public static long LeakedSections => ThreadSlots.LeakedSections;

    /// <summary>True if the calling thread is inside a critical section.</summary>
    public static unsafe bool IsInsideSection => AsymmetricFence.IsInside(ThreadSlots.Current);

    /// <summary>The reader that is furthest behind the global epoch, or null if none is.</summary>
    public static StalledReader? OldestReader => StalledReader.Find();

    /// <summary>
    /// Moves the global epoch on if every thread inside a critical section entered it in the current epoch, and frees what has waited for
    /// that. The library calls it as garbage accumulates; a program may call it when it has time.
    /// </summary>
    /// <returns>False if a reader is still in an older epoch or another thread was faster.</returns>
    /// <remarks>Costs a process-wide barrier (about 10 µs when other threads run).</remarks>
    public static bool TryAdvance()
    {
        long epoch = GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.AdvanceEpochRead);
        if (Mutants.ScanBeforeBarrier)
        {
            if (!AllReadersIn(epoch)) return false;
            AsymmetricFence.Everywhere();
        }
        else
        {
            // Every time, and before the scan: partner of the announcement in CriticalSection.
            if (BarrierIsDue()) AsymmetricFence.Everywhere();
            ProtocolSteps.Reach(ProtocolStep.AdvanceBarrier);
            if (!AllReadersIn(epoch)) return false;
        }
        ProtocolSteps.Reach(ProtocolStep.AdvanceScanned);
        if (!Increment(epoch)) return false;
        MemoryEventSource.Log.EpochAdvanced(epoch + 1);
        ReclamationQueue.Drain();
        return true;
    }

    /// <summary>Gives back what the calling thread holds here, before it ends; otherwise that happens some time after.</summary>
    /// <returns>False inside a critical section.</returns>
    public static bool DetachThread() => ThreadSlots.Detach();

    /// <summary>Counts garbage that the calling thread made and tries to advance when enough has come together.</summary>
    /// <remarks>Must not be called with a lock of this library held: an advance takes long and frees things.</remarks>
    internal static unsafe void AddGarbage(long bytes)
    {
        ThreadSlot* slot = ThreadSlots.Current;
        // SAFETY: the slot of the calling thread; never freed.
        slot->Debt += Math.Max(bytes, MinimumDebt);
        if (slot->Debt < DebtPerAdvance) return;
        slot->Debt = 0;
        AdvanceIfDue();
    }

    /// <summary>Tries to advance unless somebody did so within the last 100 µs.</summary>
    internal static void AdvanceIfDue()
    {
        long now = Stopwatch.GetTimestamp();
        long last = Volatile.Read(ref s_lastAttempt);
        if (now - last < s_minimumInterval) return;
        if (Interlocked.CompareExchange(ref s_lastAttempt, now, last) == last) TryAdvance();
    }

    /// <summary>True from the epoch on in which something retired at <paramref name="stamp"/> may be re-used.</summary>
    internal static bool HasPassed(long stamp) => GlobalEpoch.Now - stamp >= Grace;

    private static unsafe bool AllReadersIn(long epoch)
    {
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            ThreadSlot* slot = ThreadSlots.At(i);
            // SAFETY: slots are never freed. Acquire: a thread seen outside has finished its accesses.
            long announced = Volatile.Read(ref slot->Announced);
            if (announced == 0 || announced == epoch + 1) continue;
            if (ThreadSlots.ReclaimIfDead(i)) continue;
            StalledReader.Note(slot, announced);
            Interlocked.Increment(ref s_blocked);
            if (MemoryEventSource.Log.IsEnabled(EventLevel.Verbose, MemoryEventSource.Keywords.Epochs))
                MemoryEventSource.Log.AdvanceBlocked(epoch, ThreadSlots.OwnerOf(i)?.ManagedThreadId ?? 0);
            return false;
        }
        return true;
    }

    private static unsafe bool Increment(long epoch)
    {
        // SAFETY: the word lives as long as the process.
        if (Mutants.AdvanceWithoutCas) return Interlocked.Increment(ref *GlobalEpoch.Word) != 0;
        return Interlocked.CompareExchange(ref *GlobalEpoch.Word, epoch + 1, epoch) == epoch;
    }

    private static unsafe bool BarrierIsDue()
    {
        if (Mutants.NoBarrier) return false;
        if (!Mutants.BarrierOnlyOnce) return true;
        ThreadSlot* slot = ThreadSlots.Current;
        bool first = !slot->HasRunBarrier;
        slot->HasRunBarrier = true;
        return first;
    }
}
