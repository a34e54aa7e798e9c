using System.Diagnostics;

namespace TpcH.Pauses;

/// <summary>A thread that only looks at the clock. The longest time between two looks is what a request of another thread would have waited.</summary>
internal sealed class LatencyProbe : IDisposable
{
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _started = new();
    private volatile bool _isStopping;
    private long _longestTicks;

    public LatencyProbe()
    {
        _thread = new Thread(Watch) { IsBackground = true, Name = "latency probe", Priority = ThreadPriority.AboveNormal };
        _thread.Start();
        _started.Wait();
    }

    /// <summary>Ends the watch and tells the longest gap.</summary>
    public TimeSpan Stop()
    {
        _isStopping = true;
        _thread.Join();
        return Stopwatch.GetElapsedTime(0, _longestTicks);
    }

    public void Dispose()
    {
        Stop();
        _started.Dispose();
    }

    private void Watch()
    {
        long last = Stopwatch.GetTimestamp();
        _started.Set();
        while (!_isStopping)
        {
            long now = Stopwatch.GetTimestamp();
            _longestTicks = Math.Max(_longestTicks, now - last);
            last = now;
        }
    }
}
