using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q19
{
    public static decimal? Run(List<LineItem> lineItems, Q19Parameters p)
    {
        decimal? revenue = null;
        foreach (LineItem line in lineItems)
        {
            if (line.ShipInstruct == "DELIVER IN PERSON" && line.ShipMode is "AIR" or "AIR REG" && IsOfAKind(line, p))
                revenue = (revenue ?? 0) + line.ExtendedPrice * (1 - line.Discount);
        }
        return revenue;
    }

    private static bool IsOfAKind(LineItem line, Q19Parameters p)
    {
        Part part = line.Part;
        decimal quantity = line.Quantity;
        return (part.Brand == p.Brand1 && quantity >= p.Quantity1 && quantity <= p.Quantity1High
                && part.Container is "SM CASE" or "SM BOX" or "SM PACK" or "SM PKG" && part.Size is >= 1 and <= 5)
            || (part.Brand == p.Brand2 && quantity >= p.Quantity2 && quantity <= p.Quantity2High
                && part.Container is "MED BAG" or "MED BOX" or "MED PKG" or "MED PACK" && part.Size is >= 1 and <= 10)
            || (part.Brand == p.Brand3 && quantity >= p.Quantity3 && quantity <= p.Quantity3High
                && part.Container is "LG CASE" or "LG BOX" or "LG PACK" or "LG PKG" && part.Size is >= 1 and <= 15);
    }
}
