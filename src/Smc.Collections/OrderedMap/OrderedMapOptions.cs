using Smc.Memory;

namespace Smc.Collections;

/// <summary>Options of an <see cref="OrderedMap{TKey, TValue}"/>.</summary>
public sealed record OrderedMapOptions
{
    /// <summary>The name in messages and metrics.</summary>
    public string Name { get; init; } = "map";

    /// <summary>Owner of the memory; <see cref="MemoryManager.Default"/> if null.</summary>
    public MemoryManager? Manager { get; init; }

    /// <summary>
    /// Bytes that the map may have mapped at one time; null for no limit but the manager's. Beyond it, what adds or replaces throws <see cref="OffHeapMemoryException"/> and
    /// changes nothing.
    /// </summary>
    public long? Limit { get; init; }

    /// <summary>Keys of a chunk at most; small under test only, so that chunks are split and merged all the time.</summary>
    internal int? ChunkCapacity { get; init; }
}
