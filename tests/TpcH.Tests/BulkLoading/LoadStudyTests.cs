using Bench.Shared.DuckDb;
using TpcH.BulkLoading;
using TpcH.Reporting;
using TpcH.Running;
using Xunit;

namespace TpcH.Tests.BulkLoading;

public sealed class LoadStudyTests
{
    [Fact]
    public async Task All_answers_are_right_over_tables_that_went_through_readers_csv_arrow_and_parquet()
    {
        IProgressDisplay display = ProgressDisplay.On(new Terminal(TextWriter.Null, OutputIsTerminal: false, TextWriter.Null, ErrorIsTerminal: false));
        IReadOnlyList<LoadResult> results = await new LoadStudy(0.01, LayoutNames.Columnar, repeat: 1, display, TestContext.Current.CancellationToken).RunAsync();
        Assert.Equal(["DbDataReader", "CSV", "Arrow", "Parquet"], results.Select(result => result.Route.Name));
        Assert.All(results, result => Assert.Null(result.Problem));
        Assert.All(results, result => Assert.Equal(60_175, result.Lines));
        if (DuckDbLibrary.IsPresent)
            Assert.Equal([null, null, new DuckDbVerdict(61, 22, null), new DuckDbVerdict(61, 22, null)], results.Select(result => result.DuckDb));
    }
}
