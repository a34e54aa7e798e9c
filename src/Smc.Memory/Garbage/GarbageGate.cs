using System.Diagnostics;
using System.Diagnostics.Tracing;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Garbage;

/// <summary>The marks of one manager or collection and where its garbage stands between them. <see cref="GarbageMonitor"/> moves it.</summary>
internal sealed class GarbageGate(GarbageBudget budget, string owner)
{
    private const int None = 0, Soft = 1, Report = 2, Hard = 3;

    private int _level;
    private long _garbage;
    private long _closedAt;

    public GarbageBudget Budget => budget;

    /// <summary>True over any mark.</summary>
    public bool IsUnderPressure => Volatile.Read(ref _level) > None;

    /// <summary>True if the oldest reader is to be told.</summary>
    public bool WantsReport => Volatile.Read(ref _level) >= Report;

    /// <summary>True while nothing should be added.</summary>
    public bool IsClosed => Volatile.Read(ref _level) == Hard;

    /// <summary>True when additions do not wait any longer.</summary>
    public bool IsOverdue =>
        IsClosed && (budget.OverHardMark == HardMarkAction.Throw || Stopwatch.GetElapsedTime(Volatile.Read(ref _closedAt)) >= budget.HardMarkTimeout);

    /// <summary>Compares what waits now with the marks. One caller at a time.</summary>
    public void Update(long garbage)
    {
        int level = garbage > budget.HardMark ? Hard : garbage > budget.ReportMark ? Report : garbage > budget.SoftMark ? Soft : None;
        int before = _level;
        Volatile.Write(ref _garbage, garbage);
        if (level == before) return;
        // The time first: who sees the gate closed sees since when.
        if (level == Hard) Volatile.Write(ref _closedAt, Stopwatch.GetTimestamp());
        Volatile.Write(ref _level, level);
        Tell(before, level, garbage);
    }

    /// <summary>What an addition throws over the hard mark.</summary>
    /// <param name="oldest">The reader that holds most back.</param>
    /// <param name="isInside">True if the addition is inside a critical section of its caller.</param>
    public OffHeapMemoryException Refuse(StalledReader? oldest, bool isInside)
    {
        string waited = budget.OverHardMark == HardMarkAction.Wait ? $" Additions have waited {budget.HardMarkTimeout.TotalSeconds:0.###} s." : "";
        string inside = isInside
            ? " This addition is inside a critical section of its caller, which is itself among those waited for: add outside, or renew the section (CriticalSection.Renew)."
            : "";
        return new OffHeapMemoryException(
            $"{owner}: {Volatile.Read(ref _garbage):N0} bytes of removed rows, replaced strings and old blocks wait for readers, the hard mark is " +
            $"{budget.HardMark:N0}.{waited} {Describe(oldest)}{inside} The marks are GarbageBudget's of MemoryManagerOptions and CollectionOptions.");
    }

    private static string Describe(StalledReader? oldest) => oldest is { } reader
        ? $"The oldest reader is {reader}."
        : "No reader is behind at the moment.";

    private void Tell(int before, int level, long garbage)
    {
        if (!MemoryEventSource.Log.IsEnabled(EventLevel.Informational, MemoryEventSource.Keywords.Garbage)) return;
        for (int mark = before + 1; mark <= level; mark++)
        {
            if (BytesOf(mark) is { } bytes) MemoryEventSource.Log.MarkExceeded(owner, NameOf(mark), garbage, bytes);
        }
        for (int mark = before; mark > level; mark--)
        {
            if (BytesOf(mark) is not null) MemoryEventSource.Log.MarkCleared(owner, NameOf(mark), garbage);
        }
    }

    private long? BytesOf(int mark) => mark switch { Soft => budget.SoftMark, Report => budget.ReportMark, _ => budget.HardMark };

    private static string NameOf(int mark) => mark switch { Soft => "soft", Report => "report", _ => "hard" };
}
