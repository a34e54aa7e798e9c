using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q04
{
    public static List<OrderPriorityCount> Run(List<LineItem> lineItems, Q04Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        var late = new HashSet<Order>();
        foreach (LineItem line in lineItems)
        {
            if (line.CommitDate < line.ReceiptDate && line.Order.OrderDate >= date && line.Order.OrderDate < dateEnd)
                late.Add(line.Order);
        }
        var counts = new Dictionary<string, int>();
        foreach (Order order in late)
            CollectionsMarshal.GetValueRefOrAddDefault(counts, order.OrderPriority, out _)++;
        var rows = new List<OrderPriorityCount>(counts.Count);
        foreach ((string priority, int count) in counts)
            rows.Add(new OrderPriorityCount(priority, count));
        rows.Sort(static (a, b) => string.CompareOrdinal(a.OrderPriority, b.OrderPriority));
        return rows;
    }
}
