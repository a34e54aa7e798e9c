using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Small-quantity order revenue: what a year would lose without the small orders of a kind of part.</summary>
/// <remarks>Null without any, as in SQL.</remarks>
internal static class Q17
{
    public const string Sql = """
        SELECT sum(l_extendedprice) / 7.0 AS avg_yearly
        FROM lineitem, part
        WHERE p_partkey = l_partkey
          AND p_brand = :BRAND
          AND p_container = :CONTAINER
          AND l_quantity < (SELECT 0.2 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey)
        """;

    public static decimal? ByReferences(IEnumerable<LineItem> lineItems, string brand, string container) =>
        Query.Run(lineItems, brand, container, static (lineItems, brand, container) =>
            (from l in lineItems
             where l.Part.Brand == brand && l.Part.Container == container
             group l by l.Part into lines
             let limit = 0.2m * lines.Average(l => l.Quantity)
             from l in lines
             where l.Quantity < limit
             group l.ExtendedPrice by 1 into prices
             select (decimal?)(prices.Sum() / 7m)).SingleOrDefault());

    public static decimal? ByKeys(IEnumerable<LineItem> lineItems, IEnumerable<Part> parts, string brand, string container) =>
        Query.Run(lineItems, parts, brand, container, static (lineItems, parts, brand, container) =>
            (from l in lineItems
             join p in parts.Where(p => p.Brand == brand && p.Container == container) on l.PartKey equals p.PartKey
             group l by l.PartKey into lines
             let limit = 0.2m * lines.Average(l => l.Quantity)
             from l in lines
             where l.Quantity < limit
             group l.ExtendedPrice by 1 into prices
             select (decimal?)(prices.Sum() / 7m)).SingleOrDefault());
}
