using Smc.Memory.Diagnostics;

namespace Smc.Memory;

/// <summary>What a compaction looks for and when it gives up.</summary>
public sealed record CompactionOptions
{
    /// <summary>
    /// Blocks in which at most this share of the slots holds rows are moved together. High values free more memory and copy more rows for it:
    /// at 0.3 three blocks or more become one.
    /// </summary>
    public double Occupancy { get; init; } = 0.3;

    /// <summary>
    /// How long the compaction may take, or null. It waits for critical sections that began before it; when one does not end in time it gives
    /// up and leaves everything as it was. A group of blocks whose rows are already on the move is finished, which takes about a millisecond.
    /// </summary>
    public TimeSpan? TimeLimit { get; init; }

    /// <summary>True to move also the blocks that threads are adding to.</summary>
    internal bool IncludeActive { get; init; } = true;

    /// <summary>Groups that are frozen at the same time.</summary>
    internal int MaxGroups { get; init; } = 16;

    /// <summary>Pages of entries that have to be nearly free for packing any.</summary>
    internal int LeastPagesToPack { get; init; } = 64;

    /// <summary>Test hook: called between steps on the compacting thread; may throw.</summary>
    internal Action<ProtocolStep>? Observer { get; init; }

    internal static void Validate(CompactionOptions options)
    {
        if (options.Occupancy is not (> 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(options), options.Occupancy, "Occupancy lies above 0 and is at most 1.");
        if (options.TimeLimit is { } limit && limit < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(options), limit, "TimeLimit is negative.");
    }
}
