using Smc.Memory;

namespace TpcH.Compacting;

/// <summary>The memory of a collection at one moment.</summary>
/// <param name="Resident">Physical memory that came with the collection.</param>
/// <param name="ResidentOfProcess">Physical memory of the whole process besides the managed heap, the other tables included.</param>
internal sealed record MemorySample(long Rows, MemoryUsage Usage, long Resident, long ResidentOfProcess);
