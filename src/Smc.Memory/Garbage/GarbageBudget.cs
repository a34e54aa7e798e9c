namespace Smc.Memory;

/// <summary>
/// How much garbage may wait for readers: bytes of removed rows, of replaced strings and of old blocks that cannot be re-used yet, because
/// a critical section that began before may still read them. Three marks, each optional, for a manager or for one collection.
/// </summary>
/// <remarks>
/// Without long readers little garbage waits: a few MiB under the heaviest churn. So a mark that is reached tells of a reader that stays
/// inside. Marks are looked at as garbage accumulates, at least once for every quarter of the lowest mark and thread.
/// </remarks>
public sealed record GarbageBudget
{
    /// <summary>No marks: garbage grows as long as the system has memory, and nobody is told.</summary>
    public static GarbageBudget Unlimited { get; } = new();

    /// <summary>What a manager has unless it is told otherwise: soft 64 MiB, report 256 MiB, never refused.</summary>
    public static GarbageBudget Default { get; } = new() { SoftMark = 64L << 20, ReportMark = 256L << 20 };

    /// <summary>
    /// Bytes over which the library works harder to get rid of garbage: the epoch is advanced more often, and queries leave and enter their
    /// critical section between blocks where they can. Null for never.
    /// </summary>
    public long? SoftMark { get; init; }

    /// <summary>
    /// Bytes over which <see cref="MemoryManager.OldestReader"/> is told, once for each section that holds garbage back, as event
    /// <c>ReaderStalled</c>. Null for never.
    /// </summary>
    public long? ReportMark { get; init; }

    /// <summary>Bytes over which nothing is added until readers have left; see <see cref="OverHardMark"/>. Null for never: memory grows.</summary>
    public long? HardMark { get; init; }

    /// <summary>What an addition does over the hard mark.</summary>
    public HardMarkAction OverHardMark { get; init; } = HardMarkAction.Throw;

    /// <summary>How long additions wait, from the moment the mark was passed, before they throw after all.</summary>
    public TimeSpan HardMarkTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The lowest mark, or null if there is none.</summary>
    internal long? Lowest => SoftMark ?? ReportMark ?? HardMark;

    internal static void Validate(GarbageBudget budget)
    {
        Positive(nameof(SoftMark), budget.SoftMark);
        Positive(nameof(ReportMark), budget.ReportMark);
        Positive(nameof(HardMark), budget.HardMark);
        if (budget.SoftMark > budget.ReportMark || budget.SoftMark > budget.HardMark || budget.ReportMark > budget.HardMark)
        {
            throw new ArgumentException(
                $"The marks of a GarbageBudget rise: SoftMark ({budget.SoftMark:N0}), ReportMark ({budget.ReportMark:N0}), HardMark ({budget.HardMark:N0}). " +
                "Set the marks that are not wanted to null.", nameof(budget));
        }
        if (!Enum.IsDefined(budget.OverHardMark))
            throw new ArgumentOutOfRangeException(nameof(budget), budget.OverHardMark, "OverHardMark is Throw or Wait. To let memory grow, set HardMark to null.");
        if (budget.HardMarkTimeout < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(budget), budget.HardMarkTimeout, "HardMarkTimeout is negative. To throw at once, set OverHardMark to Throw.");
    }

    private static void Positive(string name, long? mark)
    {
        if (mark <= 0) throw new ArgumentOutOfRangeException(nameof(mark), mark, $"{name} is a number of bytes above 0, or null for none.");
    }
}
