using TpcH.Aging;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Tests.Cli;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Aging;

public sealed class AgingStudyTests(TextPoolFixture textPool)
{
    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Every_query_is_right_in_every_world(string layout)
    {
        using DbgenSource source = textPool.Source(0.01);
        var options = new AgingOptions { ScaleFactor = 0.01, Layout = layout, Repeat = 1 };

        IReadOnlyList<AgedQuery> queries = new AgingStudy(options, source, new PlainProgress(TextWriter.Null), TestContext.Current.CancellationToken).Run();

        Assert.Equal(2 * QueryCatalog.All.Count, queries.Count);
        Assert.All(queries, query => Assert.Equal([], query.Times.Values.Select(time => time.Problem).OfType<string>()));
        Assert.All(queries, query => Assert.Equal(AgedWorlds.All, query.Times.Keys));
    }

    [Fact]
    public void Only_queries_that_follow_the_references_of_all_rows_throw()
    {
        using DbgenSource source = textPool.Source(0.01);
        var options = new AgingOptions { ScaleFactor = 0.01, Repeat = 1, Worlds = [AgedWorld.BadReferences] };

        IReadOnlyList<AgedQuery> queries = new AgingStudy(options, source, new PlainProgress(TextWriter.Null), TestContext.Current.CancellationToken).Run();

        IEnumerable<string> throwing = queries.Where(query => query.Times[AgedWorld.BadReferences].Throws).Select(query => $"{query.Query.Name} by {query.Joins}");
        Assert.Equal(["q05 by References", "q08 by References", "q09 by References", "q17 by References", "q18 by References", "q21 by References"], throwing);
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.5)]
    public void Losses_take_their_share_and_who_loses_more_loses_the_same_rows(double share)
    {
        Losses losses = new(share), all = new(0.9);
        (long Order, int Number)[] lines = [.. Enumerable.Range(1, 50_000).SelectMany(order => Enumerable.Range(1, 4).Select(number => ((long)order, number)))];

        bool[] own = [.. lines.Select(line => losses.TakesLineItem(line.Order, line.Number))];

        double expected = 1 - Math.Pow(1 - share, 1.0 / 6);
        Assert.InRange(own.Count(lost => lost) / (double)lines.Length, expected * 0.9, expected * 1.1);
        Assert.All(lines.Where((_, i) => own[i]), line => Assert.True(all.TakesLineItem(line.Order, line.Number)));
    }

    [Theory]
    [InlineData("unknown world 'flat'; there are writer, references, removed-1, removed-50", "--worlds", "flat")]
    [InlineData("unknown layout 'diagonal'; there are columnar, row", "--layout", "diagonal")]
    public void What_cannot_be_obeyed_is_answered_in_one_line(string message, params string[] arguments)
    {
        ProgramRun run = ProgramRun.Of(["aged", .. arguments]);

        Assert.Equal((2, message + "\n", ""), (run.ExitCode, run.Error, run.Output));
    }
}
