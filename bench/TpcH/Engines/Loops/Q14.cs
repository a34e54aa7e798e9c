using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q14
{
    public static decimal? Run(List<LineItem> lineItems, Q14Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        decimal promoted = 0, all = 0;
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate < date || line.ShipDate >= dateEnd)
                continue;
            decimal revenue = line.ExtendedPrice * (1 - line.Discount);
            all += revenue;
            if (line.Part.Type.StartsWith("PROMO", StringComparison.Ordinal))
                promoted += revenue;
        }
        return all == 0 ? null : 100 * promoted / all;
    }
}
