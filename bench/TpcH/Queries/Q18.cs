using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Large volume customers: the hundred most expensive orders of a large quantity.</summary>
internal static class Q18
{
    public const string Sql = """
        SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity) AS sum
        FROM customer, orders, lineitem
        WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > :QUANTITY)
          AND c_custkey = o_custkey
          AND o_orderkey = l_orderkey
        GROUP BY c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice
        ORDER BY o_totalprice DESC, o_orderdate
        LIMIT 100
        """;

    public static List<LargeVolumeOrder> ByReferences(IEnumerable<LineItem> lineItems, decimal quantity) =>
        Query.Run(lineItems, quantity, static (lineItems, quantity) =>
            (from l in lineItems
             group l by l.Order into g
             let sum = g.Sum(l => l.Quantity)
             where sum > quantity
             let o = g.Key
             orderby o.TotalPrice descending, o.OrderDate
             select new LargeVolumeOrder(o.Customer.Name, o.CustKey, o.OrderKey, o.OrderDate, o.TotalPrice, sum)).Take(100).ToList());

    public static List<LargeVolumeOrder> ByKeys(
        IEnumerable<Order> orders, IEnumerable<LineItem> lineItems, IEnumerable<Customer> customers, decimal quantity) =>
        Query.Run(orders, lineItems, customers, quantity, static (orders, lineItems, customers, quantity) =>
            (from o in orders
             join large in (from l in lineItems
                            group l.Quantity by l.OrderKey into g
                            let sum = g.Sum()
                            where sum > quantity
                            select new { OrderKey = g.Key, Quantity = sum })
                 on o.OrderKey equals large.OrderKey
             join c in customers on o.CustKey equals c.CustKey
             orderby o.TotalPrice descending, o.OrderDate
             select new LargeVolumeOrder(c.Name, c.CustKey, o.OrderKey, o.OrderDate, o.TotalPrice, large.Quantity)).Take(100).ToList());
}
