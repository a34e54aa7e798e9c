using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>Query and method syntax, and different names of lambda parameters, give the same plan.</summary>
public sealed class SyntaxesAgree
{
    [Fact]
    public void A_filtered_sum()
    {
        const string Expected = """
            Query([Shop.LineItem] items, System.DateOnly since) -> Scalar decimal
              Project $agg0
                Aggregate [] [$agg0 = Sum((lineItem.ExtendedPrice * lineItem.Discount)): decimal]
                  Filter (((lineItem.ShipDate >= @since) && (lineItem.Discount >= 0.05m)) && (lineItem.Quantity < 24m))
                    Scan items as Shop.LineItem #0
            """;
        Assert.Equal(Expected, QueryCompilation.Plan(
            "(from l in items where l.ShipDate >= since && l.Discount >= 0.05m && l.Quantity < 24 select l.ExtendedPrice * l.Discount).Sum()", "DateOnly since"));
        Assert.Equal(Expected, QueryCompilation.Plan(
            "items.Where(x => x.ShipDate >= since && x.Discount >= 0.05m && x.Quantity < 24).Sum(y => y.ExtendedPrice * y.Discount)", "DateOnly since"));
    }

    [Fact]
    public void Groups_with_several_keys_and_aggregates()
    {
        const string Expected = """
            Query([Shop.LineItem] items, System.DateOnly max) -> List System.Collections.Generic.List<Shop.PriceRow>
              Project new Shop.PriceRow($key0, $key1, $agg0, $agg1, $agg2)
                Order $key0, $key1
                  Aggregate [$key0 = lineItem.ReturnFlag, $key1 = lineItem.LineStatus] [$agg0 = Sum((lineItem.ExtendedPrice * (1m - lineItem.Discount))): decimal, $agg1 = Average(lineItem.Quantity): decimal, $agg2 = Count(): int]
                    Filter (lineItem.ShipDate <= @max)
                      Scan items as Shop.LineItem #0
            """;
        Assert.Equal(Expected, QueryCompilation.Plan(
            """
            (from l in items
             where l.ShipDate <= max
             group l by new { l.ReturnFlag, l.LineStatus } into g
             orderby g.Key.ReturnFlag, g.Key.LineStatus
             select new PriceRow(g.Key.ReturnFlag, g.Key.LineStatus, g.Sum(l => l.ExtendedPrice * (1 - l.Discount)), g.Average(l => l.Quantity), g.Count())).ToList()
            """,
            "DateOnly max"));
        Assert.Equal(Expected, QueryCompilation.Plan(
            """
            items.Where(l => l.ShipDate <= max)
                .GroupBy(l => (l.ReturnFlag, l.LineStatus))
                .Select(g => new PriceRow(g.Key.ReturnFlag, g.Key.LineStatus, g.Sum(l => l.ExtendedPrice * (1 - l.Discount)), g.Average(l => l.Quantity), g.Count()))
                .OrderBy(r => r.Flag).ThenBy(r => r.Status)
                .ToList()
            """,
            "DateOnly max"));
    }

    [Fact]
    public void Groups_by_reference_with_let_order_and_limit()
    {
        const string Expected = """
            Query([Shop.LineItem] items, string segment, System.DateOnly date) -> List System.Collections.Generic.List<Shop.ShippingRow>
              Project new Shop.ShippingRow($key0.OrderKey, $agg0, $key0.OrderDate, $key0.ShipPriority)
                Limit 10
                  Order $agg0 descending, $key0.OrderDate
                    Aggregate [$key0 = lineItem.Order] [$agg0 = Sum((lineItem.ExtendedPrice * (1m - lineItem.Discount))): decimal]
                      Filter (((lineItem.Order.Customer.MktSegment == @segment) && (lineItem.Order.OrderDate < @date)) && (lineItem.ShipDate > @date))
                        Scan items as Shop.LineItem #0
            """;
        Assert.Equal(Expected, QueryCompilation.Plan(
            """
            (from l in items
             where l.Order.Customer.MktSegment == segment && l.Order.OrderDate < date && l.ShipDate > date
             group l by l.Order into g
             let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount))
             orderby revenue descending, g.Key.OrderDate
             select new ShippingRow(g.Key.OrderKey, revenue, g.Key.OrderDate, g.Key.ShipPriority)).Take(10).ToList()
            """,
            "string segment, DateOnly date"));
        Assert.Equal(Expected, QueryCompilation.Plan(
            """
            items.Where(l => l.Order.Customer.MktSegment == segment && l.Order.OrderDate < date && l.ShipDate > date)
                .GroupBy(l => l.Order, (order, lines) => new { order, Revenue = lines.Sum(l => l.Revenue) })
                .OrderByDescending(r => r.Revenue).ThenBy(r => r.order.OrderDate)
                .Take(10)
                .Select(r => new ShippingRow(r.order.OrderKey, r.Revenue, r.order.OrderDate, r.order.ShipPriority))
                .ToList()
            """,
            "string segment, DateOnly date"));
    }
}
