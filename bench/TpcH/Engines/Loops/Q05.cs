using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q05
{
    public static List<LocalSupplierVolume> Run(List<LineItem> lineItems, Q05Parameters p)
    {
        (string region, DateOnly date, DateOnly dateEnd) = (p.Region, p.Date, p.DateEnd);
        var revenues = new Dictionary<Nation, decimal>();
        foreach (LineItem line in lineItems)
        {
            Order order = line.Order;
            if (order.OrderDate < date || order.OrderDate >= dateEnd)
                continue;
            Nation nation = line.Supplier.Nation;
            if (nation == order.Customer.Nation && nation.Region.Name == region)
                CollectionsMarshal.GetValueRefOrAddDefault(revenues, nation, out _) += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<LocalSupplierVolume>(revenues.Count);
        foreach ((Nation nation, decimal revenue) in revenues)
            rows.Add(new LocalSupplierVolume(nation.Name, revenue));
        rows.Sort(static (a, b) => b.Revenue.CompareTo(a.Revenue));
        return rows;
    }
}
