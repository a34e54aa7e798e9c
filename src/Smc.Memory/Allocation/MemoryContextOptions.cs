using System.ComponentModel;
using Smc.Memory.Platform;

namespace Smc.Memory;

/// <summary>Options of a <see cref="MemoryContext"/>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record MemoryContextOptions
{
    /// <summary>Slots of a block that are used, if fewer than the layout has. Small numbers are for tests.</summary>
    public int? BlockCapacity { get; init; }

    /// <summary>Rows that the collection can have at one time. Reserves 16 bytes of addresses for each, rounded up; no memory.</summary>
    public long MaxRows { get; init; } = 1L << 30;

    /// <summary>
    /// Share of a block's slots that must be in limbo before the block is re-used. Low values keep memory small, high values make adding
    /// cheap, because the re-usable slots lie close together.
    /// </summary>
    public double LimboThreshold { get; init; } = 0.20;

    /// <summary>How much garbage of this collection may wait for readers. The manager has marks of its own, for all its collections together.</summary>
    public GarbageBudget Garbage { get; init; } = GarbageBudget.Unlimited;

    /// <summary>Distinct texts of a column that are interned at most; small numbers are for tests.</summary>
    internal int MaxInternedTexts { get; init; } = 4096;

    /// <summary>Bytes of the first string segment; the next ones double. A page under test, so that a few rows fill several.</summary>
    internal long FirstStringSegment { get; init; } = VirtualMemory.Granularity;

    /// <summary>Bytes of the largest string segment.</summary>
    internal long LargestStringSegment { get; init; } = 2 * VirtualMemory.HugePageSize;

    /// <summary>
    /// Blocks in which at most this share of the slots holds rows are compacted in the background once they come to some megabytes and an
    /// eighth of the collection. 0 leaves compaction to <see cref="CollectionCompaction.Run"/>.
    /// </summary>
    public double CompactionOccupancy { get; init; } = 0.3;

    /// <summary>
    /// Whether compaction packs entries that most rows have left, so that a collection that shrank does not keep 16 bytes for each row that it ever
    /// held. Following a handle to such a row takes some 100 ns more when it is not in the cache.
    /// </summary>
    public bool PackEntries { get; init; } = true;

    /// <summary>Bytes of sparse blocks that are worth a compaction in the background; small under test only.</summary>
    internal long BackgroundCompactionBytes { get; init; } = 16 << 20;

    /// <summary>Width of the incarnations, narrower than a handle's field under test only.</summary>
    internal int IncarnationBits { get; init; } = Handle.IncarnationBits;

    internal static void Validate(MemoryContextOptions options, BlockLayout layout)
    {
        ArgumentNullException.ThrowIfNull(options.Garbage, nameof(options));
        GarbageBudget.Validate(options.Garbage);
        if (options.BlockCapacity is { } slots && (slots < 1 || slots > layout.Capacity))
            throw new ArgumentOutOfRangeException(nameof(options), slots, $"BlockCapacity: a block of {layout.RowTypeName} has 1 to {layout.Capacity} slots.");
        if (options.MaxRows is < 1 or > 1L << 32) throw new ArgumentOutOfRangeException(nameof(options), options.MaxRows, "MaxRows: a collection has 1 to 2^32 rows.");
        if (options.LimboThreshold is not (> 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(options), options.LimboThreshold, "LimboThreshold lies above 0 and is at most 1.");
        if (options.CompactionOccupancy is not (>= 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(options), options.CompactionOccupancy, "CompactionOccupancy lies between 0 and 1.");
    }
}
