using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q10
{
    private const int Wanted = 20;

    public static List<ReturnedItems> Run(List<LineItem> lineItems, Q10Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        var revenues = new Dictionary<Customer, decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ReturnFlag == 'R' && line.Order.OrderDate >= date && line.Order.OrderDate < dateEnd)
                CollectionsMarshal.GetValueRefOrAddDefault(revenues, line.Order.Customer, out _) += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<ReturnedItems>(revenues.Count);
        foreach ((Customer c, decimal revenue) in revenues)
            rows.Add(new ReturnedItems(c.CustKey, c.Name, revenue, c.AcctBal, c.Nation.Name, c.Address, c.Phone, c.Comment));
        rows.Sort(static (a, b) => b.Revenue.CompareTo(a.Revenue));
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }
}
