using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Local supplier volume: revenue in a region where customer and supplier are of one nation.</summary>
internal static class Q05
{
    public const string Sql = """
        SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue
        FROM customer, orders, lineitem, supplier, nation, region
        WHERE c_custkey = o_custkey
          AND l_orderkey = o_orderkey
          AND l_suppkey = s_suppkey
          AND c_nationkey = s_nationkey
          AND s_nationkey = n_nationkey
          AND n_regionkey = r_regionkey
          AND r_name = :REGION
          AND o_orderdate >= :DATE
          AND o_orderdate < :DATE_END
        GROUP BY n_name
        ORDER BY revenue DESC
        """;

    public static List<LocalSupplierVolume> ByReferences(IEnumerable<LineItem> lineItems, string region, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, region, date, dateEnd, static (lineItems, region, date, dateEnd) =>
            (from l in lineItems
             where l.Order.OrderDate >= date && l.Order.OrderDate < dateEnd
                && l.Supplier.Nation.Region.Name == region
                && l.Order.Customer.Nation == l.Supplier.Nation
             group l by l.Supplier.Nation into g
             let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount))
             orderby revenue descending
             select new LocalSupplierVolume(g.Key.Name, revenue)).ToList());

    public static List<LocalSupplierVolume> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Order> orders, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers,
        IEnumerable<Nation> nations, IEnumerable<Region> regions, string region, DateOnly date, DateOnly dateEnd) =>
        Query.Run(
            lineItems, orders, customers, suppliers, nations, regions, region, date, dateEnd,
            static (lineItems, orders, customers, suppliers, nations, regions, region, date, dateEnd) =>
                (from l in lineItems
                 join o in orders.Where(o => o.OrderDate >= date && o.OrderDate < dateEnd) on l.OrderKey equals o.OrderKey
                 join c in customers on o.CustKey equals c.CustKey
                 join s in suppliers on new { l.SuppKey, c.NationKey } equals new { s.SuppKey, s.NationKey }
                 join n in nations on s.NationKey equals n.NationKey
                 join r in regions.Where(r => r.Name == region) on n.RegionKey equals r.RegionKey
                 group l.ExtendedPrice * (1 - l.Discount) by n.Name into g
                 let revenue = g.Sum()
                 orderby revenue descending
                 select new LocalSupplierVolume(g.Key, revenue)).ToList());
}
