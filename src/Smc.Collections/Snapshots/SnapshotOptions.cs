namespace Smc.Collections;

/// <summary>Options of <see cref="Snapshot"/>.</summary>
public sealed record SnapshotOptions
{
    /// <summary>How long <c>Take</c> waits for write groups that are open. Writers go on in between: it holds new ones up for a millisecond at a time at most.</summary>
    public TimeSpan TimeLimit { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Ends the wait. One that is cancelled before the call takes no snapshot.</summary>
    public CancellationToken Cancellation { get; init; }

    /// <summary>
    /// When more bytes than these are kept, the snapshot is lost, and writers go on in place; null for a quarter of the memory manager's limit. Without either it is lost when there is no memory for a writer.
    /// </summary>
    public long? MaxBytes { get; init; }
}
