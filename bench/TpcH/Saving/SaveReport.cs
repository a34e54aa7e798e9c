using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.Saving;

/// <summary>Gigabytes of the file a second, and whether the answers are right.</summary>
internal static class SaveReport
{
    private const double GoalBytesPerSecond = 1e9;
    private const double ShareOfCopy = 0.8;

    /// <summary>Returns whether all answers were right and the goal is met.</summary>
    public static bool Write(Terminal terminal, SaveFigures figures)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn("what");
        foreach (string title in new[] { "ms", "GB/s", "of a copy", "processor ms" })
            table.AddColumn(new TableColumn(title).RightAligned());
        AddRow("copy of the file", figures.Copy, null);
        AddRow("save to a stream", figures.Stream, figures.SaveProcessor);
        AddRow("copy, until it is on the disk", figures.CopyToDisk, null);
        AddRow("save to a file, until it is on the disk", figures.Save, null);
        AddRow("load", figures.Load, figures.LoadProcessor);
        TableWriter.Write(terminal, table);
        terminal.Output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{figures.Rows:#,0} rows, {figures.Bytes / 1e6:#,0} MB; answers: {(figures.Problem is null ? "22 right, with references and with keys" : $"WRONG: {figures.Problem}")}"));
        bool saves = Holds(figures, figures.Stream), loads = Holds(figures, figures.Load);
        terminal.Output.WriteLine($"{(saves ? "holds" : "DOES NOT HOLD")}: save at 1 GB/s of file in the page cache, or at 80 % of a copy");
        terminal.Output.WriteLine($"{(loads ? "holds" : "DOES NOT HOLD")}: load at 1 GB/s of file in the page cache, or at 80 % of a copy");
        return saves && loads && figures.Problem is null;

        void AddRow(string what, TimeSpan time, TimeSpan? processor) => table.AddRow(
            what,
            time.TotalMilliseconds.ToString("#,0", CultureInfo.InvariantCulture),
            (figures.Bytes / time.TotalSeconds / 1e9).ToString("0.00", CultureInfo.InvariantCulture),
            (figures.Copy / time).ToString("0.00", CultureInfo.InvariantCulture),
            processor is { } used ? used.TotalMilliseconds.ToString("#,0", CultureInfo.InvariantCulture) : "");
    }

    private static bool Holds(SaveFigures figures, TimeSpan time) =>
        figures.Bytes / time.TotalSeconds >= GoalBytesPerSecond || figures.Copy / time >= ShareOfCopy;
}
