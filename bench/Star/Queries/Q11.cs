using Smc.Collections;
using Star.Model;

namespace Star.Queries;

/// <summary>Small sales of a year at middling discounts.</summary>
internal static class Q11
{
    public const string Sql = """
        SELECT coalesce(sum(s.price * s.discount), 0)
        FROM sales s, days d
        WHERE s.day_key = d.key
          AND d.year = 2020
          AND s.discount BETWEEN 0.03 AND 0.05
          AND s.quantity < 20
        """;

    public static decimal Navigation(IEnumerable<Sale> sales) =>
        Query.Run(sales, static sales =>
            (from s in sales
             where s.Day.Year == 2020 && s.Discount >= 0.03m && s.Discount <= 0.05m && s.Quantity < 20
             select s.Price * s.Discount).Sum());

    public static decimal Joins(IEnumerable<Sale> sales, IEnumerable<Day> days) =>
        Query.Run(sales, days, static (sales, days) =>
            (from s in sales
             join d in days on s.DayKey equals d.Key
             where d.Year == 2020 && s.Discount >= 0.03m && s.Discount <= 0.05m && s.Quantity < 20
             select s.Price * s.Discount).Sum());
}
