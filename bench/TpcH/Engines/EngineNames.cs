namespace TpcH.Engines;

internal static class EngineNames
{
    public const string Smc = "smc";
    public const string Loop = "loop";
    public const string Linq = "linq";
    public const string DuckDb = "duckdb";

    public static IReadOnlyList<string> All { get; } = [Smc, Loop, Linq, DuckDb];
}
