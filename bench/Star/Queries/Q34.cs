using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue between the cities of a list before Christmas, by year.</summary>
internal static class Q34
{
    public const string Sql = """
        SELECT c.city, u.city, d.year, sum(s.revenue) AS revenue
        FROM sales s, days d, customers c, suppliers u
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND c.city IN ('Dublin', 'Liège', 'Zürich')
          AND u.city IN ('Dublin', 'Liège', 'Zürich')
          AND d.month >= 11
        GROUP BY c.city, u.city, d.year
        ORDER BY d.year, revenue DESC, c.city, u.city
        """;

    private static readonly IReadOnlyList<string> Cities = ["Dublin", "Liège", "Zürich"];

    public static List<TradeRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, Cities, static (sales, cities) =>
            (from s in sales
             where cities.Contains(s.Customer.City) && cities.Contains(s.Supplier.City) && s.Day.Month >= 11
             group s.Revenue by new { To = s.Customer.City, From = s.Supplier.City, s.Day.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());

    public static List<TradeRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, customers, suppliers, Cities, static (sales, days, customers, suppliers, cities) =>
            (from s in sales
             join c in customers.Where(c => cities.Contains(c.City)) on s.CustomerKey equals c.Key
             join u in suppliers.Where(u => cities.Contains(u.City)) on s.SupplierKey equals u.Key
             join d in days.Where(d => d.Month >= 11) on s.DayKey equals d.Key
             group s.Revenue by new { To = c.City, From = u.City, d.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());
}
