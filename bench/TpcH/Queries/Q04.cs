using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Order priority checking: how many orders of a quarter had lines that arrived late.</summary>
internal static class Q04
{
    public const string Sql = """
        SELECT o_orderpriority, count(*) AS order_count
        FROM orders
        WHERE o_orderdate >= :DATE
          AND o_orderdate < :DATE_END
          AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
        GROUP BY o_orderpriority
        ORDER BY o_orderpriority
        """;

    public static List<OrderPriorityCount> ByReferences(IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, date, dateEnd, static (lineItems, date, dateEnd) =>
            (from o in (from l in lineItems
                        where l.CommitDate < l.ReceiptDate && l.Order.OrderDate >= date && l.Order.OrderDate < dateEnd
                        select l.Order).Distinct()
             group o by o.OrderPriority into g
             orderby g.Key
             select new OrderPriorityCount(g.Key, g.Count())).ToList());

    public static List<OrderPriorityCount> ByKeys(
        IEnumerable<Order> orders, IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(orders, lineItems, date, dateEnd, static (orders, lineItems, date, dateEnd) =>
            (from o in orders
             where o.OrderDate >= date && o.OrderDate < dateEnd
             join l in lineItems.Where(l => l.CommitDate < l.ReceiptDate) on o.OrderKey equals l.OrderKey into late
             where late.Any()
             group o by o.OrderPriority into g
             orderby g.Key
             select new OrderPriorityCount(g.Key, g.Count())).ToList());
}
