using Bench.Shared.DuckDb;
using DuckDB.NET.Data;
using TpcH.BulkLoading;
using TpcH.Dbgen;
using TpcH.Running;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.BulkLoading;

public sealed class DuckDbComparisonTests(TextPoolFixture textPool)
{
    [Fact]
    public async Task A_cent_too_much_is_found_in_its_column()
    {
        DuckDbVerdict verdict = await CompareAsync("UPDATE supplier SET s_acctbal = s_acctbal + 0.01 WHERE s_suppkey = 7");

        Assert.Equal(60, verdict.Columns);
        Assert.StartsWith("ColumnSummary { Column = s_acctbal, Type = DECIMAL(15,2), Values = 100,", verdict.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Values_that_two_rows_exchanged_are_found_though_no_column_has_changed()
    {
        DuckDbVerdict verdict = await CompareAsync(
            "UPDATE supplier SET s_phone = (SELECT o.s_phone FROM supplier o WHERE o.s_suppkey = 15 - supplier.s_suppkey) WHERE s_suppkey IN (7, 8)");

        Assert.Equal(61, verdict.Columns);
        Assert.StartsWith("ColumnSummary { Column = supplier, Type = ,", verdict.Problem, StringComparison.Ordinal);
    }

    private async Task<DuckDbVerdict> CompareAsync(string change)
    {
        Assert.SkipUnless(DuckDbLibrary.IsPresent, $"There is no DuckDB here; {DuckDbLibrary.Advice}.");
        using DbgenSource source = textPool.Source(0.01);
        using ITabularDatabase database = LayoutNames.CreateDatabase(LayoutNames.Columnar);
        DatabaseLoader.Load(source, [database], progress: null, TestContext.Current.CancellationToken);
        var route = new ChangedParquet(change);
        var files = TableSchema.Tables.ToDictionary(table => table, table => route.Write(database, table));
        using DuckDbComparison comparison = await DuckDbComparison.CreateAsync(source, TestContext.Current.CancellationToken);
        return comparison.Compare(route, files, ExpectedAnswers.ForRun(source, new RunOptions()));
    }

    /// <summary>Parquet files of which DuckDB is shown something else.</summary>
    private sealed class ChangedParquet(string change) : ParquetRoute
    {
        public override void Show(string path, Table table, DuckDBConnection duckDb)
        {
            base.Show(path, table, duckDb);
            if (table == Table.Supplier)
                duckDb.Execute($"CREATE TABLE changed AS FROM supplier; DROP VIEW supplier; ALTER TABLE changed RENAME TO supplier; {change}");
        }
    }
}
