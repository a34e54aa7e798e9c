using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>National market share: a nation's part of the revenue with a type of part in its region, by year.</summary>
internal static class Q08
{
    public const string Sql = """
        SELECT o_year, sum(CASE WHEN nation = :NATION THEN volume ELSE 0 END) / sum(volume) AS mkt_share
        FROM (
            SELECT extract(year FROM o_orderdate) AS o_year, l_extendedprice * (1 - l_discount) AS volume, n2.n_name AS nation
            FROM part, supplier, lineitem, orders, customer, nation n1, nation n2, region
            WHERE p_partkey = l_partkey
              AND s_suppkey = l_suppkey
              AND l_orderkey = o_orderkey
              AND o_custkey = c_custkey
              AND c_nationkey = n1.n_nationkey
              AND n1.n_regionkey = r_regionkey
              AND r_name = :REGION
              AND s_nationkey = n2.n_nationkey
              AND o_orderdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
              AND p_type = :TYPE) AS all_nations
        GROUP BY o_year
        ORDER BY o_year
        """;

    public static List<MarketShare> ByReferences(IEnumerable<LineItem> lineItems, string nation, string region, string type) =>
        Query.Run(lineItems, nation, region, type, static (lineItems, nation, region, type) =>
            (from l in lineItems
             where l.Part.Type == type
                && l.Order.OrderDate >= new DateOnly(1995, 1, 1) && l.Order.OrderDate <= new DateOnly(1996, 12, 31)
                && l.Order.Customer.Nation.Region.Name == region
             group new { Volume = l.ExtendedPrice * (1 - l.Discount), Nation = l.Supplier.Nation.Name } by l.Order.OrderDate.Year into g
             orderby g.Key
             let ofNation = g.Where(sale => sale.Nation == nation).Sum(sale => sale.Volume)
             select new MarketShare(g.Key, ofNation / g.Sum(sale => sale.Volume)))
            .ToList());

    public static List<MarketShare> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Part> parts, IEnumerable<Order> orders, IEnumerable<Customer> customers,
        IEnumerable<Supplier> suppliers, IEnumerable<Nation> nations, IEnumerable<Region> regions,
        string nation, string region, string type) =>
        Query.Run(
            lineItems, parts, orders, customers, suppliers, nations, regions, nation, region, type,
            static (lineItems, parts, orders, customers, suppliers, nations, regions, nation, region, type) =>
                (from l in lineItems
                 join p in parts.Where(p => p.Type == type) on l.PartKey equals p.PartKey
                 join o in orders.Where(o => o.OrderDate >= new DateOnly(1995, 1, 1) && o.OrderDate <= new DateOnly(1996, 12, 31))
                     on l.OrderKey equals o.OrderKey
                 join c in customers on o.CustKey equals c.CustKey
                 join n1 in nations on c.NationKey equals n1.NationKey
                 join r in regions.Where(r => r.Name == region) on n1.RegionKey equals r.RegionKey
                 join s in suppliers on l.SuppKey equals s.SuppKey
                 join n2 in nations on s.NationKey equals n2.NationKey
                 group new { Volume = l.ExtendedPrice * (1 - l.Discount), Nation = n2.Name } by o.OrderDate.Year into g
                 orderby g.Key
                 let ofNation = g.Where(sale => sale.Nation == nation).Sum(sale => sale.Volume)
                 select new MarketShare(g.Key, ofNation / g.Sum(sale => sale.Volume)))
                .ToList());
}
