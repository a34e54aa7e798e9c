using System.Diagnostics;
using System.Diagnostics.Tracing;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;
using Smc.Memory.Reclamation;
using Smc.Memory.Timelines;

namespace Smc.Memory;

/// <summary>
/// The epoch domain of the process. What is removed in epoch e is re-used or freed from epoch e + 2 on, when every critical section that
/// could have seen it has ended.
/// </summary>
public static class Epoch
{
    /// <summary>Epochs that pass between a removal and the re-use of what was removed.</summary>
    internal const int Grace = 2;

    /// <summary>Advance once per this much garbage and thread.</summary>
    internal const long DebtPerAdvance = 1 << 20;

    // Over a soft mark up to four times as often.
    private static readonly long s_interval = Stopwatch.Frequency / 10_000;
    private static readonly long s_pressureInterval = s_interval / 4;

    // When the last epochs began, by their last two bits. A late writer stores a later time than the true one, never an earlier one.
    private static readonly long[] s_began = [.. Enumerable.Repeat(Stopwatch.GetTimestamp(), 4)];
    private static long s_lastAttempt;
    private static long s_blocked;
    internal static long s_stalls;

    /// <summary>The global epoch.</summary>
    public static long Current => GlobalEpoch.Now;

    /// <summary>How often the epoch moved on.</summary>
    public static long Advances => GlobalEpoch.Now - GlobalEpoch.First;

    /// <summary>How often it could not, because a reader was in an older epoch.</summary>
    public static long BlockedAdvances => Volatile.Read(ref s_blocked);

    /// <summary>How many sections were told as stalled; see <see cref="GarbageBudget.ReportMark"/>.</summary>
    public static long StalledReaders => Volatile.Read(ref s_stalls);

    /// <summary>
    /// True while more garbage waits for readers than some <see cref="GarbageBudget"/> likes: whoever reads for long should
    /// <see cref="CriticalSection.Renew"/> its section when it can.
    /// </summary>
    public static bool IsUnderPressure => GarbageMonitor.IsUnderPressure;

    /// <summary>Sections that were never left because their thread ended inside.</summary>
    public static long LeakedSections => ThreadSlots.LeakedSections;

    /// <summary>True if the calling thread is inside a critical section.</summary>
    public static unsafe bool IsInsideSection => AsymmetricFence.IsInside(ThreadSlots.Current);

    /// <summary>The reader that is furthest behind the global epoch, or null if none is.</summary>
    public static StalledReader? OldestReader => StalledReader.Find();

    /// <summary>
    /// Moves the global epoch on if every thread inside a critical section entered it in the current epoch, and frees what has waited for
    /// that, in all managers. The library moves it on as garbage accumulates; a program may call this when it has time.
    /// </summary>
    /// <returns>False if a reader is still in an older epoch or another thread was faster.</returns>
    /// <remarks>Costs a process-wide barrier (about 10 µs when other threads run).</remarks>
    public static bool TryAdvance()
    {
        if (!TryMove()) return false;
        Reclaimers.Drain();
        if (IsUnderPressure) GarbageMonitor.Look();
        return true;
    }

    /// <summary>Moves the global epoch on as <see cref="TryAdvance"/> does, and frees nothing.</summary>
    internal static bool TryMove()
    {
        long epoch = GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.AdvanceEpochRead);
        // Every time, and before the scan: partner of the announcement in CriticalSection.
        AsymmetricFence.Everywhere();
        ProtocolSteps.Reach(ProtocolStep.AdvanceBarrier);
        if (!AllReadersIn(epoch)) return false;
        ProtocolSteps.Reach(ProtocolStep.AdvanceScanned);
        return TryIncrement(epoch);
    }

    /// <summary>Moves the global epoch on from one in which, or outside of sections, all threads have been seen since it began.</summary>
    /// <returns>False if another thread was faster.</returns>
    internal static bool TryIncrement(long epoch)
    {
        if (!Increment(epoch)) return false;
        MemoryEventSource.Log.EpochAdvanced(epoch + 1);
        MemoryMeter.EpochMoved();
        TimelineRecorder.EpochMoved();
        return true;
    }

    /// <summary>Gives back what the calling thread holds here, before it ends; otherwise that happens some time after.</summary>
    /// <returns>False inside a critical section.</returns>
    public static bool DetachThread() => ThreadSlots.Detach();

    /// <summary>True unless somebody tried to advance within the last 100 µs, or 25 µs under pressure; the caller is the next to try.</summary>
    internal static bool IsAttemptDue()
    {
        long now = Stopwatch.GetTimestamp();
        long last = Volatile.Read(ref s_lastAttempt);
        if (now - last < (IsUnderPressure ? s_pressureInterval : s_interval)) return false;
        return Interlocked.CompareExchange(ref s_lastAttempt, now, last) == last;
    }

    /// <summary>Time since an epoch, one of the last few, began.</summary>
    internal static TimeSpan Age(long epoch) => Stopwatch.GetElapsedTime(Volatile.Read(ref s_began[epoch & 3]));

    /// <summary>True from the epoch on in which something retired at <paramref name="stamp"/> may be re-used.</summary>
    internal static bool HasPassed(long stamp) => GlobalEpoch.Now - stamp >= Grace;

    private static bool AllReadersIn(long epoch)
    {
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            if (!IsReaderIn(i, epoch)) return false;
        }
        return true;
    }

    /// <summary>
    /// True if a thread is outside of sections, or in one that it entered in this epoch. After the barrier that was made in the epoch.
    /// </summary>
    /// <param name="index">Index of the thread's slot.</param>
    /// <param name="epoch">The epoch.</param>
    internal static unsafe bool IsReaderIn(int index, long epoch)
    {
        // SAFETY: slots are never freed. Acquire: a thread seen outside has finished its accesses.
        long announced = Announcement.OfSection(Volatile.Read(ref ThreadSlots.At(index)->Announced));
        if (announced == 0 || announced == epoch + 1 || ThreadSlots.ReclaimIfDead(index)) return true;
        Interlocked.Increment(ref s_blocked);
        TimelineRecorder.EpochBlocked(index);
        if (MemoryEventSource.Log.IsEnabled(EventLevel.Verbose, MemoryEventSource.Keywords.Epochs))
            MemoryEventSource.Log.AdvanceBlocked(epoch, ThreadSlots.OwnerOf(index)?.ManagedThreadId ?? 0);
        return false;
    }

    private static unsafe bool Increment(long epoch)
    {
        // Before the epoch begins, so that nobody finds the time of an older one.
        Volatile.Write(ref s_began[(epoch + 1) & 3], Stopwatch.GetTimestamp());
        // SAFETY: the word lives as long as the process.
        return Interlocked.CompareExchange(ref *GlobalEpoch.Word, epoch + 1, epoch) == epoch;
    }
}
