using TpcH.Dbgen;
using Xunit;

namespace TpcH.Tests.Dbgen;

public sealed class ScaleFactorTests(TextPoolFixture fixture)
{
    [Theory]
    [InlineData(0.0005, 1, 1, 1, 1)]
    [InlineData(0.001, 200, 10, 150, 1500)]
    [InlineData(0.0015, 200, 10, 150, 1500)]
    [InlineData(0.009, 1800, 90, 1350, 13_500)]
    [InlineData(0.057, 11_400, 570, 8550, 85_500)]
    [InlineData(1, 200_000, 10_000, 150_000, 1_500_000)]
    [InlineData(1.5, 200_000, 10_000, 150_000, 1_500_000)]
    [InlineData(10_000, 2_000_000_000, 100_000_000, 1_500_000_000, 15_000_000_000)]
    public void Rows_are_counted_in_whole_thousandths(double scaleFactor, int parts, int suppliers, int customers, long orders)
    {
        var scale = new ScaleFactor(scaleFactor);

        Assert.Equal((parts, suppliers, customers, orders), (scale.Parts, scale.Suppliers, scale.Customers, scale.Orders));
    }

    [Theory]
    [InlineData(0.01, 1000)]
    [InlineData(1.9, 1000)]
    [InlineData(3, 3000)]
    public void There_are_at_least_a_thousand_clerks(double scaleFactor, int clerks) => Assert.Equal(clerks, new ScaleFactor(scaleFactor).Clerks);

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(10_001)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void Other_scale_factors_are_refused(double scaleFactor) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ScaleFactor(scaleFactor));

    [Theory]
    [InlineData(0.0005)]
    [InlineData(0.0015)]
    [InlineData(0.009)]
    public void Every_table_has_as_many_rows_as_it_says(double scaleFactor)
    {
        using DbgenSource source = fixture.Source(scaleFactor);

        Assert.Equal(source.Regions.Count, source.Regions.Rows().LongCount());
        Assert.Equal(source.Nations.Count, source.Nations.Rows().LongCount());
        Assert.Equal(source.Parts.Count, source.Parts.Rows().LongCount());
        Assert.Equal(source.Suppliers.Count, source.Suppliers.Rows().LongCount());
        Assert.Equal(source.PartSupps.Count, source.PartSupps.Rows().LongCount());
        Assert.Equal(source.Customers.Count, source.Customers.Rows().LongCount());
        Assert.Equal(source.Orders.Count, source.Orders.Rows().LongCount());
        Assert.Equal(source.LineItems.Count, source.LineItems.Rows().LongCount());
    }

    [Fact]
    public void Below_a_thousandth_every_scaled_table_has_one_row_and_partsupp_four()
    {
        using ITableSource source = fixture.Source(0.0005);

        long[] counts = [.. TableSchema.Tables.Select(source.Count)];

        Assert.Equal([5, 25, 1, 1, 4, 1, 1], counts[..^1]);
        Assert.InRange(counts[^1], 1, 7);
    }
}
