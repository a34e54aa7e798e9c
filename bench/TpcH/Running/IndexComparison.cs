using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>What indexes do to queries: the same ones over tables without and with them, side by side.</summary>
internal static class IndexComparison
{
    public static void WriteQueries(Terminal terminal, IReadOnlyList<Measurement> measurements)
    {
        Spectre.Console.Table table = TableWith("query", "engine", "without ms", "with ms");
        foreach (Measurement with in measurements.Where(measurement => measurement.Engine.HasIndexes))
        {
            Measurement without = measurements.Single(other => other.Query == with.Query && other.Engine.Name == with.Engine.Name && other.Engine.Layout == with.Engine.Layout && other.Engine.Joins == with.Engine.Joins && !other.Engine.HasIndexes);
            table.AddRow(with.Query.Name, EngineLabel.Of(without.Engine), Number(without.MinimumMs), Number(with.MinimumMs), Ratio(without.MinimumMs, with.MinimumMs));
        }

        TableWriter.Write(terminal, table);
    }

    public static void WriteLookUps(Terminal terminal, IReadOnlyList<MeasuredLookUp> lookUps)
    {
        Spectre.Console.Table table = TableWith("look-up", "layout", "without µs", "with µs");
        foreach (MeasuredLookUp lookUp in lookUps)
            table.AddRow(lookUp.Title, lookUp.Layout, Number(lookUp.WithoutUs), Number(lookUp.WithUs), lookUp.IsCorrect ? Ratio(lookUp.WithoutUs, lookUp.WithUs) : "WRONG");
        TableWriter.Write(terminal, table);
    }

    private static Spectre.Console.Table TableWith(string first, string second, params string[] numbers)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn(first);
        table.AddColumn(new TableColumn(second).NoWrap());
        foreach (string heading in (string[])[.. numbers, "times faster"])
            table.AddColumn(new TableColumn(heading).RightAligned().NoWrap());
        return table;
    }

    private static string Number(double? value) => value?.ToString("#,0.00", CultureInfo.InvariantCulture) ?? "";

    private static string Ratio(double? without, double? with) =>
        without is { } one && with is { } other ? string.Create(CultureInfo.InvariantCulture, $"{one / other:0.00}x") : "";
}
