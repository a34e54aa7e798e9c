using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Product type profit: what each nation earned by year with parts that have a word in their names.</summary>
internal static class Q09
{
    public const string Sql = """
        SELECT nation, o_year, sum(amount) AS sum_profit
        FROM (
            SELECT n_name AS nation, extract(year FROM o_orderdate) AS o_year,
                   l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity AS amount
            FROM part, supplier, lineitem, partsupp, orders, nation
            WHERE s_suppkey = l_suppkey
              AND ps_suppkey = l_suppkey
              AND ps_partkey = l_partkey
              AND p_partkey = l_partkey
              AND o_orderkey = l_orderkey
              AND s_nationkey = n_nationkey
              AND p_name LIKE '%' || :COLOR || '%') AS profit
        GROUP BY nation, o_year
        ORDER BY nation, o_year DESC
        """;

    public static List<ProductTypeProfit> ByReferences(IEnumerable<LineItem> lineItems, string color) =>
        Query.Run(lineItems, color, static (lineItems, color) =>
            (from l in lineItems
             where l.Part.Name.Contains(color, StringComparison.Ordinal)
             group l by new { Nation = l.Supplier.Nation.Name, l.Order.OrderDate.Year } into g
             orderby g.Key.Nation, g.Key.Year descending
             select new ProductTypeProfit(
                 g.Key.Nation, g.Key.Year, g.Sum(l => l.ExtendedPrice * (1 - l.Discount) - l.PartSupp.SupplyCost * l.Quantity))).ToList());

    public static List<ProductTypeProfit> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Part> parts, IEnumerable<PartSupp> partSupps, IEnumerable<Supplier> suppliers,
        IEnumerable<Nation> nations, IEnumerable<Order> orders, string color) =>
        Query.Run(
            lineItems, parts, partSupps, suppliers, nations, orders, color,
            static (lineItems, parts, partSupps, suppliers, nations, orders, color) =>
                (from l in lineItems
                 join p in parts.Where(p => p.Name.Contains(color, StringComparison.Ordinal)) on l.PartKey equals p.PartKey
                 join ps in partSupps on new { l.PartKey, l.SuppKey } equals new { ps.PartKey, ps.SuppKey }
                 join s in suppliers on l.SuppKey equals s.SuppKey
                 join n in nations on s.NationKey equals n.NationKey
                 join o in orders on l.OrderKey equals o.OrderKey
                 group l.ExtendedPrice * (1 - l.Discount) - ps.SupplyCost * l.Quantity by new { Nation = n.Name, o.OrderDate.Year } into g
                 orderby g.Key.Nation, g.Key.Year descending
                 select new ProductTypeProfit(g.Key.Nation, g.Key.Year, g.Sum())).ToList());
}
