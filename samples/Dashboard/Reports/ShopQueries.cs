using Dashboard.Shop;
using Smc.Collections;

namespace Dashboard.Reports;

/// <summary>The queries of the page, compiled when the project is built.</summary>
public static class ShopQueries
{
    /// <summary>Revenue of each nation in each month.</summary>
    public static List<RevenueCell> Revenue(IEnumerable<Order> orders, DateOnly since) =>
        Query.Run(orders, since, static (orders, since) =>
            (from o in orders
             where o.Date >= since
             group o by (Nation: o.Customer.Nation.Name, o.Date.Year, o.Date.Month) into g
             select new RevenueCell(g.Key.Nation, g.Key.Year, g.Key.Month, g.Sum(o => o.Total))).ToList());

    /// <summary>The customers with the highest revenue.</summary>
    public static List<CustomerLine> TopCustomers(IEnumerable<Order> orders, int count) =>
        Query.Run(orders, count, static (orders, count) =>
            (from o in orders
             group o by o.Customer into g
             let revenue = g.Sum(o => o.Total)
             orderby revenue descending
             select new CustomerLine(g.Key.Name, g.Key.Nation.Name, revenue, g.Count())).Take(count).ToList());

    /// <summary>Pieces and amount sold of each part.</summary>
    public static List<PartLine> Parts(IEnumerable<Line> lines) =>
        Query.Run(lines, static lines =>
            (from l in lines
             group l by l.Part into g
             orderby g.Key
             select new PartLine(g.Key, g.Sum(l => l.Quantity), g.Sum(l => l.Amount))).ToList());

    /// <summary>The lines of an order.</summary>
    public static List<OrderLine> LinesOf(IEnumerable<Line> lines, long key) =>
        Query.Run(lines, key, static (lines, key) =>
            (from l in lines where l.OrderKey == key select new OrderLine(l.Part, l.Quantity, l.Price)).ToList());

    /// <summary>Totals, of a moment or of what is there now.</summary>
    public static ShopTotals Totals(IEnumerable<Order> orders, IEnumerable<Line> lines) => new(
        Query.Run(orders, static orders => orders.Count()),
        Query.Run(lines, static lines => lines.Count()),
        Query.Run(orders, static orders => orders.Sum(o => o.Total)),
        Query.Run(lines, static lines => lines.Sum(l => l.Amount)));
}
