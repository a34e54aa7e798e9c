using System.Globalization;
using Smc.Memory;
using Spectre.Console;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>The rounds as a table (the times of single queries are in the JSON), the comparison with a fresh load, and whether the goals are met.</summary>
internal static class RefreshReport
{
    private const double DriftGoal = 0.05;
    private const double RatioGoal = 1.10;

    /// <summary>Returns whether every answer is right and every goal is met. Goals need rounds after <see cref="RefreshedLayout.SettledRound"/>.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<RefreshedLayout> layouts)
    {
        bool allMet = true;
        foreach (RefreshedLayout layout in layouts)
        {
            terminal.Output.WriteLine($"{layout.Layout}: memory in MiB, times in ms");
            TableWriter.Write(terminal, RoundsTable(layout.Rounds));
            TableWriter.Write(terminal, ComparisonTable(layout));
            foreach ((string goal, bool isMet) in Goals(layout))
            {
                terminal.Output.WriteLine($"{(isMet ? "holds" : "DOES NOT HOLD")}: {goal}");
                allMet &= isMet;
            }
        }
        return allMet;
    }

    private static Spectre.Console.Table RoundsTable(IReadOnlyList<RefreshRound> rounds)
    {
        Spectre.Console.Table table = NewTable("round");
        string[] headings =
        [
            "inserted", "removed", "RF1", "RF2", "moved", "resident", "mapped", "live", "limbo", "free", "strings", "retired", "queries",
        ];
        foreach (string heading in headings)
            table.AddColumn(new TableColumn(heading).RightAligned().NoWrap());
        table.AddColumn("answers");
        foreach (RefreshRound round in rounds)
        {
            MemoryUsage memory = round.Memory;
            string[] cells =
            [
                Number(round.Number), Number(round.Work.RowsInserted), Number(round.Work.RowsRemoved),
                Milliseconds(round.Work.Insert.TotalMilliseconds), Milliseconds(round.Work.Delete.TotalMilliseconds), Number(round.RowsMoved),
                MiB(round.Resident), MiB(memory.Mapped), MiB(memory.Live), MiB(memory.Limbo), MiB(memory.Free), MiB(memory.Strings), MiB(memory.RetiredStrings + memory.RetiredBlocks),
                Milliseconds(round.Queries.Sum(query => query.MinimumMs ?? 0)),
                round.IsRight ? "right" : "WRONG",
            ];
            table.AddRow([.. cells.Select(cell => new Text(cell))]);
        }
        return table;
    }

    private static Spectre.Console.Table ComparisonTable(RefreshedLayout layout)
    {
        Spectre.Console.Table table = NewTable($"after {layout.Rounds.Count - 1} rounds");
        foreach (string heading in (string[])["worn", "fresh", "worn / fresh"])
            table.AddColumn(new TableColumn(heading).RightAligned());
        RefreshRound last = layout.Rounds[^1];
        AddRow("resident", last.Resident, layout.FreshResident, MiB);
        AddRow("mapped", last.Memory.Mapped, layout.FreshMemory.Mapped, MiB);
        foreach (WornAgainstFresh comparison in layout.Comparisons)
            AddRow(comparison.Query.Name, comparison.WornMs, comparison.FreshMs, Milliseconds);
        return table;

        void AddRow<T>(string name, T worn, T fresh, Func<T, string> format)
            where T : IConvertible => table.AddRow(
                new Text(name), new Text(format(worn)), new Text(format(fresh)),
                new Text(Ratio(worn.ToDouble(CultureInfo.InvariantCulture) / fresh.ToDouble(CultureInfo.InvariantCulture))));
    }

    private static IEnumerable<(string Goal, bool IsMet)> Goals(RefreshedLayout layout)
    {
        yield return ($"all answers over {layout.Layout} collections are those of hand-written loops over lists of objects", layout.IsRight);
        if (layout.ResidentDrift is not { } drift)
            yield break;
        yield return (string.Create(CultureInfo.InvariantCulture,
            $"resident memory stays within {100 * drift:0.0} % of that after round {RefreshedLayout.SettledRound} (goal: {100 * DriftGoal:0} %)"),
            drift <= DriftGoal);
        foreach (WornAgainstFresh comparison in layout.Comparisons)
        {
            yield return (string.Create(CultureInfo.InvariantCulture,
                $"{comparison.Query.Name} takes {comparison.Ratio:0.00} times as long as over a fresh load (goal: at most {RatioGoal:0.00})"),
                comparison.Ratio <= RatioGoal);
        }
    }

    private static Spectre.Console.Table NewTable(string firstHeading)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn(new TableColumn(firstHeading).RightAligned());
        return table;
    }

    private static string Number(long value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    private static string MiB(long bytes) => (bytes / (double)(1 << 20)).ToString("#,0.0", CultureInfo.InvariantCulture);

    private static string Milliseconds(double value) => value.ToString("#,0.00", CultureInfo.InvariantCulture);

    private static string Ratio(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);
}
