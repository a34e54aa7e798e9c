using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue between the cities of a nation in five years that begin in July, by year.</summary>
internal static class Q32
{
    public const string Sql = """
        SELECT c.city, u.city, d.year, sum(s.revenue) AS revenue
        FROM sales s, days d, customers c, suppliers u
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND c.nation = 'Poland'
          AND u.nation = 'Poland'
          AND d.date >= DATE '2019-07-01'
          AND d.date < DATE '2024-07-01'
        GROUP BY c.city, u.city, d.year
        ORDER BY d.year, revenue DESC, c.city, u.city
        """;

    public static List<TradeRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Customer.Nation == "Poland" && s.Supplier.Nation == "Poland"
                && s.Day.Date >= new DateOnly(2019, 7, 1) && s.Day.Date < new DateOnly(2024, 7, 1)
             group s.Revenue by new { To = s.Customer.City, From = s.Supplier.City, s.Day.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());

    public static List<TradeRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, customers, suppliers, static (sales, days, customers, suppliers) =>
            (from s in sales
             join d in days.Where(d => d.Date >= new DateOnly(2019, 7, 1) && d.Date < new DateOnly(2024, 7, 1)) on s.DayKey equals d.Key
             join c in customers.Where(c => c.Nation == "Poland") on s.CustomerKey equals c.Key
             join u in suppliers.Where(u => u.Nation == "Poland") on s.SupplierKey equals u.Key
             group s.Revenue by new { To = c.City, From = u.City, d.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());
}
