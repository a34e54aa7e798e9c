namespace Smc.Memory;

/// <summary>Options of a <see cref="MemoryManager"/>.</summary>
public sealed record MemoryManagerOptions
{
    /// <summary>The name in messages and metrics.</summary>
    public string Name { get; init; } = "manager";

    /// <summary>
    /// Bytes that the manager may have mapped at one time; null for no limit. Beyond it allocations throw
    /// <see cref="OffHeapMemoryException"/> and leave everything as it was.
    /// </summary>
    public long? Limit { get; init; }

    /// <summary>How much garbage of all collections together may wait for readers.</summary>
    public GarbageBudget Garbage { get; init; } = GarbageBudget.Default;
}
