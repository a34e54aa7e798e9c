namespace Smc.Memory;

/// <summary>Options of a <see cref="SliceHeap"/>.</summary>
public sealed record SliceHeapOptions
{
    /// <summary>The name in messages and metrics.</summary>
    public string Name { get; init; } = "slices";

    /// <summary>
    /// Bytes that the heap may have mapped at one time, those that wait for readers among them; null for no limit but the manager's. Beyond it, allocating throws
    /// <see cref="OffHeapMemoryException"/> and changes nothing.
    /// </summary>
    public long? Limit { get; init; }

    /// <summary>Width of the versions, narrower than a pointer's field under test only.</summary>
    internal int VersionBits { get; init; } = SafePtr.VersionBits;

    /// <summary>The collection that the heap is part of, as memory of an index: it counts the heap's bytes, not the manager. Null for a heap of its own.</summary>
    internal MemoryContext? Collection { get; init; }

    /// <summary>Slices of a block at most; small under test, so that a few slices fill several blocks.</summary>
    internal int SlicesPerBlock { get; init; } = SafePtr.MaxSlicesPerBlock;

    /// <summary>Independent parts of the heap; one under test, so that all slices come from one list.</summary>
    internal int Stripes { get; init; } = Math.Min(Environment.ProcessorCount, 8);
}
