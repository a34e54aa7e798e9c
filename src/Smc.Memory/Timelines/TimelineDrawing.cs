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
                .Select(static rows => new Row(rows.Key, rows.First().Thread!, [.. rows.SelectMany(static row => row.Events.ToArray())])),
        ];
        Epochs = [.. Threads.SelectMany(static row => row.Events).Where(static mark => mark.Kind == TimelineKind.EpochMoved).OrderBy(static mark => mark.Start)];
    }

    /// <summary>A thread with what it did.</summary>
    public sealed record Row(int Index, string Thread, TimelineEvent[] Events);

    /// <summary>From the start to the end.</summary>
    public double Seconds { get; }

    public IReadOnlyList<Row> Threads { get; }

    /// <summary>Moments in which the epoch moved on, of all threads.</summary>
    public IReadOnlyList<TimelineEvent> Epochs { get; }

    /// <summary>Seconds from the start to a moment.</summary>
    public double At(long ticks) => (double)(ticks - _began) / Stopwatch.Frequency;
}
