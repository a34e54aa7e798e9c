using System.Diagnostics;
using Smc.Memory.Allocation;

namespace Smc.Memory.Compaction;

/// <summary>How long somebody may go on who waits for readers, or for others that do. The default waits for ever.</summary>
/// <param name="limit">For so long at most.</param>
/// <param name="life">Until the collection ends.</param>
/// <param name="cancellation">Until somebody cancels it.</param>
internal readonly struct CompactionPatience(TimeSpan? limit, CollectionLife? life, CancellationToken cancellation)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>True when the compaction has to stop as soon as it can.</summary>
    public bool IsOver => cancellation.IsCancellationRequested || life is { IsDisposed: true } || limit is { } most && Stopwatch.GetElapsedTime(_start) >= most;

    public CancellationToken Cancellation => cancellation;

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);
}
