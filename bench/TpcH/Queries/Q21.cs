using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Suppliers who kept orders waiting: those of a nation that were alone late with orders of several suppliers.</summary>
internal static class Q21
{
    public const string Sql = """
        SELECT s_name, count(*) AS numwait
        FROM supplier, lineitem l1, orders, nation
        WHERE s_suppkey = l1.l_suppkey
          AND o_orderkey = l1.l_orderkey
          AND o_orderstatus = 'F'
          AND l1.l_receiptdate > l1.l_commitdate
          AND EXISTS (SELECT * FROM lineitem l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey)
          AND NOT EXISTS (
              SELECT * FROM lineitem l3
              WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey AND l3.l_receiptdate > l3.l_commitdate)
          AND s_nationkey = n_nationkey
          AND n_name = :NATION
        GROUP BY s_name
        ORDER BY numwait DESC, s_name
        LIMIT 100
        """;

    public static List<WaitingSupplier> ByReferences(IEnumerable<LineItem> lineItems, string nation) =>
        Query.Run(lineItems, nation, static (lineItems, nation) =>
            (from l in lineItems
             where l.Order.OrderStatus == 'F'
             group l by l.Order into lines
             where lines.Min(l => l.SuppKey) != lines.Max(l => l.SuppKey)
             let late = lines.Where(l => l.ReceiptDate > l.CommitDate)
             where late.Any() && late.Min(l => l.SuppKey) == late.Max(l => l.SuppKey)
             from l in late
             where l.Supplier.Nation.Name == nation
             group l by l.Supplier into waits
             let count = waits.Count()
             orderby count descending, waits.Key.Name
             select new WaitingSupplier(waits.Key.Name, count)).Take(100).ToList());

    public static List<WaitingSupplier> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Order> orders, IEnumerable<Supplier> suppliers, IEnumerable<Nation> nations,
        string nation) =>
        Query.Run(lineItems, orders, suppliers, nations, nation, static (lineItems, orders, suppliers, nations, nation) =>
            (from l in lineItems
             where l.ReceiptDate > l.CommitDate
             join s in suppliers on l.SuppKey equals s.SuppKey
             join n in nations.Where(n => n.Name == nation) on s.NationKey equals n.NationKey
             join o in orders.Where(o => o.OrderStatus == 'F') on l.OrderKey equals o.OrderKey
             join all in from l in lineItems
                         group l.SuppKey by l.OrderKey into g
                         select new { OrderKey = g.Key, First = g.Min(), Last = g.Max() }
                 on l.OrderKey equals all.OrderKey
             where all.First != all.Last
             join late in from l in lineItems
                          where l.ReceiptDate > l.CommitDate
                          group l.SuppKey by l.OrderKey into g
                          select new { OrderKey = g.Key, First = g.Min(), Last = g.Max() }
                 on l.OrderKey equals late.OrderKey
             where late.First == late.Last
             group l by s.Name into waits
             let count = waits.Count()
             orderby count descending, waits.Key
             select new WaitingSupplier(waits.Key, count)).Take(100).ToList());
}
