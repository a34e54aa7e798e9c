using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q20
{
    public static List<SurplusSupplier> Run(List<LineItem> lineItems, Q20Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        var shipped = new Dictionary<PartSupp, decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate >= date && line.ShipDate < dateEnd
                && line.Supplier.Nation.Name == p.Nation && line.Part.Name.StartsWith(p.Color, StringComparison.Ordinal))
            {
                CollectionsMarshal.GetValueRefOrAddDefault(shipped, line.PartSupp, out _) += line.Quantity;
            }
        }
        var suppliers = new HashSet<Supplier>();
        foreach ((PartSupp stock, decimal quantity) in shipped)
        {
            if (stock.AvailQty > 0.5m * quantity)
                suppliers.Add(stock.Supplier);
        }
        var rows = new List<SurplusSupplier>(suppliers.Count);
        foreach (Supplier supplier in suppliers)
            rows.Add(new SurplusSupplier(supplier.Name, supplier.Address));
        rows.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
        return rows;
    }
}
