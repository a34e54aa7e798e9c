using System.Diagnostics;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>One run: how long, how many threads, from which seed; starts workers and collects what they find.</summary>
internal sealed class ScenarioRun(TimeSpan duration, StressOptions options)
{
    private static readonly TimeSpan s_extension = TimeSpan.FromMinutes(1);
    private readonly long _end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
    private readonly long _middle = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds / 2 * Stopwatch.Frequency);
    private readonly long _latestEnd = Stopwatch.GetTimestamp() + (long)((duration + s_extension).TotalSeconds * Stopwatch.Frequency);
    private Func<bool> _hasHappened = static () => true;
    private volatile bool _happened;
    private long _lastTag;
    private volatile Exception? _failure;

    public double Seconds => duration.TotalSeconds;

    public int Threads => options.Threads;

    public int Seed => options.Seed;

    /// <inheritdoc cref="StressOptions.Mechanism"/>
    public string? Mechanism => options.Mechanism;

    /// <summary>
    /// True until the time is up or a worker has failed. If what the scenario is about has not happened by then, because the machine is busy with
    /// something else, the run continues until it has, for a minute at most.
    /// </summary>
    public bool Goes => _failure is null && (!IsTimeUp || (!HasHappened && Stopwatch.GetTimestamp() < _latestEnd));

    /// <summary>True if what the scenario is about has happened: without that the run shows nothing.</summary>
    public bool HasHappened
    {
        get
        {
            if (!_happened && _hasHappened()) _happened = true;
            return _happened;
        }
    }

    /// <summary>True in the second half.</summary>
    public bool IsHalfOver => Stopwatch.GetTimestamp() >= _middle;

    private bool IsTimeUp => Stopwatch.GetTimestamp() >= _end;

    /// <summary>Says what the scenario is about: see <see cref="Goes"/>.</summary>
    /// <param name="hasHappened">Called by any worker once the time is up. When it has returned true it is not called again.</param>
    public void ContinueUntil(Func<bool> hasHappened) => _hasHappened = hasHappened;

    /// <summary>A tag that no other row has; never 0.</summary>
    public long NextTag() => Interlocked.Increment(ref _lastTag);

    /// <summary>Runs a worker on each of several threads until all have ended, and throws what the first one threw.</summary>
    public void Work(params Action<Random>[] workers)
    {
        Thread[] running = new Thread[workers.Length];
        for (int i = 0; i < workers.Length; i++)
        {
            Action<Random> worker = workers[i];
            Random random = new(unchecked(Seed * 7919 + i));
            running[i] = new Thread(() => Guard(() => worker(random))) { IsBackground = true };
            running[i].Start();
        }
        foreach (Thread thread in running) thread.Join();
        Rethrow();
    }

    /// <summary>The same worker on every thread.</summary>
    public void WorkOnAll(Action<Random> worker) => Work([.. Enumerable.Repeat(worker, Threads)]);

    /// <summary>Runs an action, keeping what it throws for <see cref="Rethrow"/>.</summary>
    public void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception failure)
        {
            _failure ??= failure;
        }
    }

    /// <summary>
    /// Throws if a manager whose collections are disposed does not give all its memory back within some seconds. It takes a moment when a
    /// compaction in the background is just ending.
    /// </summary>
    public static void RequireAllGivenBack(MemoryManager manager)
    {
        for (int i = 0; i < 5000 && manager.MappedBytes > 0; i++)
        {
            Epoch.TryAdvance();
            if (i > 20) Thread.Sleep(1);
        }
        ViolationException.Require(manager.MappedBytes == 0, $"{manager.MappedBytes:N0} bytes are mapped after everything was disposed");
    }

    public void Rethrow()
    {
        if (_failure is ViolationException or Memory.Diagnostics.InvariantViolatedException) throw new ViolationException(_failure.Message);
        if (_failure is not null) throw new ViolationException($"unexpected {_failure}");
    }
}
