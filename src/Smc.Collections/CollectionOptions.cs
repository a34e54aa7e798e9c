using Smc.Memory;

namespace Smc.Collections;

/// <summary>What may be chosen about a collection when it is made.</summary>
public sealed record CollectionOptions
{
    /// <summary>The name in messages and metrics; the row type's name when not set.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// The most rows that the collection can ever hold at once, 2³⁰ when not set. It reserves addresses (16 bytes a row, rounded up), not memory.
    /// </summary>
    public long MaxRows { get; init; } = 1L << 30;

    /// <summary>Rows per block of memory; chosen from the width of a row when not set. Small blocks are for tests.</summary>
    public int? BlockCapacity { get; init; }

    /// <summary>
    /// Share of a block's rows that must have been removed before the block takes new rows, above 0 and at most 1. Low values keep memory
    /// small, high values make adding cheap, because the places that are used again lie close together.
    /// </summary>
    public double LimboThreshold { get; init; } = 0.20;

    /// <summary>
    /// How much garbage of this collection may wait for readers; without marks when not set. The manager has marks of its own, for all its
    /// collections together (<see cref="MemoryManagerOptions.Garbage"/>).
    /// </summary>
    public GarbageBudget Garbage { get; init; } = GarbageBudget.Unlimited;

    /// <summary>
    /// Blocks in which at most this share of the rows is left are moved together in the background when there are many of them; 0 leaves it to
    /// <see cref="Collection{T}.Compact(TimeSpan?, CancellationToken)"/>.
    /// </summary>
    public double CompactionOccupancy { get; init; } = 0.3;

    /// <summary>
    /// Whether compaction gives back the memory of handles' targets, too: 16 bytes for each row that the collection ever held at one time. It does
    /// that where three quarters of them are gone. Following a handle, or a reference, to a row that is left takes some 100 ns more then when it is not
    /// in the cache; queries over the collection itself take no longer. Set it to false for a collection that shrinks and that others refer to in
    /// queries that have to be fast. Only Linux can do it, and not for a collection that <c>[Direct]</c> references lead to: elsewhere nothing is packed.
    /// </summary>
    public bool PackEntries { get; init; } = true;

    /// <summary>Where the memory comes from and is limited; the manager of the process when not set.</summary>
    public MemoryManager? Manager { get; init; }
}
