namespace Smc.Stress.Linearizability;

/// <summary>
/// Keeps what threads do with rows, each in a list of its own, with times on one clock: an interlocked counter, so that an operation that
/// returned before another was called has the smaller number for certain.
/// </summary>
internal sealed class HistoryRecorder
{
    private readonly Lock _lock = new();
    private readonly List<List<RowOperation>> _logs = [];
    private long _clock;

    public long Tick() => Interlocked.Increment(ref _clock);

    /// <summary>A list for one thread's operations.</summary>
    public List<RowOperation> NewLog()
    {
        List<RowOperation> log = [];
        lock (_lock) _logs.Add(log);
        return log;
    }

    /// <summary>All operations of all threads; they must have ended.</summary>
    public IEnumerable<RowOperation> History
    {
        get
        {
            lock (_lock) return [.. _logs.SelectMany(static log => log)];
        }
    }
}
