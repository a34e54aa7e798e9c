using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Discounted revenue: what three kinds of parts brought that were handed over in person.</summary>
/// <remarks>Null without any, as in SQL.</remarks>
internal static class Q19
{
    public const string Sql = """
        SELECT sum(l_extendedprice * (1 - l_discount)) AS revenue
        FROM lineitem, part
        WHERE (p_partkey = l_partkey
               AND p_brand = :BRAND1
               AND p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
               AND l_quantity BETWEEN :QUANTITY1 AND :QUANTITY1_HIGH
               AND p_size BETWEEN 1 AND 5
               AND l_shipmode IN ('AIR', 'AIR REG')
               AND l_shipinstruct = 'DELIVER IN PERSON')
           OR (p_partkey = l_partkey
               AND p_brand = :BRAND2
               AND p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
               AND l_quantity BETWEEN :QUANTITY2 AND :QUANTITY2_HIGH
               AND p_size BETWEEN 1 AND 10
               AND l_shipmode IN ('AIR', 'AIR REG')
               AND l_shipinstruct = 'DELIVER IN PERSON')
           OR (p_partkey = l_partkey
               AND p_brand = :BRAND3
               AND p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
               AND l_quantity BETWEEN :QUANTITY3 AND :QUANTITY3_HIGH
               AND p_size BETWEEN 1 AND 15
               AND l_shipmode IN ('AIR', 'AIR REG')
               AND l_shipinstruct = 'DELIVER IN PERSON')
        """;

    public static decimal? ByReferences(
        IEnumerable<LineItem> lineItems, string brand1, string brand2, string brand3,
        decimal quantity1, decimal quantity1High, decimal quantity2, decimal quantity2High, decimal quantity3, decimal quantity3High) =>
        Query.Run(
            lineItems, brand1, brand2, brand3, quantity1, quantity1High, quantity2, quantity2High, quantity3, quantity3High,
            static (lineItems, brand1, brand2, brand3, quantity1, quantity1High, quantity2, quantity2High, quantity3, quantity3High) =>
                (from l in lineItems
                 where l.ShipMode is "AIR" or "AIR REG" && l.ShipInstruct == "DELIVER IN PERSON"
                 let p = l.Part
                 where (p.Brand == brand1 && p.Container is "SM CASE" or "SM BOX" or "SM PACK" or "SM PKG"
                        && l.Quantity >= quantity1 && l.Quantity <= quantity1High && p.Size is >= 1 and <= 5)
                    || (p.Brand == brand2 && p.Container is "MED BAG" or "MED BOX" or "MED PKG" or "MED PACK"
                        && l.Quantity >= quantity2 && l.Quantity <= quantity2High && p.Size is >= 1 and <= 10)
                    || (p.Brand == brand3 && p.Container is "LG CASE" or "LG BOX" or "LG PACK" or "LG PKG"
                        && l.Quantity >= quantity3 && l.Quantity <= quantity3High && p.Size is >= 1 and <= 15)
                 group l by 1 into sold
                 select (decimal?)sold.Sum(l => l.ExtendedPrice * (1 - l.Discount))).SingleOrDefault());

    public static decimal? ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Part> parts, string brand1, string brand2, string brand3,
        decimal quantity1, decimal quantity1High, decimal quantity2, decimal quantity2High, decimal quantity3, decimal quantity3High) =>
        Query.Run(
            lineItems, parts, brand1, brand2, brand3, quantity1, quantity1High, quantity2, quantity2High, quantity3, quantity3High,
            static (
                lineItems, parts, brand1, brand2, brand3, quantity1, quantity1High, quantity2, quantity2High, quantity3, quantity3High) =>
                (from l in lineItems
                 where l.ShipMode is "AIR" or "AIR REG" && l.ShipInstruct == "DELIVER IN PERSON"
                 join p in parts on l.PartKey equals p.PartKey
                 where (p.Brand == brand1 && p.Container is "SM CASE" or "SM BOX" or "SM PACK" or "SM PKG"
                        && l.Quantity >= quantity1 && l.Quantity <= quantity1High && p.Size is >= 1 and <= 5)
                    || (p.Brand == brand2 && p.Container is "MED BAG" or "MED BOX" or "MED PKG" or "MED PACK"
                        && l.Quantity >= quantity2 && l.Quantity <= quantity2High && p.Size is >= 1 and <= 10)
                    || (p.Brand == brand3 && p.Container is "LG CASE" or "LG BOX" or "LG PACK" or "LG PKG"
                        && l.Quantity >= quantity3 && l.Quantity <= quantity3High && p.Size is >= 1 and <= 15)
                 group l by 1 into sold
                 select (decimal?)sold.Sum(l => l.ExtendedPrice * (1 - l.Discount))).SingleOrDefault());
}
