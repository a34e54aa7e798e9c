using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Pricing summary report: totals of what had been shipped by a date.</summary>
internal static class Q01
{
    public const string Sql = """
        SELECT l_returnflag, l_linestatus,
               sum(l_quantity) AS sum_qty,
               sum(l_extendedprice) AS sum_base_price,
               sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
               sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
               avg(l_quantity) AS avg_qty,
               avg(l_extendedprice) AS avg_price,
               avg(l_discount) AS avg_disc,
               count(*) AS count_order
        FROM lineitem
        WHERE l_shipdate <= :SHIPDATE_MAX
        GROUP BY l_returnflag, l_linestatus
        ORDER BY l_returnflag, l_linestatus
        """;

    public static List<PricingSummary> Run(IEnumerable<LineItem> lineItems, DateOnly shipDateMax) =>
        Query.Run(lineItems, shipDateMax, static (lineItems, shipDateMax) =>
            (from l in lineItems
             where l.ShipDate <= shipDateMax
             group l by new { l.ReturnFlag, l.LineStatus } into g
             orderby g.Key.ReturnFlag, g.Key.LineStatus
             select new PricingSummary(
                 g.Key.ReturnFlag,
                 g.Key.LineStatus,
                 g.Sum(l => l.Quantity),
                 g.Sum(l => l.ExtendedPrice),
                 g.Sum(l => l.ExtendedPrice * (1 - l.Discount)),
                 g.Sum(l => l.ExtendedPrice * (1 - l.Discount) * (1 + l.Tax)),
                 g.Average(l => l.Quantity),
                 g.Average(l => l.ExtendedPrice),
                 g.Average(l => l.Discount),
                 g.Count())).ToList());
}
