using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue between the nations of a region, by year.</summary>
internal static class Q31
{
    public const string Sql = """
        SELECT c.nation, u.nation, d.year, sum(s.revenue) AS revenue
        FROM sales s, days d, customers c, suppliers u
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND c.region = 'Centre'
          AND u.region = 'Centre'
          AND d.year BETWEEN 2019 AND 2023
        GROUP BY c.nation, u.nation, d.year
        ORDER BY d.year, revenue DESC, c.nation, u.nation
        """;

    public static List<TradeRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Customer.Region == "Centre" && s.Supplier.Region == "Centre" && s.Day.Year >= 2019 && s.Day.Year <= 2023
             group s by new { To = s.Customer.Nation, From = s.Supplier.Nation, s.Day.Year } into g
             let revenue = g.Sum(s => s.Revenue)
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());

    public static List<TradeRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, customers, suppliers, static (sales, days, customers, suppliers) =>
            (from s in sales
             join c in customers.Where(c => c.Region == "Centre") on s.CustomerKey equals c.Key
             join u in suppliers.Where(u => u.Region == "Centre") on s.SupplierKey equals u.Key
             join d in days.Where(d => d.Year >= 2019 && d.Year <= 2023) on s.DayKey equals d.Key
             group s.Revenue by new { To = c.Nation, From = u.Nation, d.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());
}
