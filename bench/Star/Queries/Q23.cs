using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue of one brand, from suppliers of a region, by year.</summary>
internal static class Q23
{
    public const string Sql = """
        SELECT d.year, p.brand, sum(s.revenue)
        FROM sales s, days d, products p, suppliers u
        WHERE s.day_key = d.key
          AND s.product_key = p.key
          AND s.supplier_key = u.key
          AND p.brand = 'Camping 21'
          AND u.region = 'South'
        GROUP BY d.year, p.brand
        ORDER BY d.year, p.brand
        """;

    public static List<BrandRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales => sales
            .Where(s => s.Product.Brand == "Camping 21" && s.Supplier.Region == "South")
            .GroupBy(s => new { s.Day.Year, s.Product.Brand })
            .OrderBy(g => g.Key.Year).ThenBy(g => g.Key.Brand)
            .Select(g => new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum(s => s.Revenue)))
            .ToList());

    public static List<BrandRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Product> products, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, products, suppliers, static (sales, days, products, suppliers) =>
            (from s in sales
             join p in products.Where(p => p.Brand == "Camping 21") on s.ProductKey equals p.Key
             join u in suppliers.Where(u => u.Region == "South") on s.SupplierKey equals u.Key
             join d in days on s.DayKey equals d.Key
             group s.Revenue by new { d.Year, p.Brand } into g
             orderby g.Key.Year, g.Key.Brand
             select new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum())).ToList());
}
