using TpcH.Pauses;
using TpcH.Reporting;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Pauses;

/// <summary>Alone, because the bytes of objects are what the whole heap grows by.</summary>
[CollectionDefinition(nameof(PauseStudyTests), DisableParallelization = true)]
[Collection(nameof(PauseStudyTests))]
public sealed class PauseStudyTests(TextPoolFixture textPool)
{
    [Fact]
    public void Every_number_of_rows_is_measured_in_collections_in_lists_and_without_rows()
    {
        using var progress = new StringWriter();
        var study = new PauseStudy([20_000, 30_000], "columnar", new PlainProgress(progress), CancellationToken.None) { OpenSource = textPool.Source };

        IReadOnlyList<PauseRow> rows = study.Run();

        Assert.Equal(
            [(20_000, "self-managed"), (20_000, "none"), (20_000, "List<T> of classes"), (30_000, "self-managed"), (30_000, "none"), (30_000, "List<T> of classes")],
            rows.Select(row => (row.Rows, row.Holder)));
        Assert.All(rows, row => Assert.True(row.Pause.Longest >= row.Pause.Median && row.Pause.Median > TimeSpan.Zero));
        Assert.All(rows.Where(row => row.Holder != "none"), row => Assert.InRange(row.BytesPerRow!.Value, 50, 5000));
    }

    [Fact]
    public void A_goal_that_is_missed_is_said_to_be()
    {
        using var output = new StringWriter();
        var terminal = new Terminal(output, OutputIsTerminal: false, TextWriter.Null, ErrorIsTerminal: false);

        bool allMet = PauseReport.Write(terminal,
        [
            new PauseRow(1_000, "self-managed", Sample(5), BytesPerRow: 150),
            new PauseRow(1_000, "none", Sample(1), BytesPerRow: null),
            new PauseRow(1_000, "List<T> of classes", Sample(500), BytesPerRow: 240),
        ]);

        Assert.False(allMet);
        Assert.Contains("DOES NOT HOLD: 1,000 self-managed lineitems lengthen a full collection by 4.00 ms (goal: at most 2)", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("holds: a self-managed lineitem takes 150.0 bytes, a managed one 240.0 (goal: no more)", output.ToString(), StringComparison.Ordinal);
    }

    private static PauseSample Sample(int milliseconds)
    {
        TimeSpan pause = TimeSpan.FromMilliseconds(milliseconds);
        return new PauseSample(pause, pause, pause);
    }
}
