namespace Smc.Memory.Timelines;

/// <summary>The events of one thread, in memory taken before the first of them. One thread writes at a time; anybody may read what is complete.</summary>
internal sealed class TimelineRow(int capacity)
{
    private readonly TimelineEvent[] _events = GC.AllocateUninitializedArray<TimelineEvent>(capacity);
    private int _count;
    private long _dropped;

    /// <summary>Index of the thread's slot: a later thread with the same slot goes on in this row.</summary>
    public int Slot { get; set; }

    /// <summary>The thread that wrote the first event; null if none did.</summary>
    public string? Thread { get; private set; }

    /// <summary>Events for which there was no room.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>What was recorded until now, in the order in which it ended.</summary>
    public ReadOnlySpan<TimelineEvent> Events => _events.AsSpan(0, Volatile.Read(ref _count));

    public void Add(in TimelineEvent happened, Thread thread)
    {
        int count = _count;
        if (count == _events.Length)
        {
            Volatile.Write(ref _dropped, _dropped + 1);
            return;
        }
        if (count == 0) Thread = $"{thread.Name ?? "thread"} {thread.ManagedThreadId}";
        _events[count] = happened;
        // Release; partner: Events.
        Volatile.Write(ref _count, count + 1);
    }
}
