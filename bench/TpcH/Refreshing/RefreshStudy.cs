using System.Diagnostics;
using Smc.Memory;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>
/// TPC-H's refresh functions in rounds over self-managed collections, every answer checked between the rounds; at the end the collections
/// beside a fresh load of the same rows.
/// </summary>
internal sealed class RefreshStudy(RefreshOptions options, DbgenSource source, IProgressDisplay display, CancellationToken cancellationToken)
{
    private readonly IReadOnlyList<QueryParameters> _parameters =
        [.. options.Queries.Select(query => query.ReadParameters(ParameterFile.Standard.For(query.Name)))];

    public IReadOnlyList<RefreshedLayout> Run()
    {
        RoundAnswers answers = RoundAnswers.Compute(source, options.Rounds, _parameters, display, cancellationToken);
        return [.. options.Layouts.Select(layout => Run(layout, answers))];
    }

    private RefreshedLayout Run(string layout, RoundAnswers answers)
    {
        long residentBefore = ResidentMemory.OutsideManagedHeap();
        using var manager = new MemoryManager();
        using ITabularDatabase worn = LayoutNames.CreateDatabase(layout, OptionsWith(manager));
        display.Stage($"scale factor {source.Scale}, {layout} collections", stage =>
            DatabaseLoader.Load(source, [worn], new RowProgress(source, stage), cancellationToken));
        IReadOnlyList<RefreshRound> rounds = display.Stage($"{options.Rounds} rounds over {layout} collections", stage =>
        {
            using var observer = new RoundObserver(new SmcEngine(worn, layout, options.Joins), manager, residentBefore);
            var done = new List<RefreshRound> { Observe(observer, 0, default, answers) };
            for (int number = 1; number <= options.Rounds; number++)
            {
                done.Add(Observe(observer, number, Refresh(worn, number), answers));
                if (!done[^1].IsRight)
                    stage.Note($"round {number}: WRONG");
                stage.Report(number / (double)options.Rounds);
            }
            return done;
        });
        return CompareWithFresh(layout, worn, rounds, answers.After(options.Rounds));
    }

    private RefreshWork Refresh(ITabularDatabase database, int round)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RefreshRows rows = RefreshRows.Of(source.Refresh(round), cancellationToken);
        long start = Stopwatch.GetTimestamp();
        long inserted = rows.InsertInto(database);
        long between = Stopwatch.GetTimestamp();
        long removed = rows.DeleteFrom(database);
        return new RefreshWork(inserted, removed, Stopwatch.GetElapsedTime(start, between), Stopwatch.GetElapsedTime(between));
    }

    private RefreshRound Observe(RoundObserver observer, int number, RefreshWork work, RoundAnswers answers)
    {
        Measurement[] queries = [.. options.Queries.Select((query, i) =>
            QueryTimer.Measure(query, observer.Engine, _parameters[i], answers.After(number)[i], options.Repeat, cancellationToken))];
        return observer.Observe(number, work, queries);
    }

    private RefreshedLayout CompareWithFresh(string layout, ITabularDatabase worn, IReadOnlyList<RefreshRound> rounds, IReadOnlyList<Answer> answers)
    {
        long residentBefore = ResidentMemory.OutsideManagedHeap();
        using var manager = new MemoryManager();
        using ITabularDatabase fresh = LayoutNames.CreateDatabase(layout, OptionsWith(manager));
        LoadRemaining(fresh, layout);
        long resident = ResidentMemory.OutsideManagedHeap() - residentBefore;
        WornAgainstFresh[] comparisons = display.Stage($"{layout} collections after {options.Rounds} rounds against fresh ones", stage =>
            options.Queries.Select((query, i) =>
            {
                stage.Report(i / (double)options.Queries.Count);
                return WornAgainstFresh.Measure(
                    query, worn.Prepare(_parameters[i], options.Joins), fresh.Prepare(_parameters[i], options.Joins), answers[i], cancellationToken);
            }).ToArray());
        return new RefreshedLayout(layout, rounds, resident, manager.Usage, comparisons);
    }

    // The rows that the worn collections hold after all rounds, none of which was ever removed here.
    private void LoadRemaining(ITabularDatabase fresh, string layout)
    {
        IEnumerable<RefreshSet> sets = Enumerable.Range(1, options.Rounds).Select(source.Refresh);
        var remaining = new RemainingOrders(fresh, sets.SelectMany(set => set.DeletedOrderKeys).ToHashSet());
        display.Stage($"the same rows in fresh {layout} collections", stage =>
        {
            DatabaseLoader.Load(source, [remaining], new RowProgress(source, stage), cancellationToken);
            foreach (RefreshSet set in sets)
                RefreshRows.Of(set, cancellationToken).InsertInto(fresh);
            return true;
        });
    }

    private DatabaseOptions OptionsWith(MemoryManager manager) => new() { TakesRefreshes = true, HasIndexes = options.Indexes, HasOnlyIndexesOfOrders = options.OnlyIndexesOfOrders, Manager = manager };
}
