using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Promotion effect: what percentage of a month's revenue came from promoted parts.</summary>
/// <remarks>Null without any lines, as in SQL.</remarks>
internal static class Q14
{
    public const string Sql = """
        SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END)
                      / sum(l_extendedprice * (1 - l_discount)) AS promo_revenue
        FROM lineitem, part
        WHERE l_partkey = p_partkey
          AND l_shipdate >= :DATE
          AND l_shipdate < :DATE_END
        """;

    public static decimal? ByReferences(IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, date, dateEnd, static (lineItems, date, dateEnd) =>
            (from l in lineItems
             where l.ShipDate >= date && l.ShipDate < dateEnd
             group new { Revenue = l.ExtendedPrice * (1 - l.Discount), l.Part.Type } by 1 into sales
             let promoted = sales.Where(sale => sale.Type.StartsWith("PROMO", StringComparison.Ordinal))
             select (decimal?)(100m * promoted.Sum(sale => sale.Revenue) / sales.Sum(sale => sale.Revenue))).SingleOrDefault());

    public static decimal? ByKeys(IEnumerable<LineItem> lineItems, IEnumerable<Part> parts, DateOnly date, DateOnly dateEnd) =>
        Query.Run(lineItems, parts, date, dateEnd, static (lineItems, parts, date, dateEnd) =>
            (from l in lineItems
             where l.ShipDate >= date && l.ShipDate < dateEnd
             join p in parts on l.PartKey equals p.PartKey
             group new { Revenue = l.ExtendedPrice * (1 - l.Discount), p.Type } by 1 into sales
             let promoted = sales.Where(sale => sale.Type.StartsWith("PROMO", StringComparison.Ordinal))
             select (decimal?)(100m * promoted.Sum(sale => sale.Revenue) / sales.Sum(sale => sale.Revenue))).SingleOrDefault());
}
