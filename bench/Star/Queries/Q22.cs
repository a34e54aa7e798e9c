using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Revenue of the brands between two names, from suppliers of a region, by year.</summary>
internal static class Q22
{
    public const string Sql = """
        SELECT d.year, p.brand, sum(s.revenue)
        FROM sales s, days d, products p, suppliers u
        WHERE s.day_key = d.key
          AND s.product_key = p.key
          AND s.supplier_key = u.key
          AND p.brand BETWEEN 'Flutes 31' AND 'Flutes 38'
          AND u.region = 'East'
        GROUP BY d.year, p.brand
        ORDER BY d.year, p.brand
        """;

    public static List<BrandRevenue> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             let brand = s.Product.Brand
             where string.CompareOrdinal(brand, "Flutes 31") >= 0 && string.CompareOrdinal(brand, "Flutes 38") <= 0 && s.Supplier.Region == "East"
             group s.Revenue by new { s.Day.Year, Brand = brand } into g
             orderby g.Key.Year, g.Key.Brand
             select new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum())).ToList());

    public static List<BrandRevenue> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Product> products, IEnumerable<Supplier> suppliers) =>
        Query.Run(sales, days, products, suppliers, static (sales, days, products, suppliers) =>
            (from s in sales
             join d in days on s.DayKey equals d.Key
             join p in products on s.ProductKey equals p.Key
             join u in suppliers on s.SupplierKey equals u.Key
             where string.CompareOrdinal(p.Brand, "Flutes 31") >= 0 && string.CompareOrdinal(p.Brand, "Flutes 38") <= 0 && u.Region == "East"
             group s by new { d.Year, p.Brand } into g
             orderby g.Key.Year, g.Key.Brand
             select new BrandRevenue(g.Key.Year, g.Key.Brand, g.Sum(s => s.Revenue))).ToList());
}
