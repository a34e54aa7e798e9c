using TpcH.Dbgen;
using TpcH.Tbl;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Tbl;

public sealed class TblWriterTests(TextPoolFixture fixture)
{
    [Fact]
    public async Task All_eight_files_are_written_and_verify()
    {
        using DbgenSource source = fixture.Source(0.01);
        using TblFolder folder = await TblFolder.WriteAsync(source);

        IReadOnlyList<TableVerification> results = await Checksums.VerifyAsync(folder.Directory, 0.01, TestContext.Current.CancellationToken);

        Assert.Equal(TableSchema.Tables, results.Select(result => result.Table));
        Assert.All(results, result => Assert.Equal((true, "ok"), (result.IsOk, result.Verdict)));
        Assert.Equal(8, folder.Directory.GetFiles().Length);
    }

    [Fact]
    public async Task A_cancelled_write_leaves_no_unfinished_file()
    {
        using DbgenSource source = fixture.Source(0.1);
        using var folder = new TblFolder();
        using var cancellation = new CancellationTokenSource();
        var cancelInLineItem = new CancelAt(Table.LineItem, cancellation);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => TblWriter.WriteAsync(source, folder.Directory, cancelInLineItem, cancellation.Token));

        Assert.True(File.Exists(folder.PathOf(Table.Orders)));
        Assert.Equal(7, folder.Directory.GetFiles().Length);
    }

    private sealed class CancelAt(Table table, CancellationTokenSource cancellation) : IProgress<TableProgress>
    {
        public void Report(TableProgress value)
        {
            if (value.Table == table)
                cancellation.Cancel();
        }
    }
}
