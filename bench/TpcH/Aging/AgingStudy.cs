using System.Globalization;
using Smc.Memory;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>
/// Every query while a thread changes rows, with references that lead nowhere, and after 1 % and half of the line items were removed at
/// random. After the writer the collections are compacted, which writes the codes of changed values anew, as the background does in time. The answer is checked in each world before it is timed there, in turns with the same query over collections that are as they were loaded.
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
        using ITabularDatabase fresh = LayoutNames.CreateDatabase(options.Layout, new DatabaseOptions { Manager = manager });
        using ITabularDatabase aged = LayoutNames.CreateDatabase(options.Layout, new DatabaseOptions { Manager = manager });
        display.Stage($"scale factor {source.Scale}, {options.Layout} collections, twice", stage =>
            DatabaseLoader.Load(source, [fresh, aged], new RowProgress(source, stage), cancellationToken));
        AgedQuery[] queries = [.. options.Joins.SelectMany(joins => options.Queries.Select(query => new AgedQuery(query, joins)))];
        foreach (AgedWorld world in AgedWorlds.All.Where(options.Worlds.Contains))
            Measure(world, fresh, aged, queries, answers);
        return queries;
    }

    private void Measure(AgedWorld world, ITabularDatabase fresh, ITabularDatabase aged, IReadOnlyList<AgedQuery> queries, AgedAnswers answers)
    {
        switch (world)
        {
            case AgedWorld.Writer:
                using (var writer = new SteadyWriter(aged.Rewriter(Seed), RowsPerSecond))
                {
                    Measure(world, fresh, aged, queries, answers, writer);
                    display.Line(string.Create(CultureInfo.InvariantCulture, $"the writer changed {writer.Rate:#,0} rows a second"));
                }

                // The next world begins as one in which nobody wrote for a while: the background may not have come to it.
                aged.Compact();
                break;
            case AgedWorld.BadReferences:
                using (aged.SpoilReferences())
                    Measure(world, fresh, aged, queries, answers, writer: null);
                break;
            default:
                aged.Remove(AgedWorlds.LossesOf(world));
                GC.Collect();
                Measure(world, fresh, aged, queries, answers, writer: null);
                break;
        }
    }

    private void Measure(
        AgedWorld world, ITabularDatabase fresh, ITabularDatabase aged, IReadOnlyList<AgedQuery> queries, AgedAnswers answers, SteadyWriter? writer) =>
        display.Stage($"queries in the world '{AgedWorlds.NameOf(world)}'", stage =>
        {
            for (int i = 0; i < queries.Count; i++)
            {
                AgedQuery query = queries[i];
                QueryParameters parameters = query.Query.ReadParameters(ParameterFile.Standard.For(query.Query.Name));
                query.Add(world, AgedTime.Measure(
                    fresh.Prepare(parameters, query.Joins), aged.Prepare(parameters, query.Joins), answers.Of(world, query.Joins, query.Query), writer, options.Repeat, cancellationToken));
                stage.Report(i / (double)queries.Count);
            }
            return true;
        });
}
