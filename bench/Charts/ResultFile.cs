using System.Text.Json;

namespace Charts;

/// <summary>The results that a benchmark wrote with <c>--json</c>, or those of a table in <c>docs/</c> in the same form.</summary>
/// <param name="Host">The machine.</param>
/// <param name="Results">One for each query and engine.</param>
/// <param name="Unit">The unit of the values; milliseconds if the file does not say.</param>
internal sealed record ResultFile(string Host, IReadOnlyList<QueryResult> Results, string Unit = "milliseconds")
{
    private static readonly JsonSerializerOptions s_format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>Names of the queries, in the order of the file.</summary>
    public IReadOnlyList<string> Queries => [.. Results.Select(result => result.Query).Distinct()];

    /// <summary>Names of what ran them, in the order of the file.</summary>
    public IReadOnlyList<string> Series => [.. Results.Select(result => result.Series).Distinct()];

    public static ResultFile Read(FileInfo file)
    {
        using FileStream stream = file.OpenRead();
        ResultFile read = JsonSerializer.Deserialize<ResultFile>(stream, s_format) ?? throw new InvalidDataException($"{file} is empty.");
        if (read.Results is not { Count: > 0 })
            throw new InvalidDataException($"{file} has no results: write it with the option --json of a benchmark's verb 'run'.");
        return read;
    }

    /// <summary>The value of a query, or null where it was not measured.</summary>
    public double? ValueOf(string query, string series) =>
        Results.FirstOrDefault(result => result.Query == query && result.Series == series)?.Measured;
}

/// <summary>What one engine made of one query.</summary>
/// <param name="Query">The query's name.</param>
/// <param name="Engine">The engine's name.</param>
/// <param name="Layout">How rows are laid out, for engines with a choice.</param>
/// <param name="Joins">Which text of the query ran.</param>
/// <param name="MinMs">The least time, or null.</param>
/// <param name="Value">The value in the unit of a file that has one.</param>
internal sealed record QueryResult(string Query, string Engine, string? Layout, string? Joins, double? MinMs, double? Value)
{
    /// <summary>What is drawn.</summary>
    public double? Measured => Value ?? MinMs;

    /// <summary>The name in the legend.</summary>
    public string Series => Engine switch
    {
        "duckdb" => "DuckDB",
        "loop" => "foreach over List<T>",
        "linq" => Joins is null ? "LINQ to Objects" : $"LINQ to Objects, {Joins}",
        "smc" => $"SelfManaged{(Layout == "row" ? " (rows)" : "")}{(Joins is null ? "" : $", {Joins}")}",
        _ => Engine,
    };
}
