using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Profit with goods of two departments within a region, by year and nation of the customers.</summary>
internal static class Q41
{
    public const string Sql = """
        SELECT d.year, c.nation, sum(s.revenue - s.cost)
        FROM sales s, days d, customers c, suppliers u, products p
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND s.product_key = p.key
          AND c.region = 'West'
          AND u.region = 'West'
          AND (p.department = 'Sport' OR p.department = 'Music')
        GROUP BY d.year, c.nation
        ORDER BY d.year, c.nation
        """;

    public static List<NationProfit> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Customer.Region == "West" && s.Supplier.Region == "West"
                && (s.Product.Department == "Sport" || s.Product.Department == "Music")
             group s.Revenue - s.Cost by new { s.Day.Year, s.Customer.Nation } into g
             orderby g.Key.Year, g.Key.Nation
             select new NationProfit(g.Key.Year, g.Key.Nation, g.Sum())).ToList());

    public static List<NationProfit> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers,
        IEnumerable<Product> products) =>
        Query.Run(sales, days, customers, suppliers, products, static (sales, days, customers, suppliers, products) =>
            (from s in sales
             join c in customers.Where(c => c.Region == "West") on s.CustomerKey equals c.Key
             join u in suppliers.Where(u => u.Region == "West") on s.SupplierKey equals u.Key
             join p in products.Where(p => p.Department == "Sport" || p.Department == "Music") on s.ProductKey equals p.Key
             join d in days on s.DayKey equals d.Key
             group s.Revenue - s.Cost by new { d.Year, c.Nation } into g
             orderby g.Key.Year, g.Key.Nation
             select new NationProfit(g.Key.Year, g.Key.Nation, g.Sum())).ToList());
}
