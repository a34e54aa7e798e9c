using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>Options of a <see cref="MemoryManager"/>.</summary>
public sealed record MemoryManagerOptions
{
    /// <summary>The name in exception messages and metrics.</summary>
    public string Name { get; init; } = "manager";

    /// <summary>
    /// The maximum number of bytes that the manager may obtain from the system; null for no limit. Operations that need more throw
    /// <see cref="OffHeapMemoryException"/> and change nothing.
    /// </summary>
    public long? Limit { get; init; }

    /// <summary>How much garbage of all collections together may wait for readers.</summary>
    public GarbageBudget Garbage { get; init; } = GarbageBudget.Default;

    /// <summary>How many bytes of retired rows may wait, and when a scan reclaims them in the background.</summary>
    public RetireBudget Retired { get; init; } = RetireBudget.Default;

    /// <summary>
    /// How the manager frees what no reader can reach any more. Unless it is set here it is what the AppContext value <c>Smc.Reclamation</c> names,
    /// which so decides for <see cref="MemoryManager.Default"/>, and <see cref="ReclamationMethod.Batch"/> without one.
    /// </summary>
    public ReclamationMethod Reclamation { get; init; } = ReclamationDefault.Method;
}
