using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q18
{
    private const int Wanted = 100;

    public static List<LargeVolumeOrder> Run(List<LineItem> lineItems, Q18Parameters p)
    {
        var quantities = new Dictionary<Order, decimal>();
        foreach (LineItem line in lineItems)
            CollectionsMarshal.GetValueRefOrAddDefault(quantities, line.Order, out _) += line.Quantity;
        var rows = new List<LargeVolumeOrder>();
        foreach ((Order o, decimal quantity) in quantities)
        {
            if (quantity > p.Quantity)
                rows.Add(new LargeVolumeOrder(o.Customer.Name, o.CustKey, o.OrderKey, o.OrderDate, o.TotalPrice, quantity));
        }
        rows.Sort(static (a, b) => a.TotalPrice != b.TotalPrice ? b.TotalPrice.CompareTo(a.TotalPrice) : a.OrderDate.CompareTo(b.OrderDate));
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }
}
