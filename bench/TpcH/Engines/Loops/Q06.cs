using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q06
{
    public static decimal Run(List<LineItem> lineItems, Q06Parameters p)
    {
        (DateOnly date, DateOnly dateEnd, decimal low, decimal high) = (p.Date, p.DateEnd, p.DiscountLow, p.DiscountHigh);
        decimal revenue = 0;
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate >= date && line.ShipDate < dateEnd && line.Discount >= low && line.Discount <= high && line.Quantity < p.Quantity)
                revenue += line.ExtendedPrice * line.Discount;
        }
        return revenue;
    }
}
