using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.Pauses;

/// <summary>The study's table, and whether it meets the goals.</summary>
internal static class PauseReport
{
    private static readonly TimeSpan PauseGoal = TimeSpan.FromMilliseconds(2);

    /// <summary>Returns whether every goal is met.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<PauseRow> rows)
    {
        TableWriter.Write(terminal, BuildTable(rows));
        bool allMet = true;
        foreach ((string goal, bool isMet) in Goals(rows))
        {
            terminal.Output.WriteLine($"{(isMet ? "holds" : "DOES NOT HOLD")}: {goal}");
            allMet &= isMet;
        }
        return allMet;
    }

    private static Spectre.Console.Table BuildTable(IReadOnlyList<PauseRow> rows)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn(new TableColumn("lineitems").RightAligned());
        table.AddColumn("held by");
        foreach (string heading in (string[])["full GC, median ms", "longest ms", "probe's longest gap ms", "bytes per lineitem"])
            table.AddColumn(new TableColumn(heading).RightAligned());
        foreach (PauseRow row in rows)
        {
            table.AddRow(
                new Text(row.Rows.ToString("#,0", CultureInfo.InvariantCulture)),
                new Text(row.Holder),
                Milliseconds(row.Pause.Median),
                Milliseconds(row.Pause.Longest),
                Milliseconds(row.Pause.LongestGap),
                new Text(row.BytesPerRow?.ToString("0.0", CultureInfo.InvariantCulture) ?? ""));
        }
        return table;
    }

    private static IEnumerable<(string Goal, bool IsMet)> Goals(IReadOnlyList<PauseRow> rows)
    {
        foreach (IGrouping<long, PauseRow> ofCount in rows.GroupBy(row => row.Rows))
        {
            PauseRow own = ofCount.First(row => row.Holder == PauseStudy.SelfManaged);
            PauseRow none = ofCount.First(row => row.Holder == PauseStudy.None);
            PauseRow lists = ofCount.First(row => row.Holder == PauseStudy.Managed);
            TimeSpan more = own.Pause.Median - none.Pause.Median;
            yield return (string.Create(CultureInfo.InvariantCulture,
                $"{own.Rows:#,0} self-managed lineitems lengthen a full collection by {more.TotalMilliseconds:0.00} ms (goal: at most {PauseGoal.TotalMilliseconds:0})"),
                more <= PauseGoal);
            yield return (string.Create(CultureInfo.InvariantCulture,
                $"a self-managed lineitem takes {own.BytesPerRow:0.0} bytes, a managed one {lists.BytesPerRow:0.0} (goal: no more)"),
                own.BytesPerRow <= lists.BytesPerRow);
        }
    }

    private static Text Milliseconds(TimeSpan time) => new(time.TotalMilliseconds.ToString("#,0.00", CultureInfo.InvariantCulture));
}
