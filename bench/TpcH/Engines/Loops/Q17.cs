using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q17
{
    public static decimal? Run(List<LineItem> lineItems, Q17Parameters p)
    {
        var quantities = new Dictionary<Part, (decimal Sum, int Count)>();
        var lines = new List<LineItem>();
        foreach (LineItem line in lineItems)
        {
            if (line.Part.Brand != p.Brand || line.Part.Container != p.Container)
                continue;
            lines.Add(line);
            ref (decimal Sum, int Count) quantity = ref CollectionsMarshal.GetValueRefOrAddDefault(quantities, line.Part, out _);
            quantity.Sum += line.Quantity;
            quantity.Count++;
        }
        decimal? revenue = null;
        foreach (LineItem line in lines)
        {
            (decimal sum, int count) = quantities[line.Part];
            if (line.Quantity < 0.2m * (sum / count))
                revenue = (revenue ?? 0) + line.ExtendedPrice;
        }
        return revenue / 7;
    }
}
