using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Middling sales of a month at high discounts.</summary>
internal static class Q12
{
    public const string Sql = """
        SELECT coalesce(sum(s.price * s.discount), 0)
        FROM sales s, days d
        WHERE s.day_key = d.key
          AND d.year_month = 202104
          AND s.discount BETWEEN 0.06 AND 0.08
          AND s.quantity BETWEEN 25 AND 35
        """;

    public static decimal Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales => sales
            .Where(s => s.Day.YearMonth == 202104 && s.Discount >= 0.06m && s.Discount <= 0.08m && s.Quantity >= 25 && s.Quantity <= 35)
            .Sum(s => s.Price * s.Discount));

    public static decimal Joins(IEnumerable<Sale> sales, IEnumerable<Day> days) =>
        Query.Run(sales, days, static (sales, days) => sales
            .Where(s => s.Discount >= 0.06m && s.Discount <= 0.08m && s.Quantity >= 25 && s.Quantity <= 35)
            .Join(days.Where(d => d.YearMonth == 202104), s => s.DayKey, d => d.Key, (s, d) => s.Price * s.Discount)
            .Sum());
}
