using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q08
{
    public static List<MarketShare> Run(List<LineItem> lineItems, Q08Parameters p)
    {
        (DateOnly from, DateOnly to) = (new DateOnly(1995, 1, 1), new DateOnly(1996, 12, 31));
        var volumes = new Dictionary<int, (decimal OfNation, decimal All)>();
        foreach (LineItem line in lineItems)
        {
            Order order = line.Order;
            if (line.Part.Type != p.Type || order.OrderDate < from || order.OrderDate > to || order.Customer.Nation.Region.Name != p.Region)
                continue;
            ref (decimal OfNation, decimal All) volume = ref CollectionsMarshal.GetValueRefOrAddDefault(volumes, order.OrderDate.Year, out _);
            decimal revenue = line.ExtendedPrice * (1 - line.Discount);
            volume.All += revenue;
            if (line.Supplier.Nation.Name == p.Nation)
                volume.OfNation += revenue;
        }
        var rows = new List<MarketShare>(volumes.Count);
        foreach ((int year, (decimal ofNation, decimal all)) in volumes)
            rows.Add(new MarketShare(year, ofNation / all));
        rows.Sort(static (a, b) => a.Year.CompareTo(b.Year));
        return rows;
    }
}
