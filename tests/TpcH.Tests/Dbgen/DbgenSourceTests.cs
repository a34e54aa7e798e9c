using System.Runtime.CompilerServices;
using TpcH.Dbgen;
using Xunit;

namespace TpcH.Tests.Dbgen;

public sealed class DbgenSourceTests(TextPoolFixture fixture)
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1499)]
    [InlineData(100_000)]
    public void Rows_do_not_depend_on_the_size_of_chunks(int unitsPerChunk)
    {
        using DbgenSource expected = fixture.Source(0.001);
        using var actual = new DbgenSource(0.001, fixture.Pool, unitsPerChunk);

        SourceAssert.Equal(expected, actual);
    }

    [Fact]
    public void Amounts_have_exactly_two_digits_after_the_point()
    {
        using DbgenSource source = fixture.Source(0.001);

        Assert.All(
            source.LineItems.Rows(),
            line => Assert.Equal((2, 2, 2, 2), (line.Quantity.Scale, line.ExtendedPrice.Scale, line.Discount.Scale, line.Tax.Scale)));
    }

    [Fact]
    public void Equal_texts_of_small_domains_are_one_string()
    {
        using DbgenSource source = fixture.Source(0.001);

        Assert.Equal(7, DistinctInstances(source.LineItems.Rows().Select(line => line.ShipMode)));
        Assert.Equal(5, DistinctInstances(source.Customers.Rows().Select(customer => customer.MktSegment)));
        Assert.InRange(DistinctInstances(source.Parts.Rows().Select(part => part.Brand)), 1, 25);
    }

    [Fact]
    public void Progress_ends_at_the_number_of_rows()
    {
        var reports = new List<TableProgress>();
        using var source = new DbgenSource(0.001, fixture.Pool, unitsPerChunk: 100);

        Assert.Equal(1500, source.Orders.Rows(new ListProgress(reports), TestContext.Current.CancellationToken).Count());

        Assert.Equal(15, reports.Count);
        Assert.Equal(new TableProgress(Table.Orders, 1500, 1500), reports[^1]);
        Assert.True(reports.Select(report => report.RowsDone).SequenceEqual(reports.Select(report => report.RowsDone).Order()));
    }

    [Fact]
    public void Cancellation_ends_the_enumeration()
    {
        using var cancellation = new CancellationTokenSource();
        using var source = new DbgenSource(0.1, fixture.Pool, unitsPerChunk: 10);
        using IEnumerator<LineItemRow> rows = source.LineItems.Rows(null, cancellation.Token).GetEnumerator();
        Assert.True(rows.MoveNext());

        cancellation.Cancel();

        Assert.ThrowsAny<OperationCanceledException>(() => CountRest(rows));
    }

    [Fact]
    public void An_enumeration_can_be_left_early_and_started_again()
    {
        using var source = new DbgenSource(0.01, fixture.Pool, unitsPerChunk: 10);

        PartRow first = source.Parts.Rows().First();

        Assert.Equal(first, source.Parts.Rows().First());
    }

    [Fact]
    public void A_disposed_source_generates_nothing()
    {
        DbgenSource source = fixture.Source(0.001);
        source.Dispose();

        Assert.Throws<ObjectDisposedException>(() => source.Regions.Rows().Count());
    }

    [Fact]
    public void A_disposed_source_does_not_keep_the_text_pool()
    {
        WeakReference pool = UsePool();

        GC.Collect();

        Assert.False(pool.IsAlive);
    }

    // Not inlined, so that no local of the caller keeps the pool alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UsePool()
    {
        TextPool pool = TextPool.Load(TextPoolCache.Shared);
        using var source = new DbgenSource(0.001, pool);
        Assert.Equal(5, source.Regions.Rows().Count());
        return new WeakReference(pool);
    }

    private static int CountRest(IEnumerator<LineItemRow> rows)
    {
        int count = 0;
        while (rows.MoveNext())
            count++;
        return count;
    }

    private static int DistinctInstances(IEnumerable<string> texts) => texts.Distinct<object>(ReferenceEqualityComparer.Instance).Count();

    private sealed class ListProgress(List<TableProgress> reports) : IProgress<TableProgress>
    {
        public void Report(TableProgress value) => reports.Add(value);
    }
}
