using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue of a category's brands, from suppliers of a region, by year.</summary>
internal static class Q21
{
    public const string Sql = """
        SELECT d.year, p.brand, sum(s.revenue)
        FROM sales s, days d, products p, suppliers u
        WHERE s.day_key = d.key
          AND s.product_key = p.key
          AND s.supplier_key = u.key
          AND p.category = 'Cookware'
          AND u.region = 'North'
        GROUP BY d.year, p.brand
        ORDER BY d.year, p.brand
        """;

    public static List<BrandRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Product.Category == "Cookware" && s.Supplier.Region == "North"
             group s by new { s.Day.Year, s.Product.Brand } into g
             orderby g.Key.Year, g.Key.Brand
             select new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum(s => s.Revenue))).ToList());

    public static List<BrandRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Product> products, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, products, suppliers, static (sales, days, products, suppliers) =>
            (from s in sales
             join p in products.Where(p => p.Category == "Cookware") on s.ProductKey equals p.Key
             join u in suppliers.Where(u => u.Region == "North") on s.SupplierKey equals u.Key
             join d in days on s.DayKey equals d.Key
             group s.Revenue by new { d.Year, p.Brand } into g
             orderby g.Key.Year, g.Key.Brand
             select new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum())).ToList());
}
