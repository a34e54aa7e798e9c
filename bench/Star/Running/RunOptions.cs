using Star.Engines;

namespace Star.Running;

/// <summary>What a run is asked to do, every value checked.</summary>
internal sealed record RunOptions
{
    /// <summary>Sales; the dimensions have always the same sizes.</summary>
    public int Rows { get; init; } = 6_000_000;

    public int Seed { get; init; } = 1;

    /// <summary>Timed executions, after the one that is checked.</summary>
    public int Repeat { get; init; } = 9;

    public int Threads { get; init; } = 1;

    public IReadOnlyList<QueryForm> Forms { get; init; } = [QueryForm.Navigation, QueryForm.Joins];

    public IReadOnlyList<string> Engines { get; init; } = EngineNames.All;

    /// <summary>The file for the results, or null.</summary>
    public FileInfo? Json { get; init; }

    public IReadOnlyList<string> Queries { get; init; } = QueryCatalog.Names;
}
