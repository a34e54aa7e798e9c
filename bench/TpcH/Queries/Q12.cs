using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Shipping modes and order priority: whether cheaper ways of shipping make urgent orders late.</summary>
internal static class Q12
{
    public const string Sql = """
        SELECT l_shipmode,
               sum(CASE WHEN o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH' THEN 1 ELSE 0 END) AS high_line_count,
               sum(CASE WHEN o_orderpriority <> '1-URGENT' AND o_orderpriority <> '2-HIGH' THEN 1 ELSE 0 END) AS low_line_count
        FROM orders, lineitem
        WHERE o_orderkey = l_orderkey
          AND l_shipmode IN (:SHIPMODE1, :SHIPMODE2)
          AND l_commitdate < l_receiptdate
          AND l_shipdate < l_commitdate
          AND l_receiptdate >= :DATE
          AND l_receiptdate < :DATE_END
        GROUP BY l_shipmode
        ORDER BY l_shipmode
        """;

    public static List<ShipModePriority> ByReferences(
        IEnumerable<LineItem> lineItems, string shipMode1, string shipMode2, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, shipMode1, shipMode2, date, dateEnd, static (lineItems, shipMode1, shipMode2, date, dateEnd) =>
            (from l in lineItems
             where (l.ShipMode == shipMode1 || l.ShipMode == shipMode2)
                && l.ReceiptDate >= date && l.ReceiptDate < dateEnd
                && l.ShipDate < l.CommitDate && l.CommitDate < l.ReceiptDate
             group l.Order.OrderPriority by l.ShipMode into priorities
             orderby priorities.Key
             select new ShipModePriority(
                 priorities.Key,
                 priorities.Count(priority => priority is "1-URGENT" or "2-HIGH"),
                 priorities.Count(priority => priority is not ("1-URGENT" or "2-HIGH")))).ToList());

    public static List<ShipModePriority> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Order> orders, string shipMode1, string shipMode2, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, orders, shipMode1, shipMode2, date, dateEnd, static (lineItems, orders, shipMode1, shipMode2, date, dateEnd) =>
            (from l in lineItems
             where (l.ShipMode == shipMode1 || l.ShipMode == shipMode2)
                && l.ReceiptDate >= date && l.ReceiptDate < dateEnd
                && l.ShipDate < l.CommitDate && l.CommitDate < l.ReceiptDate
             join o in orders on l.OrderKey equals o.OrderKey
             group o.OrderPriority by l.ShipMode into priorities
             orderby priorities.Key
             select new ShipModePriority(
                 priorities.Key,
                 priorities.Count(priority => priority is "1-URGENT" or "2-HIGH"),
                 priorities.Count(priority => priority is not ("1-URGENT" or "2-HIGH")))).ToList());
}
