using Smc.Memory;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Refreshing;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Refreshing;

public sealed class RefreshStudyTests(TextPoolFixture textPool)
{
    private const int OrdersPerRound = 10;

    [Theory]
    [InlineData("columnar", JoinStyle.References)]
    [InlineData("row", JoinStyle.Keys)]
    public void After_every_round_all_queries_give_the_answers_of_the_lists(string layout, JoinStyle joins)
    {
        RefreshedLayout result = Run(layout, rounds: 2, QueryCatalog.All, joins);

        Assert.Equal([0, 1, 2], result.Rounds.Select(round => round.Number));
        Assert.All(result.Rounds, round =>
        {
            Assert.Equal(QueryCatalog.Names, round.Queries.Select(query => query.Query.Name));
            Assert.All(round.Queries, query => Assert.Equal((true, null), (query.IsCorrect, query.Problem)));
        });
        Assert.All(result.Comparisons, comparison => Assert.Null(comparison.Problem));
    }

    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void A_round_inserts_the_rows_of_its_set_and_removes_the_lines_of_its_orders(string layout)
    {
        using DbgenSource source = textPool.Source(0.01);
        HashSet<long> deleted = [.. source.Refresh(2).DeletedOrderKeys];
        long linesDeleted = source.LineItems.Rows().Count(line => deleted.Contains(line.OrderKey));

        RefreshWork work = Run(layout, rounds: 2, [QueryCatalog.Named("q06")]).Rounds[2].Work;

        Assert.Equal(
            (OrdersPerRound + source.Refresh(2).LineItems.Count, OrdersPerRound + linesDeleted),
            (work.RowsInserted, work.RowsRemoved));
    }

    [Fact]
    public void The_answers_of_the_lists_change_with_the_rounds()
    {
        using DbgenSource source = textPool.Source(0.01);
        QueryParameters[] queries = [.. QueryCatalog.All.Select(query => query.ReadParameters(ParameterFile.Standard.For(query.Name)))];

        RoundAnswers answers = RoundAnswers.Compute(source, rounds: 1, queries, Silent, CancellationToken.None);

        Assert.Equal("1193053.2253", answers.After(0)[5].Rows[0][0]!.ToString());
        Assert.NotNull(AnswerChecker.FirstDifference(answers.After(0)[0], answers.After(1)[0]));
    }

    [Fact]
    public void A_wrong_answer_is_named_and_fails_the_run()
    {
        using var output = new StringWriter();
        var terminal = new Terminal(output, OutputIsTerminal: false, TextWriter.Null, ErrorIsTerminal: false);

        bool allMet = RefreshReport.Write(terminal, [new RefreshedLayout("row", [Round(0, problem: null), Round(1, "4 rows instead of 5")], 1, default, [])]);

        Assert.False(allMet);
        Assert.Contains("DOES NOT HOLD: all answers over row collections", output.ToString(), StringComparison.Ordinal);
        Assert.Single(output.ToString().Split('\n'), line => line.Contains("WRONG", StringComparison.Ordinal));
    }

    [Fact]
    public void Memory_that_leaves_the_settled_level_misses_the_goal()
    {
        using var output = new StringWriter();
        var terminal = new Terminal(output, OutputIsTerminal: false, TextWriter.Null, ErrorIsTerminal: false);
        RefreshRound[] rounds = [.. Enumerable.Range(0, 13).Select(number => Round(number, problem: null) with { Resident = number == 11 ? 106 : 100 })];

        bool allMet = RefreshReport.Write(terminal, [new RefreshedLayout("row", rounds, 1, default, [])]);

        Assert.False(allMet);
        Assert.Contains("DOES NOT HOLD: resident memory stays within 6.0 % of that after round 10 (goal: 5 %)", output.ToString(), StringComparison.Ordinal);
    }

    private static IProgressDisplay Silent => new PlainProgress(TextWriter.Null);

    private RefreshedLayout Run(
        string layout, int rounds, IReadOnlyList<QueryDefinition> queries, JoinStyle joins = JoinStyle.References)
    {
        using DbgenSource source = textPool.Source(0.01);
        var options = new RefreshOptions { Rounds = rounds, Layouts = [layout], Joins = joins, Queries = queries, Repeat = 1 };
        return Assert.Single(new RefreshStudy(options, source, Silent, CancellationToken.None).Run());
    }

    private static RefreshRound Round(int number, string? problem)
    {
        using ITabularDatabase collections = LayoutNames.CreateDatabase("row");
        var measurement = new Measurement(QueryCatalog.All[0], new SmcEngine(collections, "row", JoinStyle.References), Answer: null, problem, IsChecked: true, problem is null ? [1] : [], 0);
        return new RefreshRound(number, default, RowsMoved: 0, Resident: 100, new MemoryUsage(), [measurement]);
    }
}
