namespace Smc.Memory;

/// <summary>What <see cref="MemoryManager.CollectRetired"/> did.</summary>
/// <param name="Candidates">Rows that were retired when it began.</param>
/// <param name="Removed">Those of them that were reclaimed.</param>
/// <param name="BytesScanned">Bytes of references in rows that are not retired that were read, or passed by because the zone map of their block says that none leads to a retired row.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="IsComplete">False if it ended early; then nothing was reclaimed.</param>
public readonly record struct ScanResult(long Candidates, long Removed, long BytesScanned, TimeSpan Elapsed, bool IsComplete);
