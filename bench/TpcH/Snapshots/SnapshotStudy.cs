using System.Collections.Concurrent;
using System.Diagnostics;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Refreshing;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Snapshots;

/// <summary>
/// Queries over a snapshot beside the same over the live tables; then snapshots after rounds of refreshes, whose answers are compared with those of lists that took the same rounds, while a thread
/// goes on with the next rounds.
/// </summary>
internal sealed class SnapshotStudy(double scaleFactor, string layout, JoinStyle joins, int repeat, int rounds, IProgressDisplay display, CancellationToken cancellationToken)
{
    private readonly IReadOnlyList<QueryDefinition> _queries = QueryCatalog.All;
    private readonly IReadOnlyList<QueryParameters> _parameters = [.. QueryCatalog.All.Select(static query => query.ReadParameters(ParameterFile.Standard.For(query.Name)))];

    public SnapshotFigures Run()
    {
        using var source = new DbgenSource(scaleFactor);
        // The first half of the rounds runs without a snapshot.
        RoundAnswers answers = RoundAnswers.Compute(source, 2 * rounds, _parameters, display, cancellationToken);
        RefreshRows[] refreshes = [.. Enumerable.Range(1, 2 * rounds).Select(round => RefreshRows.Of(source.Refresh(round), cancellationToken))];
        using ITabularDatabase database = LayoutNames.CreateDatabase(layout, new DatabaseOptions { TakesRefreshes = true });
        display.Stage($"scale factor {source.Scale}, {layout} collections", stage => DatabaseLoader.Load(source, [database], new RowProgress(source, stage), cancellationToken));
        (IReadOnlyList<QueryTimes> unchanged, string? problem) = display.Stage("queries over tables and a snapshot", _ => MeasureUnchanged(database, answers.After(0)));
        RefreshTimes without = display.Stage("refreshes", _ => Refresh(database, refreshes.AsSpan(0, rounds), static () => { }));
        SnapshotFigures figures = display.Stage("refreshes under snapshots", _ => MeasureUnderRefreshes(database, refreshes, answers, unchanged, without));
        return problem is null ? figures : figures with { Problem = problem };
    }

    private (IReadOnlyList<QueryTimes> Times, string? Problem) MeasureUnchanged(ITabularDatabase database, IReadOnlyList<Answer> expected)
    {
        using ITabularMoment moment = database.TakeSnapshot();
        List<QueryTimes> times = [];
        string? problem = null;
        for (int i = 0; i < _queries.Count; i++)
        {
            PreparedQuery live = database.Prepare(_parameters[i], joins), frozen = moment.Prepare(_parameters[i], joins);
            double leastLive = double.MaxValue, leastFrozen = double.MaxValue;
            // In turns, so that what else the machine does meets both.
            for (int turn = 0; turn <= repeat; turn++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                double first = Time(live), second = Time(frozen);
                if (turn == 0)
                {
                    problem ??= Problem(i, "the tables", live, expected) ?? Problem(i, "a snapshot", frozen, expected);
                    continue;
                }

                leastLive = Math.Min(leastLive, first);
                leastFrozen = Math.Min(leastFrozen, second);
            }

            times.Add(new QueryTimes(_queries[i].Name, leastLive, leastFrozen));
        }

        return (times, problem);
    }

    private SnapshotFigures MeasureUnderRefreshes(
        ITabularDatabase database, RefreshRows[] refreshes, RoundAnswers answers, IReadOnlyList<QueryTimes> unchanged, RefreshTimes without)
    {
        // The writer is so many rounds ahead of the answers at most.
        using BlockingCollection<(int Round, ITabularMoment Moment)> moments = new(boundedCapacity: 2);
        int round = rounds, takes = 0;
        TimeSpan longestTake = default;
        Task<RefreshTimes> writer = Task.Factory.StartNew(
            () =>
            {
                try
                {
                    moments.Add((round, database.TakeSnapshot()), cancellationToken);
                    return Refresh(database, refreshes.AsSpan(rounds), () =>
                    {
                        long start = Stopwatch.GetTimestamp();
                        ITabularMoment moment = database.TakeSnapshot();
                        TimeSpan time = Stopwatch.GetElapsedTime(start);
                        longestTake = time > longestTake ? time : longestTake;
                        takes++;
                        moments.Add((++round, moment), cancellationToken);
                    });
                }
                finally
                {
                    moments.CompleteAdding();
                }
            },
            cancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        long bytes = 0;
        int answersChecked = 0;
        string? problem = null;
        foreach ((int at, ITabularMoment moment) in moments.GetConsumingEnumerable(cancellationToken))
        {
            using (moment)
            {
                for (int i = 0; i < _queries.Count && problem is null; i++)
                {
                    PreparedQuery query = moment.Prepare(_parameters[i], joins);
                    query.Execute();
                    problem = Problem(i, $"the snapshot after round {at}", query, answers.After(at));
                    answersChecked++;
                }

                bytes = Math.Max(bytes, moment.Bytes);
            }
        }

        return new SnapshotFigures(unchanged, longestTake, takes, without, writer.GetAwaiter().GetResult(), bytes, answersChecked, problem);
    }

    private static RefreshTimes Refresh(ITabularDatabase database, ReadOnlySpan<RefreshRows> refreshes, Action afterRound)
    {
        long rows = 0;
        TimeSpan time = default;
        List<TimeSpan> longest = [];
        foreach (RefreshRows refresh in refreshes)
        {
            long start = Stopwatch.GetTimestamp();
            using (StallClock clock = new())
            {
                for (int i = 0; i < refresh.Orders.Length; i++)
                {
                    database.Add(refresh.Orders.AsSpan(i, 1));
                    clock.Step();
                }

                for (int i = 0; i < refresh.LineItems.Length; i++)
                {
                    database.Add(refresh.LineItems.AsSpan(i, 1));
                    clock.Step();
                }

                longest.Add(clock.LongestOwn);
            }

            database.Complete();
            rows += refresh.Orders.Length + refresh.LineItems.Length + refresh.DeleteFrom(database);
            time += Stopwatch.GetElapsedTime(start);
            afterRound();
        }

        return new RefreshTimes(rows, time, longest[0], longest.Skip(longest.Count > 1 ? 1 : 0).Max());
    }

    private string? Problem(int query, string over, PreparedQuery executed, IReadOnlyList<Answer> expected) =>
        AnswerChecker.FirstDifference(expected[query], executed.ReadAnswer()) is { } difference ? $"{_queries[query].Name} over {over}: {difference}" : null;

    private static double Time(PreparedQuery query)
    {
        long start = Stopwatch.GetTimestamp();
        query.Execute();
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }
}
