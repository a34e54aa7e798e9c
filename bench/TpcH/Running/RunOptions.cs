namespace TpcH.Running;

/// <summary>What a run is asked to do, every value checked.</summary>
internal sealed record RunOptions
{
    /// <summary>Null: as large as the files of <see cref="Data"/> are.</summary>
    public double? ScaleFactor { get; init; }

    /// <summary>The folder with .tbl files; null when the data is generated.</summary>
    public DirectoryInfo? Data { get; init; }

    public IReadOnlyList<string> Queries { get; init; } = QueryCatalog.Names;

    public IReadOnlyList<string> Engines { get; init; } = TpcH.Engines.EngineNames.All;

    public IReadOnlyList<string> Layouts { get; init; } = [LayoutNames.Columnar];

    /// <summary>Whether smc runs over a second set of tables, too: with unique indexes on primary keys, and ordered ones on dates of orders and lines and on customers of orders.</summary>
    public bool Indexes { get; init; }

    public IReadOnlyList<JoinStyle> Joins { get; init; } = [JoinStyle.References];

    public int Threads { get; init; } = 1;

    public int Repeat { get; init; } = 3;

    public FileInfo? Parameters { get; init; }

    /// <summary>Every seed makes one set of parameters, which all queries run with; none: <see cref="Parameters"/>.</summary>
    public IReadOnlyList<int> RandomSeeds { get; init; } = [];

    public DirectoryInfo? Answers { get; init; }

    public FileInfo? Json { get; init; }

    public bool Explain { get; init; }
}
