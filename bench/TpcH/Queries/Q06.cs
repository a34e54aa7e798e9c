using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Forecasting revenue change: what a year's small discounts on small quantities cost.</summary>
internal static class Q06
{
    public const string Sql = """
        SELECT sum(l_extendedprice * l_discount) AS revenue
        FROM lineitem
        WHERE l_shipdate >= :DATE
          AND l_shipdate < :DATE_END
          AND l_discount BETWEEN :DISCOUNT_LOW AND :DISCOUNT_HIGH
          AND l_quantity < :QUANTITY
        """;

    public static decimal Run(
        IEnumerable<LineItem> lineItems, DateOnly date, DateOnly dateEnd, decimal discountLow, decimal discountHigh, decimal quantity) =>
        Query.Run(
            lineItems, date, dateEnd, discountLow, discountHigh, quantity,
            static (lineItems, date, dateEnd, discountLow, discountHigh, quantity) =>
                (from l in lineItems
                 where l.ShipDate >= date && l.ShipDate < dateEnd
                    && l.Discount >= discountLow && l.Discount <= discountHigh
                    && l.Quantity < quantity
                 select l.ExtendedPrice * l.Discount).Sum());
}
