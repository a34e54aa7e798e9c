namespace Smc.Stress.Linearizability;

/// <summary>
/// Keeps what threads do with rows or keys, each in a list of its own, with times on one clock: an interlocked counter, so that an operation that
/// returned before another was called has the smaller number for certain.
/// </summary>
internal sealed class HistoryRecorder<TOperation>
{
    private readonly Lock _lock = new();
    private readonly List<List<TOperation>> _logs = [];
    private long _clock;

    public long Tick() => Interlocked.Increment(ref _clock);

    /// <summary>A list for one thread's operations.</summary>
    public List<TOperation> NewLog()
    {
        List<TOperation> log = [];
        lock (_lock) _logs.Add(log);
        return log;
    }

    /// <summary>All operations of all threads; they must have ended.</summary>
    public IEnumerable<TOperation> History
    {
        get
        {
            lock (_lock) return [.. _logs.SelectMany(static log => log)];
        }
    }
}
