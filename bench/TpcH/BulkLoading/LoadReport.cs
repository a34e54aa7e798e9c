using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.BulkLoading;

/// <summary>Millions of line items a second, and whether the answers are right.</summary>
internal static class LoadReport
{
    /// <summary>Returns whether all answers were right and the goal is met.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<LoadResult> results)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn("route");
        foreach (string title in new[] { "line items", "file MiB", "write M/s", "load M/s", "processor ns/row", "without references M/s", "answers", "read by DuckDB" })
            table.AddColumn(new TableColumn(title).RightAligned());
        foreach (LoadResult result in results)
        {
            table.AddRow(
                result.Route.Name,
                result.Lines.ToString("#,0", CultureInfo.InvariantCulture),
                result.FileBytes == 0 ? "" : (result.FileBytes / (double)(1 << 20)).ToString("0.0", CultureInfo.InvariantCulture),
                result.FileBytes == 0 ? "" : Rate(result, result.Write),
                Rate(result, result.Load),
                (result.Processor.TotalNanoseconds / result.Lines).ToString("#,0", CultureInfo.InvariantCulture),
                Rate(result, result.LoadAlone),
                result.Problem is null ? "22 right" : "WRONG",
                result.DuckDb is { } found ? $"{found.Columns} columns, {found.Answers} answers" : "");
        }

        TableWriter.Write(terminal, table);
        foreach (LoadResult wrong in results.Where(result => result.Problem is not null))
            terminal.Output.WriteLine($"{wrong.Route.Name} is WRONG: {wrong.Problem}");
        bool isFast = results.Where(result => result.Route is ReaderRoute).All(result => result.Lines / result.Load.TotalSeconds >= 1e6);
        terminal.Output.WriteLine($"{(isFast ? "holds" : "DOES NOT HOLD")}: a million line items a second from a DbDataReader, references found by key");
        terminal.Output.WriteLine("Two threads load, so a million a second on two cores of its own is at most 2,000 ns of processor time a row.");
        return isFast && results.All(result => result.Problem is null);
    }

    private static string Rate(LoadResult result, TimeSpan time) => (result.Lines / time.TotalSeconds / 1e6).ToString("0.00", CultureInfo.InvariantCulture);
}
