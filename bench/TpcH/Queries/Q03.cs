using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Shipping priority: the ten unshipped orders of a market segment that are worth most.</summary>
internal static class Q03
{
    public const string Sql = """
        SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority
        FROM customer, orders, lineitem
        WHERE c_mktsegment = :SEGMENT
          AND c_custkey = o_custkey
          AND l_orderkey = o_orderkey
          AND o_orderdate < :DATE
          AND l_shipdate > :DATE
        GROUP BY l_orderkey, o_orderdate, o_shippriority
        ORDER BY revenue DESC, o_orderdate
        LIMIT 10
        """;

    public static List<ShippingPriority> ByReferences(IEnumerable<LineItem> lineItems, string segment, DateOnly date) =>
        Query.Run(lineItems, segment, date, static (lineItems, segment, date) =>
            (from l in lineItems
             where l.ShipDate > date && l.Order.OrderDate < date && l.Order.Customer.MktSegment == segment
             group l by l.Order into g
             let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount))
             orderby revenue descending, g.Key.OrderDate
             select new ShippingPriority(g.Key.OrderKey, revenue, g.Key.OrderDate, g.Key.ShipPriority)).Take(10).ToList());

    public static List<ShippingPriority> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Order> orders, IEnumerable<Customer> customers, string segment, DateOnly date) =>
        Query.Run(lineItems, orders, customers, segment, date, static (lineItems, orders, customers, segment, date) =>
            (from l in lineItems
             where l.ShipDate > date
             join o in orders.Where(o => o.OrderDate < date) on l.OrderKey equals o.OrderKey
             join c in customers.Where(c => c.MktSegment == segment) on o.CustKey equals c.CustKey
             group l by new { o.OrderKey, o.OrderDate, o.ShipPriority } into g
             let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount))
             orderby revenue descending, g.Key.OrderDate
             select new ShippingPriority(g.Key.OrderKey, revenue, g.Key.OrderDate, g.Key.ShipPriority)).Take(10).ToList());
}
