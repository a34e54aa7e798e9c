using System.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;

namespace Smc.Memory.Timelines;

/// <summary>
/// Takes down what threads do while a timeline runs. While none does, each of the places that ask pays for one load; none of them is on the way into a
/// section, into an addition or into a removal.
/// </summary>
internal sealed class TimelineRecorder(int threads, int eventsPerThread)
{
    private const int MostSlots = 4096;
    private static TimelineRecorder? s_current;

    // A thread takes a row with its first event, and is found by its slot then: the owner alone writes.
    private readonly TimelineRow[] _rows = [.. Enumerable.Range(0, threads).Select(_ => new TimelineRow(eventsPerThread))];
    private readonly TimelineRow?[] _bySlot = new TimelineRow?[MostSlots];
    private int _taken;
    private long _dropped;

    public long Began { get; } = Stopwatch.GetTimestamp();

    public IReadOnlyList<TimelineRow> Rows => _rows;

    /// <summary>Events for which there was no room, or no row.</summary>
    public long Dropped => Volatile.Read(ref _dropped) + _rows.Sum(static row => row.Dropped);

    /// <summary>Makes this the one that threads tell; null for nobody.</summary>
    /// <returns>False if another one is.</returns>
    public static bool TryExchange(TimelineRecorder? from, TimelineRecorder? to) => Interlocked.CompareExchange(ref s_current, to, from) == from;

    /// <summary>Says that an interval begins.</summary>
    /// <returns>The time, or 0 if nobody records.</returns>
    public static long Begin() => Volatile.Read(ref s_current) is null ? 0 : Stopwatch.GetTimestamp();

    /// <summary>Records an interval that <see cref="Begin"/> began.</summary>
    public static void End(TimelineKind kind, long begin, long value)
    {
        if (begin != 0) Volatile.Read(ref s_current)?.Add(new TimelineEvent(kind, begin, Stopwatch.GetTimestamp(), value));
    }

    /// <summary>Records an interval that ends now.</summary>
    public static void Record(TimelineKind kind, TimeSpan duration, long value)
    {
        if (Volatile.Read(ref s_current) is not { } recorder) return;
        long now = Stopwatch.GetTimestamp();
        recorder.Add(new TimelineEvent(kind, now - (long)(duration.TotalSeconds * Stopwatch.Frequency), now, value));
    }

    /// <summary>Records that the epoch moved on, and the garbage that waits.</summary>
    public static void EpochMoved()
    {
        if (Volatile.Read(ref s_current) is { } recorder) recorder.Mark(TimelineKind.EpochMoved, GarbageMonitor.GlobalGarbage());
    }

    /// <summary>Records that the epoch could not move on.</summary>
    public static void EpochBlocked(int slot) => Volatile.Read(ref s_current)?.Mark(TimelineKind.EpochBlocked, slot);

    private void Mark(TimelineKind kind, long value)
    {
        long now = Stopwatch.GetTimestamp();
        Add(new TimelineEvent(kind, now, now, value));
    }

    private unsafe void Add(in TimelineEvent happened)
    {
        int slot = ThreadSlots.Current->Index; // SAFETY: the slot of the calling thread; never freed.
        if ((slot < MostSlots ? _bySlot[slot] ?? Take(slot) : null) is { } row) row.Add(happened, Thread.CurrentThread);
        else Interlocked.Increment(ref _dropped);
    }

    private TimelineRow? Take(int slot)
    {
        int taken = Interlocked.Increment(ref _taken) - 1;
        if (taken >= _rows.Length) return null;
        _rows[taken].Slot = slot;
        return _bySlot[slot] = _rows[taken];
    }
}
