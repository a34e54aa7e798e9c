using TpcH.Running;

namespace TpcH.Aging;

/// <summary>What the study is asked to do, every value checked.</summary>
internal sealed record AgingOptions
{
    public double ScaleFactor { get; init; } = 0.1;

    public string Layout { get; init; } = LayoutNames.Columnar;

    public IReadOnlyList<JoinStyle> Joins { get; init; } = [JoinStyle.References, JoinStyle.Keys];

    public IReadOnlyList<QueryDefinition> Queries { get; init; } = QueryCatalog.All;

    public IReadOnlyList<AgedWorld> Worlds { get; init; } = AgedWorlds.All;

    /// <summary>Timed executions of each query in each world.</summary>
    public int Repeat { get; init; } = 9;

    public FileInfo? Json { get; init; }
}
