using System.Data.Common;
using System.Diagnostics;
using Bench.Shared.DuckDb;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.BulkLoading;

/// <summary>What one route made of the tables.</summary>
/// <param name="Route">The route.</param>
/// <param name="Lines">Line items.</param>
/// <param name="FileBytes">Bytes of the file with the line items, 0 without a file.</param>
/// <param name="Write">The fastest writing of the line items.</param>
/// <param name="Load">The fastest load of the line items, with four references for each, found by key.</param>
/// <param name="Processor">The processor time of that load, of all threads: on a machine that others use, too, it says more than the clock.</param>
/// <param name="LoadAlone">The fastest load of the line items without references.</param>
/// <param name="DuckDb">What DuckDB makes of the files, or null where it reads none.</param>
/// <param name="Problem">The first wrong answer over what was loaded, or null.</param>
internal sealed record LoadResult(
    LoadRoute Route, long Lines, long FileBytes, TimeSpan Write, TimeSpan Load, TimeSpan Processor, TimeSpan LoadAlone, DuckDbVerdict? DuckDb, string? Problem);

/// <summary>Takes all tables out of a database, loads them into an empty one, and asks that one all queries. DuckDB reads the files, too.</summary>
internal sealed class LoadStudy(double scaleFactor, string layout, int repeat, IProgressDisplay display, CancellationToken cancellationToken)
{
    public async Task<IReadOnlyList<LoadResult>> RunAsync()
    {
        using var source = new DbgenSource(scaleFactor);
        using ITabularDatabase database = LayoutNames.CreateDatabase(layout);
        display.Stage($"generating scale factor {source.Scale}", stage => DatabaseLoader.Load(source, [database], new RowProgress(source, stage), cancellationToken));
        ExpectedAnswers expected = ExpectedAnswers.ForRun(source, new RunOptions());
        if (!expected.AreReference)
            throw new UsageException($"there are no reference answers for scale factor {source.Scale}: 0.01, 0.1 and 1 have them");
        using DuckDbComparison? duckDb = DuckDbLibrary.IsPresent ? await DuckDbComparison.CreateAsync(source, cancellationToken).ConfigureAwait(false) : null;
        // In turns, so that all routes share the machine's moods.
        var results = new Dictionary<LoadRoute, LoadResult>();
        for (int i = 0; i < repeat; i++)
        {
            foreach (LoadRoute route in LoadRoute.All)
            {
                LoadResult result = display.Stage($"loading by {route.Name}", _ => Run(route, database, i == 0 ? duckDb : null, expected));
                results[route] = results.TryGetValue(route, out LoadResult? before) ? Best(before, result) : result;
            }
        }

        return [.. results.Values];
    }

    private LoadResult Run(LoadRoute route, ITabularDatabase database, DuckDbComparison? duckDb, ExpectedAnswers expected)
    {
        using ITabularDatabase target = LayoutNames.CreateDatabase(layout);
        var files = new Dictionary<Table, ITableFile>();
        (long lines, long bytes, TimeSpan write, TimeSpan load, TimeSpan processor, TimeSpan alone) = (0, 0, default, default, default, default);
        foreach (Table table in Enum.GetValues<Table>())
        {
            cancellationToken.ThrowIfCancellationRequested();
            long start = Stopwatch.GetTimestamp();
            ITableFile file = route.Write(database, table);
            write = Stopwatch.GetElapsedTime(start);
            files.Add(table, file);
            GC.Collect();
            TimeSpan used = Environment.CpuUsage.TotalTime;
            start = Stopwatch.GetTimestamp();
            using (DbDataReader rows = file.Open())
                lines = target.Load(table, rows);
            load = Stopwatch.GetElapsedTime(start);
            processor = Environment.CpuUsage.TotalTime - used;
            if (table != Table.LineItem)
                continue;
            bytes = file.Bytes.Length;
            start = Stopwatch.GetTimestamp();
            using (DbDataReader rows = file.Open())
                database.LoadLinesWithoutReferences(rows);
            alone = Stopwatch.GetElapsedTime(start);
        }

        DuckDbVerdict? verdict = route is FileRoute writer ? duckDb?.Compare(writer, files, expected) : null;
        return new LoadResult(route, lines, bytes, write, load, processor, alone, verdict, verdict?.Problem ?? FirstProblem(target, expected));
    }

    private string? FirstProblem(ITabularDatabase target, ExpectedAnswers expected)
    {
        var engine = new SmcEngine(target, layout, JoinStyle.References);
        foreach (QueryDefinition query in QueryCatalog.All)
        {
            Measurement measured = QueryTimer.Measure(query, engine, query.ReadParameters(ParameterFile.Standard.For(query.Name)), expected.For(query), repeat: 1, cancellationToken);
            if (measured.IsCorrect != true)
                return $"{query.Name}: {measured.Problem ?? "not checked"}";
        }

        return null;
    }

    private static LoadResult Best(LoadResult a, LoadResult b) => a with
    {
        Write = Least(a.Write, b.Write),
        Load = Least(a.Load, b.Load),
        Processor = Least(a.Processor, b.Processor),
        LoadAlone = Least(a.LoadAlone, b.LoadAlone),
        Problem = a.Problem ?? b.Problem,
    };

    private static TimeSpan Least(TimeSpan a, TimeSpan b) => a < b ? a : b;
}
