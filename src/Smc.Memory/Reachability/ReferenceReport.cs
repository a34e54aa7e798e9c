namespace Smc.Memory;

/// <summary>What <see cref="MemoryManager.VerifyReferencesAsync"/> found.</summary>
/// <param name="Dangling">The columns in which rows that are not retired refer to rows that are gone.</param>
/// <param name="Orphaned">Retired rows that no stored reference leads to: those that <see cref="MemoryManager.CollectRetired"/> would reclaim.</param>
/// <param name="Cyclic">Those of them that refer to themselves, directly or through others.</param>
/// <param name="BytesScanned">Bytes of references in rows that are not retired that were read, or passed by because the zone map of their block says that none leads to a retired row.</param>
public sealed record ReferenceReport(IReadOnlyList<DanglingColumn> Dangling, long Orphaned, long Cyclic, long BytesScanned);
