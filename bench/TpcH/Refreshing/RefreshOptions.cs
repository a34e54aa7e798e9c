using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>What the rounds are asked to do, every value checked.</summary>
internal sealed record RefreshOptions
{
    public double ScaleFactor { get; init; } = 0.1;

    public int Rounds { get; init; } = 50;

    public IReadOnlyList<string> Layouts { get; init; } = [LayoutNames.Columnar];

    public JoinStyle Joins { get; init; } = JoinStyle.References;

    public IReadOnlyList<QueryDefinition> Queries { get; init; } = QueryCatalog.All;

    /// <summary>Timed executions of each query in each round.</summary>
    public int Repeat { get; init; } = 3;

    /// <summary>Whether orders that are deleted are found by unique indexes.</summary>
    public bool Indexes { get; init; }

    /// <summary>Whether there are no other indexes than those.</summary>
    public bool OnlyIndexesOfOrders { get; init; }

    public FileInfo? Json { get; init; }
}
