namespace Star.Engines;

internal static class EngineNames
{
    /// <summary>The LINQ texts over self-managed collections, compiled to loops when the program was built.</summary>
    public const string Smc = "smc";

    /// <summary>The same texts over lists of objects: LINQ to Objects.</summary>
    public const string Linq = "linq";

    /// <summary>The SQL in DuckDB, in this process.</summary>
    public const string DuckDb = "duckdb";

    public static IReadOnlyList<string> All { get; } = [Smc, Linq, DuckDb];
}
