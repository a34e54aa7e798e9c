using System.Globalization;
using Spectre.Console;
using TpcH.Engines;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>The table at the end of a run.</summary>
internal static class ResultTable
{
    private static readonly IReadOnlyList<string> RivalsOfRatios = [EngineNames.DuckDb, EngineNames.Linq];

    public static void Write(Terminal terminal, IReadOnlyList<Measurement> measurements) => TableWriter.Write(terminal, Build(measurements));

    private static Spectre.Console.Table Build(IReadOnlyList<Measurement> measurements)
    {
        string[] rivals = [.. RivalsOfRatios.Where(rival => measurements.Any(measurement => measurement.Engine.Name == rival))];
        var table = new Spectre.Console.Table();
        foreach (string heading in (string[])["query", "engine", "layout", "threads"])
            table.AddColumn(heading);
        foreach (string heading in (string[])["min ms", "median ms", .. rivals.Select(rival => $"{rival} / this"), "allocated"])
            table.AddColumn(new TableColumn(heading).RightAligned());
        table.AddColumn("answer");
        foreach (IGrouping<QueryDefinition, Measurement> query in measurements.GroupBy(measurement => measurement.Query))
        {
            foreach (Measurement measurement in query)
                table.AddRow(Cells(measurement, [.. rivals.Select(rival => query.First(other => other.Engine.Name == rival))]));
        }
        return table;
    }

    private static Text[] Cells(Measurement measurement, IReadOnlyList<Measurement> rivals)
    {
        IEngine engine = measurement.Engine;
        bool isWrong = measurement.IsCorrect == false;
        return
        [
            new Text(measurement.Query.Name),
            new Text(engine.Name),
            new Text(engine.Layout ?? ""),
            new Text(engine.Threads.ToString(CultureInfo.InvariantCulture)),
            isWrong ? new Text("WRONG", new Style(Color.Red)) : new Text(Milliseconds(measurement.MinimumMs)),
            new Text(isWrong ? "" : Milliseconds(measurement.MedianMs)),
            .. rivals.Select(rival => new Text(Ratio(rival.MinimumMs, measurement.MinimumMs))),
            new Text(isWrong ? "" : measurement.AllocatedBytes.ToString("#,0", CultureInfo.InvariantCulture)),
            new Text(measurement.IsCorrect switch { true => "right", false => "WRONG", null => "unchecked" }),
        ];
    }

    private static string Milliseconds(double? value) => value?.ToString("#,0.00", CultureInfo.InvariantCulture) ?? "";

    private static string Ratio(double? rival, double? own) =>
        rival is { } one && own is { } other ? string.Create(CultureInfo.InvariantCulture, $"{one / other:0.00}×") : "";
}
