using Smc.Memory;
using TpcH.Running;

namespace TpcH.Compacting;

/// <summary>What compaction made of line items of one layout, most of which had been removed.</summary>
/// <param name="Loaded">Memory with all rows.</param>
/// <param name="Thinned">Memory after the removal.</param>
/// <param name="Compacted">Memory after the compaction.</param>
/// <param name="Fresh">Memory of the rows that are left, loaded into a new collection.</param>
/// <param name="Undisturbed">The threads before the compaction.</param>
/// <param name="Disturbed">The threads during the compaction.</param>
internal sealed record CompactedLayout(
    string Layout,
    MemorySample Loaded,
    MemorySample Thinned,
    MemorySample Compacted,
    MemorySample Fresh,
    CompactionResult Result,
    TimeSpan Duration,
    UseReport Undisturbed,
    UseReport Disturbed,
    IReadOnlyList<WornAgainstFresh> Queries,
    HandleReads HandleReads)
{
    /// <summary>How much more physical memory the compacted rows take than a fresh load of them: 1 is none.</summary>
    public double ResidentRatio => Compacted.Resident / (double)Fresh.Resident;

    /// <summary>The first thing that was wrong, or null.</summary>
    public string? Problem => Undisturbed.Problem ?? Disturbed.Problem ?? Queries.FirstOrDefault(query => query.Problem is not null)?.Problem ?? HandleReads.Problem;
}
