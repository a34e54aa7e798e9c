using System.Diagnostics;

namespace Smc.Memory.Compaction;

/// <summary>How long a compaction may go on.</summary>
internal readonly struct CompactionPatience(TimeSpan? limit, MemoryContext context, CancellationToken cancellation)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>True when the compaction has to stop as soon as it can.</summary>
    public bool IsOver => cancellation.IsCancellationRequested || context.IsDisposed || limit is { } most && Stopwatch.GetElapsedTime(_start) >= most;

    public CancellationToken Cancellation => cancellation;

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);
}
