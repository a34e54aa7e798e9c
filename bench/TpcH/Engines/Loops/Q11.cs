using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q11
{
    public static List<ImportantStock> Run(List<PartSupp> partSupps, Q11Parameters p)
    {
        var values = new Dictionary<Part, decimal>();
        decimal total = 0;
        foreach (PartSupp stock in partSupps)
        {
            if (stock.Supplier.Nation.Name != p.Nation)
                continue;
            decimal value = stock.SupplyCost * stock.AvailQty;
            CollectionsMarshal.GetValueRefOrAddDefault(values, stock.Part, out _) += value;
            total += value;
        }
        decimal least = total * p.Fraction;
        var rows = new List<ImportantStock>();
        foreach ((Part part, decimal value) in values)
        {
            if (value > least)
                rows.Add(new ImportantStock(part.PartKey, value));
        }
        rows.Sort(static (a, b) => a.Value != b.Value ? b.Value.CompareTo(a.Value) : a.PartKey.CompareTo(b.PartKey));
        return rows;
    }
}
