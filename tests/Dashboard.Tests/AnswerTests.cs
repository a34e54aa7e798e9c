using Dashboard.Reports;
using Dashboard.Shop;
using Dashboard.Twin;
using Xunit;

namespace Dashboard.Tests;

/// <summary>What the page shows is right: the list of objects gives the same answers.</summary>
public sealed class AnswerTests
{
    [Fact]
    public void Compiled_queries_answer_as_the_list_does_while_orders_come_and_go()
    {
        using LiveShop shop = new(orders: 5_000);
        ListTwin twin = new();
        twin.Switch(isOn: true, shop);
        List<Line> lines = [];
        for (int i = 0; i < 2_500; i++)
        {
            Order order = shop.Add(lines);
            twin.Add(order.ToData(), lines.Select(line => line.ToData()));
            shop.RemoveOldest();
            twin.RemoveOldest();
        }

        DateOnly since = shop.FirstMonth;
        Assert.Equal(InOrder(twin.Revenue(since)), InOrder(ShopQueries.Revenue(shop.Orders, since)));
        Assert.Equal(twin.TopCustomers(10), ShopQueries.TopCustomers(shop.Orders, 10));
        Assert.Equal(twin.Parts(), ShopQueries.Parts(shop.Lines));
        Assert.Equal(lines.Count, ShopQueries.LinesOf(shop.Lines, 7_500).Count);
        Assert.Empty(ShopQueries.LinesOf(shop.Lines, 2_500));
    }

    [Fact]
    public void A_frozen_moment_stays_as_it_was_and_has_orders_with_all_their_lines()
    {
        using LiveShop shop = new(orders: 2_000);
        using FrozenMoment frozen = new(shop);
        Assert.Null(frozen.Read(static snapshot => snapshot));
        frozen.Switch(isOn: true);
        ShopTotals before = ShopQueries.Totals(shop.Orders, shop.Lines);
        List<Line> lines = [];
        for (int i = 0; i < 1_000; i++)
        {
            shop.Add(lines);
            shop.RemoveOldest();
        }

        ShopTotals then = frozen.Read(snapshot => ShopQueries.Totals(snapshot.Of(shop.Orders), snapshot.Of(shop.Lines)))!;
        Assert.Equal(before, then);
        Assert.Equal(then.OrderAmount, then.LineAmount);
        Assert.NotEqual(then, ShopQueries.Totals(shop.Orders, shop.Lines));
    }

    [Fact]
    public void A_list_that_is_switched_off_holds_nothing()
    {
        using LiveShop shop = new(orders: 10);
        ListTwin twin = new();
        twin.Switch(isOn: true, shop);
        twin.Switch(isOn: false, shop);

        Assert.Empty(twin.Parts());
    }

    private static IEnumerable<RevenueCell> InOrder(IEnumerable<RevenueCell> cells) =>
        cells.OrderBy(cell => cell.Nation, StringComparer.Ordinal).ThenBy(cell => cell.Year).ThenBy(cell => cell.Month);
}
