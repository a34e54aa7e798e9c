using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.Snapshots;

/// <summary>What a snapshot costs queries and writers, and whether its answers are right.</summary>
internal static class SnapshotReport
{
    private const double MostOfLive = 1.1;
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(1);

    /// <summary>Returns whether all answers were right and the goals are met.</summary>
    public static bool Write(Terminal terminal, SnapshotFigures figures)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn("query");
        foreach (string title in new[] { "live ms", "snapshot ms", "ratio" })
            table.AddColumn(new TableColumn(title).RightAligned());
        foreach (QueryTimes times in figures.Unchanged)
            table.AddRow(times.Query, Number(times.Live), Number(times.Snapshot), Number(times.Snapshot / times.Live));
        double ratio = Math.Exp(figures.Unchanged.Average(static times => Math.Log(times.Snapshot / times.Live)));
        table.AddRow("geometric mean", "", "", Number(ratio));
        TableWriter.Write(terminal, table);
        WriteRefreshes("without snapshots", figures.Without);
        WriteRefreshes("under snapshots", figures.With);
        terminal.Output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{figures.Takes} snapshots taken, the slowest in {figures.Take.TotalMicroseconds:#,0} µs; the largest kept {figures.Bytes / 1e6:#,0} MB"));
        terminal.Output.WriteLine(figures.Problem is null ? $"{figures.Checked} answers over snapshots under refreshes: right" : $"WRONG: {figures.Problem}");
        return Holds($"a query over a snapshot of unchanged rows takes at most {MostOfLive} times as long", ratio <= MostOfLive)
            & Holds("taking a snapshot takes less than a millisecond", figures.Take < s_longest)
            & Holds("no insertion is held up for a millisecond", figures.With.LongestAtFirst < s_longest && figures.With.LongestInsertion < s_longest)
            & figures.Problem is null;

        void WriteRefreshes(string how, RefreshTimes times) => terminal.Output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"refreshes {how}: {times.Rows:#,0} rows, {times.Rows / times.Time.TotalSeconds:#,0} a second; the longest insertion {times.LongestAtFirst.TotalMicroseconds:#,0} µs in the first round, {times.LongestInsertion.TotalMicroseconds:#,0} in those after it"));

        bool Holds(string what, bool holds)
        {
            terminal.Output.WriteLine($"{(holds ? "holds" : "DOES NOT HOLD")}: {what}");
            return holds;
        }
    }

    private static string Number(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);
}
