namespace Smc.Stress.Scheduling;

/// <summary>A thread waits for its turn, which another one gives it. Unlike a <see cref="SemaphoreSlim"/> it never yields its processor, which takes a millisecond beside a busy thread (decision 0057).</summary>
internal sealed class Turn
{
    /// <summary>Some microseconds: as long as the next step of another actor takes if it has a processor.</summary>
    private const int Looks = 100;

    private readonly object _lock = new();
    private volatile bool _isGiven;

    public void Give()
    {
        lock (_lock)
        {
            _isGiven = true;
            Monitor.Pulse(_lock);
        }
    }

    public void Wait()
    {
        while (!Wait(Timeout.InfiniteTimeSpan)) { }
    }

    /// <returns>False if it was not given in time.</returns>
    public bool Wait(TimeSpan limit)
    {
        for (int look = 0; look < Looks && !_isGiven; look++) Thread.SpinWait(1);
        lock (_lock)
        {
            if (!_isGiven) Monitor.Wait(_lock, limit);
            if (!_isGiven) return false;
            _isGiven = false;
            return true;
        }
    }
}
