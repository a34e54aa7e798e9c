using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What shipments refer to.</summary>
[Tabular]
public readonly partial struct Depot
{
    public partial int Size { get; set; }
}

/// <summary>A row with a column to compare and two references, one of which may lead nowhere.</summary>
[Tabular]
public readonly partial struct Shipment
{
    public partial int Weight { get; set; }
    public partial Depot From { get; set; }
    public partial Depot To { get; set; }
}

/// <summary>Rows that a compared column leaves are thinned out by several conditions on referenced rows before they are selected. What a later condition drops is nothing that an earlier one would raise.</summary>
public sealed class NarrowingTests : IDisposable
{
    private const int Depots = 500;
    private const int Shipments = 30_000;

    private readonly Collection<Depot> _depots = new();
    private readonly Collection<Shipment> _shipments = new(new CollectionOptions { BlockCapacity = 64 * 50 });
    private readonly Depot[] _all;

    public NarrowingTests()
    {
        _all = [.. Enumerable.Range(0, Depots).Select(size => _depots.Add(size: size))];
        Random random = new(3);
        for (int i = 0; i < Shipments; i++)
            _shipments.Add(weight: random.Next(100), from: _all[random.Next(Depots)], to: _all[random.Next(Depots)]);
    }

    public void Dispose()
    {
        _shipments.Dispose();
        _depots.Dispose();
    }

    [Theory]
    [InlineData(0, 250, 250)]
    [InlineData(5, 0, 20)]
    [InlineData(50, 480, 500)]
    [InlineData(95, 100, 100)]
    public void The_rows_are_those_that_pass_all_conditions(int weight, int least, int most)
    {
        int expected = _shipments.AsEnumerable().Count(p => p.Weight >= weight && p.From.Size >= least && p.To.Size < most);

        Assert.Equal(expected, CountBetween(weight, least, most));
    }

    [Fact]
    public void A_row_that_the_first_condition_raises_for_is_not_dropped_by_the_second()
    {
        // Its target fails.
        _shipments.Add(weight: 90, from: default, to: _all[Depots - 1]);

        Assert.Throws<NullReferenceException>(() => CountBetween(weight: 10, least: 0, most: 100));
    }

    [Fact]
    public void A_row_that_the_second_condition_would_raise_for_is_dropped_by_the_first()
    {
        int expected = CountBetween(weight: 10, least: 100, most: 400);
        _shipments.Add(weight: 90, from: _all[0], to: default);

        Assert.Equal(expected, CountBetween(weight: 10, least: 100, most: 400));
    }

    [Fact]
    public void What_the_first_condition_raises_for_a_referenced_row_is_not_kept_from_it_by_the_second()
    {
        Assert.Throws<DivideByZeroException>(() => _shipments.Count(p => p.Weight >= 10 && 1000 / p.From.Size >= 0 && p.To.Size < 0));
        Assert.Equal(0, _shipments.Count(p => p.Weight >= 10 && p.To.Size < 0 && 1000 / p.From.Size >= 0));
    }

    [Fact]
    public void Nor_by_the_order_in_which_conditions_drop_rows()
    {
        using Collection<Shipment> shipments = new(new CollectionOptions { BlockCapacity = 64 * 50 });
        for (int i = 0; i < Shipments; i++)
            shipments.Add(weight: i, from: _all[1 + (i % 100)], to: _all[i % Depots]);
        Assert.Equal(0, shipments.Count(p => 1000 / p.From.Size >= 0 && p.To.Size < 0));
        shipments.Add(weight: 0, from: _all[0], to: _all[0]);

        Assert.Throws<DivideByZeroException>(() => shipments.Count(p => 1000 / p.From.Size >= 0 && p.To.Size < 0));
    }

    private int CountBetween(int weight, int least, int most) => _shipments.Count(p => p.Weight >= weight && p.From.Size >= least && p.To.Size < most);
}
