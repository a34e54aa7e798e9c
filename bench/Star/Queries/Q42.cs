using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Profit of the large stores in two years within a region, by year, nation of the suppliers and category.</summary>
internal static class Q42
{
    public const string Sql = """
        SELECT d.year, u.nation, p.category, sum(s.revenue - s.cost)
        FROM sales s, days d, customers c, suppliers u, products p, stores t
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND s.product_key = p.key
          AND s.store_key = t.key
          AND c.region = 'West'
          AND u.region = 'West'
          AND (p.department = 'Sport' OR p.department = 'Music')
          AND (d.year = 2022 OR d.year = 2023)
          AND t.area >= 2000
        GROUP BY d.year, u.nation, p.category
        ORDER BY d.year, u.nation, p.category
        """;

    public static List<GoodsProfit> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Customer.Region == "West" && s.Supplier.Region == "West"
                && (s.Product.Department == "Sport" || s.Product.Department == "Music")
                && (s.Day.Year == 2022 || s.Day.Year == 2023)
                && s.Store.Area >= 2000
             group s by new { s.Day.Year, s.Supplier.Nation, s.Product.Category } into g
             orderby g.Key.Year, g.Key.Nation, g.Key.Category
             select new GoodsProfit(g.Key.Year, g.Key.Nation, g.Key.Category, g.Sum(s => s.Revenue - s.Cost))).ToList());

    public static List<GoodsProfit> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers,
        IEnumerable<Product> products, IEnumerable<Store> stores) =>
        Query.Run(sales, days, customers, suppliers, products, stores, static (sales, days, customers, suppliers, products, stores) =>
            (from s in sales
             join d in days on s.DayKey equals d.Key
             join c in customers on s.CustomerKey equals c.Key
             join u in suppliers on s.SupplierKey equals u.Key
             join p in products on s.ProductKey equals p.Key
             join t in stores on s.StoreKey equals t.Key
             where c.Region == "West" && u.Region == "West"
                && (p.Department == "Sport" || p.Department == "Music")
                && (d.Year == 2022 || d.Year == 2023)
                && t.Area >= 2000
             group s.Revenue - s.Cost by new { d.Year, u.Nation, p.Category } into g
             orderby g.Key.Year, g.Key.Nation, g.Key.Category
             select new GoodsProfit(g.Key.Year, g.Key.Nation, g.Key.Category, g.Sum())).ToList());
}
