using Smc.Memory;
using TpcH.Compacting;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Tests.Cli;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Compacting;

public sealed class CompactionStudyTests(TextPoolFixture textPool)
{
    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Readers_writers_and_queries_find_the_rows_that_are_left_as_they_should_be(string layout)
    {
        CompactedLayout result = Run(layout, removedPercent: 90, seed: 1);

        Assert.Null(result.Problem);
        Assert.True(result.Result.IsComplete);
        Assert.Equal(["q01", "q03", "q06"], result.Queries.Select(query => query.Query.Name));
        Assert.All([result.Undisturbed.Reader, result.Undisturbed.Writer], stalls => Assert.NotEqual(0, stalls.Steps));
    }

    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Compaction_gives_memory_of_removed_rows_back(string layout)
    {
        CompactedLayout result = Run(layout, removedPercent: 90, seed: 1);

        Assert.InRange(result.Result.RowsMoved, 1, result.Compacted.Rows);
        Assert.True(result.Compacted.Usage.Mapped < result.Thinned.Usage.Mapped, $"{result.Compacted.Usage} against {result.Thinned.Usage}");
        Assert.Equal(0, result.Compacted.Usage.RetiredBlocks);
    }

    [Fact]
    public void The_seed_chooses_the_rows_that_are_removed()
    {
        long[] left = [.. new[] { 1, 1, 2 }.Select(seed => Run("columnar", removedPercent: 50, seed).Fresh.Rows)];

        Assert.Equal(left[0], left[1]);
        Assert.NotEqual(left[0], left[2]);
        Assert.InRange(left[0], 60_175 * 0.48, 60_175 * 0.52);
    }

    [Fact]
    public void A_lost_write_fails_the_study()
    {
        var lost = new UseReport(Quick, Quick, Stolen: null, "a row has the line number 3, where 4 was written");

        (bool allMet, string output) = Report(Result() with { Disturbed = lost });

        Assert.False(allMet);
        Assert.Contains("DOES NOT HOLD: a row has the line number 3, where 4 was written", output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_goal_that_is_missed_is_said_to_be()
    {
        (bool allMet, string output) = Report(Result() with { Compacted = Sample(resident: 130) });

        Assert.False(allMet);
        Assert.Contains("DOES NOT HOLD: compacted rows take 1.30 times the resident memory of a fresh load (goal: at most 1.25)", output, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_host_took_is_said_where_it_is_counted()
    {
        CompactedLayout uncounted = Result();
        CompactedLayout counted = uncounted with
        {
            Undisturbed = uncounted.Undisturbed with { Stolen = TimeSpan.FromMilliseconds(20) },
            Disturbed = uncounted.Disturbed with { Stolen = TimeSpan.FromMilliseconds(1110) },
        };

        Assert.Contains("the host took 20 ms of the processors without compaction, 1,110 ms with it", Report(counted).Output, StringComparison.Ordinal);
        Assert.DoesNotContain("the host", Report(uncounted).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_right_and_within_its_goals_holds()
    {
        (bool allMet, string output) = Report(Result());

        Assert.True(allMet, output);
    }

    [Theory]
    [InlineData("--remove takes a whole number up to 99, not '100'", "--remove", "100")]
    [InlineData("--remove takes a whole number from 1 on, not '0.5'", "--remove", "0.5")]
    [InlineData("--seed takes a whole number from 1 on, not 'x'", "--seed", "x")]
    [InlineData("unknown layout 'diagonal'; there are columnar, row", "--layout", "diagonal")]
    public void What_cannot_be_obeyed_is_answered_in_one_line(string message, params string[] arguments)
    {
        ProgramRun run = ProgramRun.Of(["compact", .. arguments]);

        Assert.Equal((2, message + "\n", ""), (run.ExitCode, run.Error, run.Output));
    }

    private static Stalls Quick => new(Steps: 1, TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(0.1), LongPerSecond: 0);

    private static MemorySample Sample(long resident) => new(Rows: 10, new MemoryUsage(), resident, ResidentOfProcess: 1000);

    private static CompactedLayout Result()
    {
        var use = new UseReport(Quick, Quick, Stolen: null, Problem: null);
        var query = new WornAgainstFresh(QueryCatalog.All[0], WornMs: 1.05, FreshMs: 1, Problem: null);
        return new CompactedLayout(
            "row", Sample(1000), Sample(1000), Sample(110), Sample(100), new CompactionResult(9, 1, 10, 900, 0, IsComplete: true), TimeSpan.FromMilliseconds(5), use, use, [query],
            new HandleReads(CompactedNs: 3, FreshNs: 2, Problem: null));
    }

    private static (bool AllMet, string Output) Report(CompactedLayout layout)
    {
        using var output = new StringWriter();
        bool allMet = CompactionReport.Write(new Terminal(output, OutputIsTerminal: false, TextWriter.Null, ErrorIsTerminal: false), [layout]);
        return (allMet, output.ToString());
    }

    private CompactedLayout Run(string layout, int removedPercent, int seed)
    {
        using DbgenSource source = textPool.Source(0.01);
        var options = new CompactingOptions { Layouts = [layout], RemovedPercent = removedPercent, Seed = seed };
        return Assert.Single(new CompactionStudy(options, source, new PlainProgress(TextWriter.Null), CancellationToken.None) { UndisturbedTime = TimeSpan.FromMilliseconds(20) }.Run());
    }
}
