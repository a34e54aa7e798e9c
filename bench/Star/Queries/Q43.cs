using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Profit with a department's goods from one nation in two years, from the cost of a piece, by year, city of the suppliers and brand.</summary>
internal static class Q43
{
    public const string Sql = """
        SELECT d.year, u.city, p.brand, sum(s.revenue - s.unit_cost * s.quantity)
        FROM sales s, days d, customers c, suppliers u, products p
        WHERE s.day_key = d.key
          AND s.customer_key = c.key
          AND s.supplier_key = u.key
          AND s.product_key = p.key
          AND c.region = 'North'
          AND u.nation = 'Sweden'
          AND p.department = 'Garden'
          AND d.year >= 2023
        GROUP BY d.year, u.city, p.brand
        ORDER BY d.year, u.city, p.brand
        """;

    public static List<GoodsProfit> Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Customer.Region == "North" && s.Supplier.Nation == "Sweden" && s.Product.Department == "Garden" && s.Day.Year >= 2023
             group s by new { s.Day.Year, s.Supplier.City, s.Product.Brand } into g
             orderby g.Key.Year, g.Key.City, g.Key.Brand
             select new GoodsProfit(g.Key.Year, g.Key.City, g.Key.Brand, g.Sum(s => s.Revenue - s.UnitCost * s.Quantity))).ToList());

    public static List<GoodsProfit> Joins(
        IEnumerable<Sale> sales, IEnumerable<Day> days, IEnumerable<Customer> customers, IEnumerable<Supplier> suppliers,
        IEnumerable<Product> products) =>
        Query.Run(sales, days, customers, suppliers, products, static (sales, days, customers, suppliers, products) =>
            (from s in sales
             join u in suppliers.Where(u => u.Nation == "Sweden") on s.SupplierKey equals u.Key
             join c in customers.Where(c => c.Region == "North") on s.CustomerKey equals c.Key
             join p in products.Where(p => p.Department == "Garden") on s.ProductKey equals p.Key
             join d in days.Where(d => d.Year >= 2023) on s.DayKey equals d.Key
             group s.Revenue - s.UnitCost * s.Quantity by new { d.Year, u.City, p.Brand } into g
             orderby g.Key.Year, g.Key.City, g.Key.Brand
             select new GoodsProfit(g.Key.Year, g.Key.City, g.Key.Brand, g.Sum())).ToList());
}
