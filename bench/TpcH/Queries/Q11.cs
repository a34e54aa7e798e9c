using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Important stock: the parts that make up a notable share of a nation's stock.</summary>
/// <remarks>Parts of equal value are in the order of their keys, which TPC-H leaves open: so there is one right answer.</remarks>
internal static class Q11
{
    public const string Sql = """
        SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS value
        FROM partsupp, supplier, nation
        WHERE ps_suppkey = s_suppkey
          AND s_nationkey = n_nationkey
          AND n_name = :NATION
        GROUP BY ps_partkey
        HAVING sum(ps_supplycost * ps_availqty) > (
            SELECT sum(ps_supplycost * ps_availqty) * :FRACTION
            FROM partsupp, supplier, nation
            WHERE ps_suppkey = s_suppkey
              AND s_nationkey = n_nationkey
              AND n_name = :NATION)
        ORDER BY value DESC, ps_partkey
        """;

    public static List<ImportantStock> ByReferences(IEnumerable<PartSupp> partSupps, string nation, decimal fraction)
    {
        decimal total = Query.Run(partSupps, nation, static (partSupps, nation) =>
            (from ps in partSupps
             where ps.Supplier.Nation.Name == nation
             select ps.SupplyCost * ps.AvailQty).Sum());
        return Query.Run(partSupps, nation, total * fraction, static (partSupps, nation, least) =>
            (from ps in partSupps
             where ps.Supplier.Nation.Name == nation
             group ps by ps.Part into g
             let value = g.Sum(ps => ps.SupplyCost * ps.AvailQty)
             where value > least
             orderby value descending, g.Key.PartKey
             select new ImportantStock(g.Key.PartKey, value)).ToList());
    }

    public static List<ImportantStock> ByKeys(
        IEnumerable<PartSupp> partSupps, IEnumerable<Supplier> suppliers, IEnumerable<Nation> nations, string nation, decimal fraction)
    {
        decimal total = Query.Run(partSupps, suppliers, nations, nation, static (partSupps, suppliers, nations, nation) =>
            (from ps in partSupps
             join s in suppliers on ps.SuppKey equals s.SuppKey
             join n in nations.Where(n => n.Name == nation) on s.NationKey equals n.NationKey
             select ps.SupplyCost * ps.AvailQty).Sum());
        return Query.Run(partSupps, suppliers, nations, nation, total * fraction, static (partSupps, suppliers, nations, nation, least) =>
            (from ps in partSupps
             join s in suppliers on ps.SuppKey equals s.SuppKey
             join n in nations.Where(n => n.Name == nation) on s.NationKey equals n.NationKey
             group ps.SupplyCost * ps.AvailQty by ps.PartKey into g
             let value = g.Sum()
             where value > least
             orderby value descending, g.Key
             select new ImportantStock(g.Key, value)).ToList());
    }
}
