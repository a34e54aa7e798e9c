using TpcH.Running;

namespace TpcH.Compacting;

/// <summary>What the study of compaction is asked to do, every value checked.</summary>
internal sealed record CompactingOptions
{
    public double ScaleFactor { get; init; } = 0.1;

    /// <summary>Percent of the line items that are removed, at random.</summary>
    public int RemovedPercent { get; init; } = 90;

    public int Seed { get; init; } = 1;

    public IReadOnlyList<string> Layouts { get; init; } = [LayoutNames.Columnar];

    public FileInfo? Json { get; init; }
}
