namespace Smc.Memory;

/// <summary>
/// How many bytes of retired rows a manager lets wait, and what a scan for them may take: rows that are retired, and reclaimed ones that a reader may still be at. Without their strings; see <see cref="MemoryManager.RetiredBytes"/>.
/// </summary>
public sealed record RetireBudget
{
    /// <summary>No marks: rows are reclaimed by <see cref="MemoryManager.CollectRetired"/> only.</summary>
    public static RetireBudget OnDemand { get; } = new();

    /// <summary>Default budget of a manager: scans in the background above 64 MiB, no hard mark.</summary>
    public static RetireBudget Default { get; } = new() { SoftMark = 64L << 20 };

    /// <summary>
    /// Bytes above which a scan runs in the background. What a scan leaves because rows refer to it is no reason for the next: that begins when the bytes have doubled.
    /// Null for never.
    /// </summary>
    public long? SoftMark { get; init; }

    /// <summary>
    /// Bytes that are never passed: a row that would pass them is not retired before a scan has made room, for which its thread waits. Inside a critical section or a write group, for which the scan
    /// would wait, it throws at once. Null for none.
    /// </summary>
    public long? HardMark { get; init; }

    /// <summary>How long <c>Retire</c> waits at the hard mark before it throws <see cref="OffHeapMemoryException"/>. Default: one second.</summary>
    public TimeSpan HardMarkTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Threads that read references in a scan, at most: that of the caller, or of the pool, and others of the pool that help. Default: 1, which leaves the processors to those who read and write.
    /// </summary>
    public int DegreeOfParallelism { get; init; } = 1;

    internal static void Validate(RetireBudget budget)
    {
        if (budget.SoftMark <= 0) throw new ArgumentOutOfRangeException(nameof(budget), budget.SoftMark, "SoftMark is a number of bytes above 0, or null for none.");
        if (budget.HardMark <= 0) throw new ArgumentOutOfRangeException(nameof(budget), budget.HardMark, "HardMark is a number of bytes above 0, or null for none.");
        if (budget.SoftMark > budget.HardMark)
            throw new ArgumentException($"The marks of a RetireBudget rise: SoftMark ({budget.SoftMark:N0}), HardMark ({budget.HardMark:N0}). Set the mark that is not wanted to null.", nameof(budget));
        if (budget.DegreeOfParallelism < 1) throw new ArgumentOutOfRangeException(nameof(budget), budget.DegreeOfParallelism, "DegreeOfParallelism is at least 1.");
        if (budget.HardMarkTimeout < TimeSpan.Zero) throw new ArgumentOutOfRangeException(nameof(budget), budget.HardMarkTimeout, "HardMarkTimeout is negative. To throw at once, set it to zero.");
    }
}
