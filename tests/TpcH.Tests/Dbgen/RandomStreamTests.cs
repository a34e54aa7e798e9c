using TpcH.Dbgen;
using Xunit;

namespace TpcH.Tests.Dbgen;

public sealed class RandomStreamTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 282475249)]
    [InlineData(7, 101027544)]
    [InlineData(9, 1458777923)]
    [InlineData(92, 657821123)]
    [InlineData(1000, 522329230)]
    [InlineData(1_000_000_000, 933757703)]
    public void Skipping_multiplies_by_a_power(long draws, uint expected) =>
        Assert.Equal(expected, RandomStream.PowerOfMultiplier(draws));

    [Fact]
    public void Draws_follow_the_reference_sequence()
    {
        var stream = new RandomStream(Streams.PartManufacturer, row: 0);

        uint[] states = [.. Enumerable.Range(0, 5).Select(_ => stream.Draw())];

        Assert.Equal([16807u, 282475249u, 1622650073u, 984943658u, 1144108930u], states);
    }

    [Fact]
    public void Bounded_draws_follow_the_reference_sequence()
    {
        var stream = new RandomStream(Streams.PartManufacturer, row: 0);

        int[] values = [.. Enumerable.Range(0, 5).Select(_ => stream.Between(1, 5))];

        Assert.Equal([1, 1, 4, 3, 3], values);
    }

    [Fact]
    public void A_stream_is_positioned_at_the_start_of_any_row()
    {
        Assert.Equal(314093070u, new RandomStream(Streams.OrderComment, 1_499_999).State);
        Assert.Equal(1817537237u, new RandomStream(Streams.LineComment, 1_499_999).State);
        Assert.Equal(1975587673u, new RandomStream(Streams.PartName, 199_999).State);
        Assert.Equal(1914152241u, new RandomStream(Streams.CustomerAddress, 149_999).State);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(14)]
    public void A_row_that_ends_early_leaves_the_stream_where_the_next_row_starts(int draws)
    {
        var stream = new RandomStream(Streams.LineComment, row: 41);
        for (int i = 0; i < draws; i++)
            stream.Draw();

        stream.EndRow();

        Assert.Equal(new RandomStream(Streams.LineComment, row: 42).State, stream.State);
    }

    [Fact]
    public void Draws_over_the_whole_range_wrap_to_negative_numbers()
    {
        var stream = new RandomStream(Streams.CustomerAddress, row: 0);
        Assert.Equal(17, stream.Between(10, 40));
        Assert.Equal(530788159u, stream.State);

        long[] values = [.. Enumerable.Range(0, 4).Select(_ => stream.NextWrapped())];

        Assert.Equal([-309518675, -874977691, -1929521628, -319448449], values);
    }

    [Fact]
    public void Order_dates_start_with_the_reference_days()
    {
        var stream = new RandomStream(Streams.OrderDate, row: 0);

        int[] days = [.. Enumerable.Range(0, 3).Select(_ => stream.Between(0, 2405))];

        Assert.Equal([1462, 1796, 652], days);
    }

    [Fact]
    public void Customers_of_orders_start_with_the_reference_draws()
    {
        var stream = new RandomStream(Streams.OrderCustomer, row: 0);

        int[] customers = [.. Enumerable.Range(0, 5).Select(_ => stream.Between(1, 150_000))];

        Assert.Equal([36900, 78002, 123314, 136777, 44485], customers);
    }
}
