using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q03
{
    private const int Wanted = 10;

    public static List<ShippingPriority> Run(List<LineItem> lineItems, Q03Parameters p)
    {
        (string segment, DateOnly date) = (p.Segment, p.Date);
        var revenues = new Dictionary<Order, decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate <= date)
                continue;
            Order order = line.Order;
            if (order.OrderDate < date && order.Customer.MktSegment == segment)
                CollectionsMarshal.GetValueRefOrAddDefault(revenues, order, out _) += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<ShippingPriority>(revenues.Count);
        foreach ((Order order, decimal revenue) in revenues)
            rows.Add(new ShippingPriority(order.OrderKey, revenue, order.OrderDate, order.ShipPriority));
        rows.Sort(static (a, b) => a.Revenue != b.Revenue ? b.Revenue.CompareTo(a.Revenue) : a.OrderDate.CompareTo(b.OrderDate));
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }
}
