using System.Diagnostics;
using Smc.Memory.Timelines;

namespace Smc.Memory;

/// <summary>
/// Records when threads free memory, when the epoch moves on and what holds it up, and draws it: a timeline graph as in "Are Your Epochs Too Epic?" (Kim,
/// Brown, Singh, PPoPP 2024, section 3.1).
/// </summary>
/// <remarks>
/// Recorded are, for each thread: memory freed, drains, compactions, moments in which the epoch moved on or could not; and sections that outlive their epoch,
/// from the moment in which they begin to hold it up, to the millisecond. One timeline runs at a time, for the whole process. Its memory is taken at the start:
/// 24 bytes for each event. Members may be called from any thread.
/// <code>
/// using ReclamationTimeline timeline = ReclamationTimeline.Start();
/// …
/// timeline.Stop();
/// timeline.WriteSvg("timeline.svg");
/// </code>
/// </remarks>
public sealed class ReclamationTimeline : IDisposable
{
    private readonly TimelineRecorder _recorder;
    private readonly SectionSampler _sampler;
    private readonly Lock _lock = new();
    private long _ended;

    private ReclamationTimeline(TimelineRecorder recorder, SectionSampler sampler) => (_recorder, _sampler) = (recorder, sampler);

    /// <summary>Events for which there was no room: raise the arguments of <see cref="Start"/>, or stop earlier. Pictures and traces say how many, and from when on a thread's are missing.</summary>
    public long DroppedEvents => _recorder.Dropped + _sampler.Rows.Sum(static row => row.Dropped);

    /// <summary>Events that were recorded.</summary>
    public long Events => _recorder.Rows.Concat(_sampler.Rows).Sum(static row => (long)row.Events.Length);

    /// <summary>Bytes of garbage that waited for readers each time the epoch moved on, in the order of time.</summary>
    public IReadOnlyList<long> GarbagePerEpoch => [.. Drawing().Epochs.Select(static mark => mark.Value)];

    /// <summary>Time that threads spent freeing, added up over all threads.</summary>
    public TimeSpan TimeFreeing
    {
        get
        {
            long ticks = 0;
            foreach (TimelineRow row in _recorder.Rows)
            {
                foreach (ref readonly TimelineEvent happened in row.Events)
                {
                    if (happened.Kind == TimelineKind.Free) ticks += happened.End - happened.Start;
                }
            }
            return TimeSpan.FromSeconds((double)ticks / Stopwatch.Frequency);
        }
    }

    /// <summary>Begins to record.</summary>
    /// <param name="eventsPerThread">Events of one thread that there is room for.</param>
    /// <param name="threads">Threads that there is room for. The first that have something to tell are recorded.</param>
    /// <exception cref="InvalidOperationException">A timeline is running.</exception>
    public static ReclamationTimeline Start(int eventsPerThread = 100_000, int threads = 16)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(eventsPerThread);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(threads);
        TimelineRecorder recorder = new(threads, eventsPerThread);
        if (!TimelineRecorder.TryExchange(null, recorder)) throw new InvalidOperationException("A timeline is running. Stop it first: there is one for the process.");
        return new ReclamationTimeline(recorder, new SectionSampler(Math.Max(1, eventsPerThread / 16)));
    }

    /// <summary>Ends recording. What was recorded stays.</summary>
    public void Stop()
    {
        lock (_lock)
        {
            if (_ended != 0) return;
            TimelineRecorder.TryExchange(_recorder, null);
            _sampler.Dispose();
            _ended = Stopwatch.GetTimestamp();
        }
    }

    /// <summary>Draws what was recorded until now: rows are threads, boxes are intervals, lines are moments in which the epoch moved on; below them garbage.</summary>
    /// <param name="path">The file, which is replaced.</param>
    public void WriteSvg(string path)
    {
        using StreamWriter writer = new(path);
        WriteSvg(writer);
    }

    /// <inheritdoc cref="WriteSvg(string)"/>
    /// <param name="writer">Where it goes.</param>
    public void WriteSvg(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        new TimelineSvg(Drawing()).Write(writer);
    }

    /// <summary>Writes what was recorded until now in the trace format of Chrome, which opens in Perfetto (ui.perfetto.dev) and chrome://tracing.</summary>
    /// <param name="stream">Where it goes, as UTF-8.</param>
    public void WriteChromeTrace(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ChromeTrace.Write(Drawing(), stream);
    }

    /// <inheritdoc cref="Stop"/>
    public void Dispose() => Stop();

    private TimelineDrawing Drawing()
    {
        lock (_lock) return new TimelineDrawing(_recorder, _sampler, _ended != 0 ? _ended : Stopwatch.GetTimestamp());
    }
}
