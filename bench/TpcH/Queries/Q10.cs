using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Returned items: the twenty customers of a quarter whose returns cost most.</summary>
internal static class Q10
{
    public const string Sql = """
        SELECT c_custkey, c_name, sum(l_extendedprice * (1 - l_discount)) AS revenue, c_acctbal, n_name, c_address, c_phone, c_comment
        FROM customer, orders, lineitem, nation
        WHERE c_custkey = o_custkey
          AND l_orderkey = o_orderkey
          AND o_orderdate >= :DATE
          AND o_orderdate < :DATE_END
          AND l_returnflag = 'R'
          AND c_nationkey = n_nationkey
        GROUP BY c_custkey, c_name, c_acctbal, c_phone, n_name, c_address, c_comment
        ORDER BY revenue DESC
        LIMIT 20
        """;

    public static List<ReturnedItems> ByReferences(IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, date, dateEnd, static (lineItems, date, dateEnd) =>
            (from l in lineItems
             where l.ReturnFlag == 'R' && l.Order.OrderDate >= date && l.Order.OrderDate < dateEnd
             group l by l.Order.Customer into g
             let c = g.Key
             let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount))
             orderby revenue descending
             select new ReturnedItems(c.CustKey, c.Name, revenue, c.AcctBal, c.Nation.Name, c.Address, c.Phone, c.Comment))
            .Take(20).ToList());

    public static List<ReturnedItems> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Order> orders, IEnumerable<Customer> customers, IEnumerable<Nation> nations,
        DateOnly date, DateOnly dateEnd) =>
        Query.Run(
            lineItems, orders, customers, nations, date, dateEnd,
            static (lineItems, orders, customers, nations, date, dateEnd) =>
                (from loss in (from l in lineItems
                               where l.ReturnFlag == 'R'
                               join o in orders.Where(o => o.OrderDate >= date && o.OrderDate < dateEnd) on l.OrderKey equals o.OrderKey
                               group l.ExtendedPrice * (1 - l.Discount) by o.CustKey into g
                               select new { CustKey = g.Key, Revenue = g.Sum() })
                 join c in customers on loss.CustKey equals c.CustKey
                 join n in nations on c.NationKey equals n.NationKey
                 orderby loss.Revenue descending
                 select new ReturnedItems(c.CustKey, c.Name, loss.Revenue, c.AcctBal, n.Name, c.Address, c.Phone, c.Comment))
                .Take(20).ToList());
}
