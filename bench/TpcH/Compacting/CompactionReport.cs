using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Compacting;

/// <summary>The study's tables, and whether it meets the goals.</summary>
internal static class CompactionReport
{
    private const double ResidentGoal = 1.25;
    private const double QueryGoal = 1.10;
    private static readonly TimeSpan ReaderGoal = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan WriterGoal = TimeSpan.FromMilliseconds(5);

    /// <summary>Returns whether everything was right and every goal is met.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<CompactedLayout> layouts)
    {
        bool allMet = true;
        foreach (CompactedLayout layout in layouts)
        {
            terminal.Output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{layout.Layout}: {layout.Result.RowsMoved:#,0} rows moved from {layout.Result.BlocksFreed} blocks to {layout.Result.BlocksFilled} in {layout.Duration.TotalMilliseconds:#,0} ms"));
            TableWriter.Write(terminal, MemoryTable(layout));
            TableWriter.Write(terminal, StallTable(layout));
            if (layout.Undisturbed.Stolen is { } before && layout.Disturbed.Stolen is { } during)
            {
                terminal.Output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"the host took {before.TotalMilliseconds:#,0} ms of the processors without compaction, {during.TotalMilliseconds:#,0} ms with it"));
            }
            TableWriter.Write(terminal, QueryTable(layout));
            foreach ((string goal, bool isMet) in Goals(layout))
            {
                terminal.Output.WriteLine($"{(isMet ? "holds" : "DOES NOT HOLD")}: {goal}");
                allMet &= isMet;
            }
        }
        return allMet;
    }

    private static Spectre.Console.Table MemoryTable(CompactedLayout layout)
    {
        Spectre.Console.Table table = NewTable("memory in MiB", "rows", "resident", "mapped", "live", "limbo", "free", "strings", "indirection", "retired", "process");
        AddRow("loaded", layout.Loaded);
        AddRow("after the removal", layout.Thinned);
        AddRow("compacted", layout.Compacted);
        AddRow("fresh load of the rest", layout.Fresh);
        return table;

        void AddRow(string name, MemorySample sample) => table.AddRow(
            name, sample.Rows.ToString("#,0", CultureInfo.InvariantCulture),
            MiB(sample.Resident), MiB(sample.Usage.Mapped), MiB(sample.Usage.Live), MiB(sample.Usage.Limbo), MiB(sample.Usage.Free), MiB(sample.Usage.Strings), MiB(sample.Usage.Indirection), MiB(sample.Usage.RetiredStrings + sample.Usage.RetiredBlocks),
            MiB(sample.ResidentOfProcess));
    }

    private static Spectre.Console.Table StallTable(CompactedLayout layout)
    {
        Spectre.Console.Table table = NewTable("longest stall in ms", "steps", "on the clock", "without other threads' turns", "longer than 1 ms, a second");
        AddRow("reader, no compaction", layout.Undisturbed.Reader);
        AddRow("reader, compaction", layout.Disturbed.Reader);
        AddRow("writer, no compaction", layout.Undisturbed.Writer);
        AddRow("writer, compaction", layout.Disturbed.Writer);
        return table;

        void AddRow(string name, Stalls stalls) => table.AddRow(
            name, stalls.Steps.ToString("#,0", CultureInfo.InvariantCulture),
            Milliseconds(stalls.Longest.TotalMilliseconds), Milliseconds(stalls.LongestOwn.TotalMilliseconds), stalls.LongPerSecond.ToString("0.0", CultureInfo.InvariantCulture));
    }

    private static Spectre.Console.Table QueryTable(CompactedLayout layout)
    {
        Spectre.Console.Table table = NewTable("query in ms", "compacted", "fresh", "compacted / fresh");
        foreach (WornAgainstFresh query in layout.Queries)
            table.AddRow(query.Query.Name, Milliseconds(query.WornMs), Milliseconds(query.FreshMs), query.Ratio.ToString("0.00", CultureInfo.InvariantCulture));
        table.AddRow("a value through its handle, ns", Milliseconds(layout.HandleReads.CompactedNs), Milliseconds(layout.HandleReads.FreshNs), layout.HandleReads.Ratio.ToString("0.00", CultureInfo.InvariantCulture));
        return table;
    }

    private static IEnumerable<(string Goal, bool IsMet)> Goals(CompactedLayout layout)
    {
        yield return (layout.Problem ?? "every pass saw every row once, no write was lost, all answers are LINQ's", layout.Problem is null);
        yield return ("the compaction was completed", layout.Result.IsComplete);
        yield return (string.Create(CultureInfo.InvariantCulture,
            $"compacted rows take {layout.ResidentRatio:0.00} times the resident memory of a fresh load (goal: at most {ResidentGoal:0.00})"),
            layout.ResidentRatio <= ResidentGoal);
        foreach (WornAgainstFresh query in layout.Queries)
        {
            yield return (string.Create(CultureInfo.InvariantCulture,
                $"{query.Query.Name} takes {query.Ratio:0.00} times as long as over a fresh load (goal: at most {QueryGoal:0.00})"),
                query.Ratio <= QueryGoal);
        }
        yield return Stall("reader", layout.Disturbed.Reader, ReaderGoal);
        yield return Stall("writer", layout.Disturbed.Writer, WriterGoal);
    }

    private static (string Goal, bool IsMet) Stall(string thread, Stalls stalls, TimeSpan goal) => (string.Create(CultureInfo.InvariantCulture,
        $"the {thread} was held up for {stalls.LongestOwn.TotalMilliseconds:0.00} ms at most (goal: below {goal.TotalMilliseconds:0} ms)"), stalls.LongestOwn < goal);

    private static Spectre.Console.Table NewTable(string firstHeading, params ReadOnlySpan<string> headings)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn(firstHeading);
        foreach (string heading in headings)
            table.AddColumn(new TableColumn(heading).RightAligned());
        return table;
    }

    private static string MiB(long bytes) => (bytes / (double)(1 << 20)).ToString("#,0.0", CultureInfo.InvariantCulture);

    private static string Milliseconds(double value) => value.ToString("#,0.00", CultureInfo.InvariantCulture);
}
