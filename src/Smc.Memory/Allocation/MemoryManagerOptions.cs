using Smc.Memory.Reclamation;

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

    /// <summary>
    /// How the manager frees what no reader can reach any more. Unless it is set here it is what the AppContext value <c>Smc.Reclamation</c> names,
    /// which so decides for <see cref="MemoryManager.Default"/>, and <see cref="ReclamationMethod.Batch"/> without one.
    /// </summary>
    public ReclamationMethod Reclamation { get; init; } = ReclamationDefault.Method;
}
