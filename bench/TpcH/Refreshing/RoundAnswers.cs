using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;

namespace TpcH.Refreshing;

/// <summary>
/// The right answers after every round, from an engine that shares nothing with self-managed collections: hand-written loops over lists of
/// objects that take the same refreshes. They are computed before the collections are loaded, and the lists let go, so that neither their
/// memory nor their garbage collections are in what is measured.
/// </summary>
internal sealed class RoundAnswers
{
    private readonly List<IReadOnlyList<Answer>> _rounds = [];

    private RoundAnswers()
    {
    }

    /// <summary>The answers by query after a round; round 0 is the load.</summary>
    public IReadOnlyList<Answer> After(int round) => _rounds[round];

    public static RoundAnswers Compute(
        DbgenSource source, int rounds, IReadOnlyList<QueryParameters> queries, IProgressDisplay display, CancellationToken cancellationToken)
    {
        using var lists = new Model.Database(takesRefreshes: true);
        display.Stage($"scale factor {source.Scale}, lists of objects", stage =>
            DatabaseLoader.Load(source, [lists], new RowProgress(source, stage), cancellationToken));
        return display.Stage($"answers of {EngineNames.Loop} after each of {rounds} rounds", stage =>
        {
            var answers = new RoundAnswers();
            PreparedQuery[] prepared = [.. queries.Select(new LoopEngine(lists).Prepare)];
            answers.Add(prepared);
            for (int round = 1; round <= rounds; round++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                RefreshRows rows = RefreshRows.Of(source.Refresh(round), cancellationToken);
                rows.InsertInto(lists);
                rows.DeleteFrom(lists);
                answers.Add(prepared);
                stage.Report(round / (double)rounds);
            }
            return answers;
        });
    }

    private void Add(IReadOnlyList<PreparedQuery> queries)
    {
        foreach (PreparedQuery query in queries)
            query.Execute();
        _rounds.Add([.. queries.Select(query => query.ReadAnswer())]);
    }
}
