using Smc.Memory;

namespace Smc.Collections;

/// <summary>Options of a new <see cref="Collection{T}"/>.</summary>
public sealed record CollectionOptions
{
    /// <summary>The name in exception messages and metrics. Default: the name of the row type.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// The maximum number of rows at one time. Default: 2³⁰. It reserves 16 bytes of address space a row, not memory, and is rounded up to at least a whole block of rows.
    /// </summary>
    public long MaxRows { get; init; } = 1L << 30;

    /// <summary>The number of rows in a block of memory. Default: chosen from the size of a row. Small blocks are for tests.</summary>
    public int? BlockCapacity { get; init; }

    /// <summary>
    /// The share of a block's rows that must have been removed before new rows use their places: above 0, at most 1. Default: 0.2. Low values
    /// save memory. High values make adding faster, because places that are used together are close together.
    /// </summary>
    public double LimboThreshold { get; init; } = 0.20;

    /// <summary>
    /// How much garbage of this collection may wait for readers. Default: unlimited. The manager has a budget of its own, for all its
    /// collections together (<see cref="MemoryManagerOptions.Garbage"/>).
    /// </summary>
    public GarbageBudget Garbage { get; init; } = GarbageBudget.Unlimited;

    /// <summary>
    /// Blocks that are at most this full are compacted in the background when there are many of them. Default: 0.3. If 0, only
    /// <see cref="Collection{T}.Compact(TimeSpan?, CancellationToken)"/> compacts, and only it makes filters over values that were set fast again.
    /// </summary>
    public double CompactionOccupancy { get; init; } = 0.3;

    /// <summary>
    /// True if compaction also shrinks the table that handles point into, which has 16 bytes for each row that the collection ever held at one time. Parts
    /// of it are packed when three quarters of their rows are gone. Default: true. Following a handle or a reference to a remaining row then takes some 100 ns more
    /// if it is not in the cache; queries over the collection itself are as fast as before. Set it to false for a collection that shrinks and that other
    /// collections refer to in queries that must be fast. It has an effect only on Linux, and not for a collection that <c>[Direct]</c> references point to.
    /// </summary>
    public bool PackEntries { get; init; } = true;

    /// <summary>The manager that provides and limits the memory. Default: <see cref="MemoryManager.Default"/>.</summary>
    public MemoryManager? Manager { get; init; }
}
