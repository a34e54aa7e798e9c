using System.Globalization;
using Smc.Memory;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>
/// Every query over fresh collections, then while a thread changes rows, with references that lead nowhere, and after 1 % and half of the line
/// items were removed at random: the answer is checked in each world before it is timed there.
/// </summary>
internal sealed class AgingStudy(AgingOptions options, DbgenSource source, IProgressDisplay display, CancellationToken cancellationToken)
{
    private const int RowsPerSecond = 10_000;
    private const int Seed = 1;

    public IReadOnlyList<AgedQuery> Run()
    {
        AgedAnswers answers = AgedAnswers.Compute(source, options.Queries, display, cancellationToken);
        GC.Collect();
        using var manager = new MemoryManager();
        using ITabularDatabase tables = LayoutNames.CreateDatabase(options.Layout, new DatabaseOptions { Manager = manager });
        display.Stage($"scale factor {source.Scale}, {options.Layout} collections", stage =>
            DatabaseLoader.Load(source, [tables], new RowProgress(source, stage), cancellationToken));
        AgedQuery[] queries = [.. options.Joins.SelectMany(joins => options.Queries.Select(query => new AgedQuery(query, joins)))];
        Measure(AgedWorld.Fresh, tables, queries, answers);
        foreach (AgedWorld world in AgedWorlds.Aged.Where(options.Worlds.Contains))
            MeasureAged(world, tables, queries, answers);
        return queries;
    }

    private void MeasureAged(AgedWorld world, ITabularDatabase tables, IReadOnlyList<AgedQuery> queries, AgedAnswers answers)
    {
        switch (world)
        {
            case AgedWorld.Writer:
                using (var writer = new SteadyWriter(tables.Rewriter(Seed), RowsPerSecond))
                {
                    Measure(world, tables, queries, answers);
                    display.Line(string.Create(CultureInfo.InvariantCulture, $"the writer changed {writer.Rate:#,0} rows a second"));
                }
                break;
            case AgedWorld.BadReferences:
                using (tables.SpoilReferences())
                    Measure(world, tables, queries, answers);
                break;
            default:
                tables.Remove(AgedWorlds.LossesOf(world));
                GC.Collect();
                Measure(world, tables, queries, answers);
                break;
        }
    }

    private void Measure(AgedWorld world, ITabularDatabase tables, IReadOnlyList<AgedQuery> queries, AgedAnswers answers) =>
        display.Stage($"queries in the world '{AgedWorlds.NameOf(world)}'", stage =>
        {
            for (int i = 0; i < queries.Count; i++)
            {
                AgedQuery query = queries[i];
                query.Add(world, Measure(query, tables, answers.Of(world, query.Joins, query.Query)));
                stage.Report(i / (double)queries.Count);
            }
            return true;
        });

    private AgedTime Measure(AgedQuery query, ITabularDatabase tables, Answer? expected)
    {
        QueryParameters parameters = query.Query.ReadParameters(ParameterFile.Standard.For(query.Query.Name));
        var engine = new SmcEngine(tables, options.Layout, query.Joins);
        if (expected is null)
            return MeasureThrowing(engine.Prepare(parameters));
        Measurement measured = QueryTimer.Measure(query.Query, engine, parameters, expected, options.Repeat, cancellationToken);
        string? problem = measured.Problem ?? (measured.Fallbacks > 0 ? "it ran as LINQ to Objects" : null);
        return new AgedTime(measured.MinimumMs, measured.MedianMs, Throws: false, problem);
    }

    private static AgedTime MeasureThrowing(PreparedQuery query)
    {
        try
        {
            query.Execute();
            return new AgedTime(null, null, Throws: false, "it has an answer, where LINQ throws");
        }
        catch (Exception error) when (error is NullReferenceException or InvalidOperationException)
        {
            return new AgedTime(null, null, Throws: true, Problem: null);
        }
    }
}
