using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue between two cities, both ways and within them, by year.</summary>
internal static class Q33
{
    public const string Sql = """
        SELECT c.city, u.city, d.year, sum(s.revenue) AS revenue
        FROM sales s, days d, customers c, suppliers u
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND (c.city = 'Lisbon' OR c.city = 'Porto')
          AND (u.city = 'Lisbon' OR u.city = 'Porto')
          AND d.year BETWEEN 2019 AND 2023
        GROUP BY c.city, u.city, d.year
        ORDER BY d.year, revenue DESC, c.city, u.city
        """;

    public static List<TradeRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where (s.Customer.City == "Lisbon" || s.Customer.City == "Porto")
                && (s.Supplier.City == "Lisbon" || s.Supplier.City == "Porto")
                && s.Day.Year >= 2019 && s.Day.Year <= 2023
             group s by new { To = s.Customer.City, From = s.Supplier.City, s.Day.Year } into g
             let revenue = g.Sum(s => s.Revenue)
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());

    public static List<TradeRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, customers, suppliers, static (sales, days, customers, suppliers) =>
            (from s in sales
             join c in customers on s.CustomerKey equals c.Key
             join u in suppliers on s.SupplierKey equals u.Key
             join d in days on s.DayKey equals d.Key
             where (c.City == "Lisbon" || c.City == "Porto") && (u.City == "Lisbon" || u.City == "Porto") && d.Year >= 2019 && d.Year <= 2023
             group s.Revenue by new { To = c.City, From = u.City, d.Year } into g
             let revenue = g.Sum()
             orderby g.Key.Year, revenue descending, g.Key.To, g.Key.From
             select new TradeRevenue(g.Key.To, g.Key.From, g.Key.Year, revenue)).ToList());
}
