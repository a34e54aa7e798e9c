using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q01
{
    public static List<PricingSummary> Run(List<LineItem> lineItems, Q01Parameters p)
    {
        DateOnly shipDateMax = p.ShipDateMax;
        var totals = new Dictionary<(char, char), Totals>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate > shipDateMax)
                continue;
            ref Totals total = ref CollectionsMarshal.GetValueRefOrAddDefault(totals, (line.ReturnFlag, line.LineStatus), out _);
            decimal discountedPrice = line.ExtendedPrice * (1 - line.Discount);
            total.Quantity += line.Quantity;
            total.BasePrice += line.ExtendedPrice;
            total.DiscountedPrice += discountedPrice;
            total.Charge += discountedPrice * (1 + line.Tax);
            total.Discount += line.Discount;
            total.Count++;
        }
        var rows = new List<PricingSummary>(totals.Count);
        foreach (((char returnFlag, char lineStatus), Totals total) in totals)
            rows.Add(total.ToRow(returnFlag, lineStatus));
        rows.Sort(static (a, b) => (a.ReturnFlag, a.LineStatus).CompareTo((b.ReturnFlag, b.LineStatus)));
        return rows;
    }

    private struct Totals
    {
        public decimal Quantity;
        public decimal BasePrice;
        public decimal DiscountedPrice;
        public decimal Charge;
        public decimal Discount;
        public int Count;

        public readonly PricingSummary ToRow(char returnFlag, char lineStatus) => new(
            returnFlag, lineStatus, Quantity, BasePrice, DiscountedPrice, Charge, Quantity / Count, BasePrice / Count, Discount / Count, Count);
    }
}
