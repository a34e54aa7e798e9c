using System.Globalization;
using Spectre.Console;
using TpcH.Engines;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>
/// The table at the end of a run. <c>duckdb /</c> is DuckDB's time divided by the engine's: how many times faster the engine is.
/// </summary>
internal static class ResultTable
{
    private static readonly IReadOnlyList<string> RivalsOfRatios = [EngineNames.DuckDb, EngineNames.Linq];

    public static void Write(Terminal terminal, IReadOnlyList<Measurement> measurements) => TableWriter.Write(terminal, Build(measurements));

    private static Spectre.Console.Table Build(IReadOnlyList<Measurement> measurements)
    {
        string[] rivals = [.. RivalsOfRatios.Where(rival => measurements.Any(measurement => measurement.Engine.Name == rival))];
        var table = new Spectre.Console.Table();
        table.AddColumn("query");
        table.AddColumn(new TableColumn("engine").NoWrap());
        foreach (string heading in (string[])["min ms", "median", .. rivals.Select(rival => $"{rival} /"), "allocated"])
            table.AddColumn(new TableColumn(heading).RightAligned().NoWrap());
        table.AddColumn(new TableColumn("answer").NoWrap());
        foreach (IGrouping<QueryDefinition, Measurement> query in measurements.GroupBy(measurement => measurement.Query))
        {
            foreach (Measurement measurement in query)
                table.AddRow(Cells(measurement, [.. rivals.Select(rival => Rival(rival, measurement, query))]));
        }
        return table;
    }

    // With the same text where there are several.
    private static Measurement? Rival(string name, Measurement measurement, IEnumerable<Measurement> query)
    {
        Measurement[] rivals = [.. query.Where(other => other.Engine.Name == name)];
        return rivals.FirstOrDefault(rival => rival.Engine.Joins == measurement.Engine.Joins) ?? rivals.FirstOrDefault();
    }

    private static Text[] Cells(Measurement measurement, IReadOnlyList<Measurement?> rivals)
    {
        bool isWrong = measurement.IsCorrect == false;
        return
        [
            new Text(measurement.Query.Name),
            new Text(EngineLabel.Of(measurement.Engine)),
            isWrong ? new Text("WRONG", new Style(Color.Red)) : new Text(Milliseconds(measurement.MinimumMs)),
            new Text(isWrong ? "" : Milliseconds(measurement.MedianMs)),
            .. rivals.Select(rival => new Text(Ratio(rival?.MinimumMs, measurement.MinimumMs))),
            new Text(isWrong ? "" : Bytes(measurement.AllocatedBytes)),
            new Text(measurement.IsCorrect switch { true => "right", false => "WRONG", null => "unchecked" }),
        ];
    }

    private static string Milliseconds(double? value) => value?.ToString("#,0.00", CultureInfo.InvariantCulture) ?? "";

    private static string Ratio(double? rival, double? own) =>
        rival is { } one && own is { } other ? string.Create(CultureInfo.InvariantCulture, $"{one / other:0.00}x") : "";

    private static string Bytes(long bytes) => bytes switch
    {
        < 100_000 => string.Create(CultureInfo.InvariantCulture, $"{bytes:#,0} B"),
        < 100L << 20 => string.Create(CultureInfo.InvariantCulture, $"{bytes >> 10:#,0} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes >> 20:#,0} MiB"),
    };
}
