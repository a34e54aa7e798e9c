using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Top supplier: who brought the most revenue in a quarter, all of them when there are several.</summary>
internal static class Q15
{
    public const string Sql = """
        WITH revenue AS (
            SELECT l_suppkey AS supplier_no, sum(l_extendedprice * (1 - l_discount)) AS total_revenue
            FROM lineitem
            WHERE l_shipdate >= :DATE
              AND l_shipdate < :DATE_END
            GROUP BY l_suppkey)
        SELECT s_suppkey, s_name, s_address, s_phone, total_revenue
        FROM supplier, revenue
        WHERE s_suppkey = supplier_no
          AND total_revenue = (SELECT max(total_revenue) FROM revenue)
        ORDER BY s_suppkey
        """;

    public static List<TopSupplier> ByReferences(IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, date, dateEnd, static (lineItems, date, dateEnd) =>
            (from best in (from l in lineItems
                           where l.ShipDate >= date && l.ShipDate < dateEnd
                           group l by l.Supplier into g
                           group g.Key by g.Sum(l => l.ExtendedPrice * (1 - l.Discount)) into tied
                           orderby tied.Key descending
                           select tied).Take(1)
             from s in best
             orderby s.SuppKey
             select new TopSupplier(s.SuppKey, s.Name, s.Address, s.Phone, best.Key)).ToList());

    public static List<TopSupplier> ByKeys(
        IEnumerable<Supplier> suppliers, IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(suppliers, lineItems, date, dateEnd, static (suppliers, lineItems, date, dateEnd) =>
            (from best in (from l in lineItems
                           where l.ShipDate >= date && l.ShipDate < dateEnd
                           group l.ExtendedPrice * (1 - l.Discount) by l.SuppKey into g
                           group g.Key by g.Sum() into tied
                           orderby tied.Key descending
                           select tied).Take(1)
             from suppKey in best
             join s in suppliers on suppKey equals s.SuppKey
             orderby s.SuppKey
             select new TopSupplier(s.SuppKey, s.Name, s.Address, s.Phone, best.Key)).ToList());
}
