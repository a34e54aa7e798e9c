using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q15
{
    public static List<TopSupplier> Run(List<LineItem> lineItems, Q15Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        var revenues = new Dictionary<Supplier, decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate >= date && line.ShipDate < dateEnd)
                CollectionsMarshal.GetValueRefOrAddDefault(revenues, line.Supplier, out _) += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<TopSupplier>();
        foreach ((Supplier s, decimal revenue) in revenues)
        {
            if (rows.Count > 0 && revenue < rows[0].TotalRevenue)
                continue;
            if (rows.Count > 0 && revenue > rows[0].TotalRevenue)
                rows.Clear();
            rows.Add(new TopSupplier(s.SuppKey, s.Name, s.Address, s.Phone, revenue));
        }
        rows.Sort(static (a, b) => a.SuppKey.CompareTo(b.SuppKey));
        return rows;
    }
}
