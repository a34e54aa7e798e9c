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

    /// <summary>Where the memory comes from and is limited; the manager of the process when not set.</summary>
    public MemoryManager? Manager { get; init; }
}
