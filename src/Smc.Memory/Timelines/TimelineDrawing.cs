using System.Diagnostics;

namespace Smc.Memory.Timelines;

/// <summary>What a timeline has recorded at one moment, put together for writing.</summary>
internal sealed class TimelineDrawing
{
    private readonly long _began;

    public TimelineDrawing(TimelineRecorder recorder, SectionSampler sampler, long end)
    {
        _began = recorder.Began;
        Seconds = Math.Max(At(end), 1e-6);
        Threads =
        [
            .. recorder.Rows.Concat(sampler.Rows).Where(static row => row.Thread is not null).GroupBy(static row => row.Slot).OrderBy(static rows => rows.Key)
                .Select(static rows => new Row(rows.Key, rows.First().Thread!, [.. rows.SelectMany(static row => row.Events.ToArray())], Lost(rows), rows.Sum(static row => row.Dropped))),
        ];
        Dropped = recorder.Dropped + sampler.Rows.Sum(static row => row.Dropped);
        Epochs = [.. Threads.SelectMany(static row => row.Events).Where(static mark => mark.Kind == TimelineKind.EpochMoved).OrderBy(static mark => mark.Start)];
    }

    /// <summary>A thread with what it did.</summary>
    /// <param name="Index">Index of its slot.</param>
    /// <param name="Thread">Its name.</param>
    /// <param name="Events">What is known.</param>
    /// <param name="LostFrom">From this moment on some events had no room; null if all had.</param>
    /// <param name="Dropped">How many these are.</param>
    public sealed record Row(int Index, string Thread, TimelineEvent[] Events, long? LostFrom, long Dropped);

    /// <summary>From the start to the end.</summary>
    public double Seconds { get; }

    public IReadOnlyList<Row> Threads { get; }

    /// <summary>Events for which there was no room, of threads without a row, too.</summary>
    public long Dropped { get; }

    /// <summary>Moments in which the epoch moved on, of all threads.</summary>
    public IReadOnlyList<TimelineEvent> Epochs { get; }

    /// <summary>Seconds from the start to a moment.</summary>
    public double At(long ticks) => (double)(ticks - _began) / Stopwatch.Frequency;

    // Rows are full when their last event has ended.
    private static long? Lost(IEnumerable<TimelineRow> rows) =>
        rows.Where(static row => row.Dropped > 0).Select(static row => (long?)row.Events[^1].End).Min();
}
