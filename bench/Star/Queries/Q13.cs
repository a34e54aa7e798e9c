using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Large sales of a week at high discounts.</summary>
internal static class Q13
{
    public const string Sql = """
        SELECT coalesce(sum(s.price * s.discount), 0)
        FROM sales s, days d
        WHERE s.day_key = d.key
          AND d.week = 14
          AND d.year = 2022
          AND s.discount BETWEEN 0.05 AND 0.07
          AND s.quantity BETWEEN 30 AND 45
        """;

    public static decimal Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Day.Week == 14 && s.Day.Year == 2022
                && s.Discount >= 0.05m && s.Discount <= 0.07m && s.Quantity >= 30 && s.Quantity <= 45
             select s.Price * s.Discount).Sum());

    public static decimal Joins(IEnumerable<Sale> sales, IEnumerable<Day> days) =>
        Query.Run(sales, days, static (sales, days) =>
            (from s in sales
             where s.Discount >= 0.05m && s.Discount <= 0.07m && s.Quantity >= 30 && s.Quantity <= 45
             join d in days.Where(d => d.Week == 14 && d.Year == 2022) on s.DayKey equals d.Key
             select s.Price * s.Discount).Sum());
}
