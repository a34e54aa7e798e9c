namespace Smc.Memory;

/// <summary>
/// Limits for garbage: bytes of removed rows, replaced strings and old blocks that cannot be used again yet, because
/// a query or another reader that began before may still read them. There are three marks, each optional, for a manager or for one collection.
/// </summary>
/// <remarks>
/// Without long-running readers there is little garbage: a few MiB under the heaviest load. So reaching a mark means that a reader
/// takes long. Marks are checked as garbage accumulates, at least once per thread for each quarter of the lowest mark.
/// </remarks>
public sealed record GarbageBudget
{
    /// <summary>No marks: garbage grows as long as the system has memory, and is not reported.</summary>
    public static GarbageBudget Unlimited { get; } = new();

    /// <summary>Default budget of a manager: soft mark 64 MiB, report mark 256 MiB, no hard mark.</summary>
    public static GarbageBudget Default { get; } = new() { SoftMark = 64L << 20, ReportMark = 256L << 20 };

    /// <summary>
    /// Bytes above which the library tries harder to reclaim garbage: it advances the epoch more often, and queries leave and re-enter their
    /// critical section between blocks where they can. Null for never.
    /// </summary>
    public long? SoftMark { get; init; }

    /// <summary>
    /// Bytes above which the oldest reader (<see cref="MemoryManager.OldestReader"/>) is reported by the event <c>ReaderStalled</c>, once for each critical section that holds
    /// garbage back. Null for never.
    /// </summary>
    public long? ReportMark { get; init; }

    /// <summary>Bytes above which no rows can be added until readers have left; see <see cref="OverHardMark"/>. Null for never: memory grows.</summary>
    public long? HardMark { get; init; }

    /// <summary>What an addition does above the hard mark. Default: throw.</summary>
    public HardMarkAction OverHardMark { get; init; } = HardMarkAction.Throw;

    /// <summary>How long additions wait before they throw, counted from the moment the mark was exceeded. Default: one second.</summary>
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
