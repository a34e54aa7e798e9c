using System.Globalization;
using Star.Engines;

namespace Star.Running;

/// <summary>The results in Markdown. The ratio says how many times faster than DuckDB an engine is.</summary>
internal static class ResultTable
{
    private static readonly IReadOnlyList<string> Headings = ["query", "engine", "form", "min ms", "duckdb ms", "ratio", "allocated"];

    // They are first; the others are numbers.
    private const int TextColumns = 3;

    public static void Write(TextWriter output, IReadOnlyList<Measurement> measurements)
    {
        Dictionary<QueryDefinition, double?> duckDb = measurements
            .Where(measurement => measurement.Contender.Engine == EngineNames.DuckDb)
            .ToDictionary(measurement => measurement.Query, measurement => measurement.MinimumMs);
        // DuckDB has a column; without rivals it has the rows too.
        bool isAlone = measurements.All(measurement => measurement.Contender.Engine == EngineNames.DuckDb);
        Measurement[] rows = [.. measurements.Where(measurement => isAlone || measurement.Contender.Engine != EngineNames.DuckDb)];
        WriteLines(output, [.. rows.Select(row => Row(row, duckDb.GetValueOrDefault(row.Query))), .. Means(rows, duckDb)]);
    }

    private static string[] Row(Measurement row, double? duckDbMs) =>
    [
        row.Query.Name,
        row.Contender.Engine,
        row.Contender.Form is { } form ? FormNames.Of(form) : "",
        row.Problem is null ? Milliseconds(row.MinimumMs) : "WRONG",
        Milliseconds(duckDbMs),
        Ratio(duckDbMs / row.MinimumMs),
        string.Create(CultureInfo.InvariantCulture, $"{row.AllocatedBytes:#,0} B"),
    ];

    // Over the queries that both could answer.
    private static IEnumerable<string[]> Means(IReadOnlyList<Measurement> rows, Dictionary<QueryDefinition, double?> duckDb)
    {
        foreach (IGrouping<Contender, Measurement> contender in rows.Where(row => row.MinimumMs is not null).GroupBy(row => row.Contender))
        {
            double[] rivals = [.. contender.Select(row => duckDb.GetValueOrDefault(row.Query)).OfType<double>()];
            double own = GeometricMean(contender.Select(row => row.MinimumMs!.Value));
            double? rival = rivals.Length == contender.Count() ? GeometricMean(rivals) : null;
            yield return
            [
                "geometric mean",
                contender.Key.Engine,
                contender.Key.Form is { } form ? FormNames.Of(form) : "",
                Milliseconds(own),
                Milliseconds(rival),
                Ratio(rival / own),
                "",
            ];
        }
    }

    private static double GeometricMean(IEnumerable<double> values) => Math.Exp(values.Average(Math.Log));

    private static void WriteLines(TextWriter output, IReadOnlyList<string[]> rows)
    {
        int[] widths = [.. Headings.Select((heading, column) => rows.Select(row => row[column].Length).Append(heading.Length).Max())];
        output.WriteLine(Line([.. Headings], widths));
        output.WriteLine($"|{string.Join('|', widths.Select((width, column) => new string('-', width + 1) + (column < TextColumns ? '-' : ':')))}|");
        foreach (string[] row in rows)
            output.WriteLine(Line(row, widths));
    }

    private static string Line(string[] cells, int[] widths) =>
        $"| {string.Join(" | ", cells.Select((cell, column) => column < TextColumns ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))} |";

    private static string Milliseconds(double? value) => value?.ToString("#,0.00", CultureInfo.InvariantCulture) ?? "";

    private static string Ratio(double? value) => value is { } ratio ? string.Create(CultureInfo.InvariantCulture, $"{ratio:0.00}x") : "";
}
