using TpcH.Model;
using TpcH.Tbl;
using TpcH.Tests.Tbl;
using Xunit;

namespace TpcH.Tests.Loading;

public sealed class DatabaseLoaderTests
{
    [Fact]
    public void A_malformed_line_leaves_nothing_behind()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|fine|\nx|ASIA|bad key|\n"u8);

        Database database = FailToLoad<TblFormatException>(folder);

        Assert.Empty(database.Regions);
    }

    [Fact]
    public void A_malformed_line_gives_the_collections_back()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|fine|\nx|ASIA|bad key|\n"u8);
        using var source = new TblSource(folder.Directory);
        ITabularDatabase[] databases = [ColumnarModel.CreateDatabase(), RowModel.CreateDatabase()];

        Assert.Throws<TblFormatException>(() => DatabaseLoader.Load(source, databases, null, CancellationToken.None));

        Assert.All(databases, database => Assert.Throws<ObjectDisposedException>(() => database.MappedBytes(Table.Region)));
    }

    [Fact]
    public void A_key_that_names_no_row_is_an_error_with_table_row_and_column()
    {
        using TblFolder folder = TblFolder.With(Table.Nation, "0|ALGERIA|7|nowhere|\n"u8);

        using var source = new TblSource(folder.Directory);
        using var database = new Database();
        var error = Assert.Throws<DanglingKeyException>(() => DatabaseLoader.Load(source, [database], null, CancellationToken.None));

        Assert.Equal("nation, row 1: n_regionkey 7 names no row of region", error.Message);
        Assert.Empty(database.Nations);
    }

    [Fact]
    public void Two_rows_with_one_key_are_an_error()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|one|\n0|ASIA|two|\n"u8);

        Database database = FailToLoad<DuplicateKeyException>(folder);

        Assert.Empty(database.Regions);
    }

    [Fact]
    public void A_cancelled_load_disposes_every_database()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|one|\n"u8);
        using var source = new TblSource(folder.Directory);
        using var cancellation = new CancellationTokenSource();
        Database[] databases = [new(), new()];

        Assert.ThrowsAny<OperationCanceledException>(() =>
            DatabaseLoader.Load(source, databases, new CancelAtFirstReport(cancellation), cancellation.Token));

        Assert.All(databases, database => Assert.Empty(database.Regions));
    }

    private static Database FailToLoad<TException>(TblFolder folder) where TException : Exception
    {
        using var source = new TblSource(folder.Directory);
        var database = new Database();
        Assert.Throws<TException>(() => DatabaseLoader.Load(source, [database], null, CancellationToken.None));
        return database;
    }

    private sealed class CancelAtFirstReport(CancellationTokenSource cancellation) : IProgress<TableProgress>
    {
        public void Report(TableProgress value) => cancellation.Cancel();
    }
}
