using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q09
{
    public static List<ProductTypeProfit> Run(List<LineItem> lineItems, Q09Parameters p)
    {
        var profits = new Dictionary<(string, int), decimal>();
        foreach (LineItem line in lineItems)
        {
            if (!line.Part.Name.Contains(p.Color, StringComparison.Ordinal))
                continue;
            CollectionsMarshal.GetValueRefOrAddDefault(profits, (line.Supplier.Nation.Name, line.Order.OrderDate.Year), out _) +=
                line.ExtendedPrice * (1 - line.Discount) - line.PartSupp.SupplyCost * line.Quantity;
        }
        var rows = new List<ProductTypeProfit>(profits.Count);
        foreach (((string nation, int year), decimal profit) in profits)
            rows.Add(new ProductTypeProfit(nation, year, profit));
        rows.Sort(static (a, b) => a.Nation != b.Nation ? string.CompareOrdinal(a.Nation, b.Nation) : b.Year.CompareTo(a.Year));
        return rows;
    }
}
