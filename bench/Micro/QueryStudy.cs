using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Ordinary queries over a million sales, compiled, against the same text over a list of objects. Answers are compared before times are printed.
/// </summary>
internal static class QueryStudy
{
    public const string Verb = "queries";
    private const int Rows = 1_000_000;
    private const int Rounds = 5;
    private static readonly DateOnly s_first = new(2015, 1, 1);

    public static void Run()
    {
        using Collection<Shop> shops = new();
        using Collection<Sale> sales = new();
        List<ManagedShop> managedShops = [.. Enumerable.Range(0, 2_000).Select(i => new ManagedShop(i, "city " + (i % 100), i % 7))];
        Shop[] handles = [.. managedShops.Select(s => shops.Add(number: s.Number, city: s.City, kind: s.Kind))];
        Random random = new(3);
        List<ManagedSale> managed = new(Rows);
        for (int i = 0; i < Rows; i++)
        {
            int shop = random.Next(handles.Length);
            ManagedSale sale = new(
                i, managedShops[shop], s_first.AddDays(random.Next(3_650)), random.Next(1, 50), Cents(random.Next(100, 100_000)), Cents(random.Next(0, 10)), $"product {random.Next(1_000):0000} of the list");
            managed.Add(sale);
            sales.Add(id: sale.Id, shop: handles[shop], shopNumber: shop, date: sale.Date, quantity: sale.Quantity, price: sale.Price, discount: sale.Discount, product: sale.Product);
        }

        Console.WriteLine("| query | compiled, ms | objects, ms | faster |");
        Console.WriteLine("| --- | ---: | ---: | ---: |");
        Compare("a page: `OrderBy`, `Skip(200)`, `Take(20)`",
            () => Query.Run(sales, static sales => sales.OrderBy(s => s.Price).ThenBy(s => s.Id).Skip(200).Take(20).Select(s => s.Id).ToList()),
            () => managed.OrderBy(s => s.Price).ThenBy(s => s.Id).Skip(200).Take(20).Select(s => s.Id).ToList());
        Compare("`OrderBy`, `Take(200..220)`",
            () => Query.Run(sales, static sales => sales.OrderBy(s => s.Price).Take(200..220).Select(s => s.Id).ToList()),
            () => managed.OrderBy(s => s.Price).Take(200..220).Select(s => s.Id).ToList());
        Compare("`OrderBy`, `Last`",
            () => Query.Run(sales, static sales => sales.OrderBy(s => s.Price).Last().Id),
            () => managed.OrderBy(s => s.Price).Last().Id);
        Compare("`OrderBy`, `TakeLast(20)`",
            () => Query.Run(sales, static sales => sales.OrderBy(s => s.Price).TakeLast(20).Select(s => s.Id).ToList()),
            () => managed.OrderBy(s => s.Price).TakeLast(20).Select(s => s.Id).ToList());
        Compare("a median: `OrderBy`, `ElementAt`",
            () => Query.Run(sales, static sales => sales.OrderBy(s => s.Price).ElementAt(500_000).Id),
            () => managed.OrderBy(s => s.Price).ElementAt(500_000).Id);
        Compare("medians per group",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.Quantity).Select(g => g.OrderBy(s => s.Price).Skip(g.Count() / 2).First().Price).ToList()),
            () => managed.GroupBy(s => s.Quantity).Select(g => g.OrderBy(s => s.Price).Skip(g.Count() / 2).First().Price).ToList());
        Compare("running totals: a local `ToList()` read for each of its elements",
            () => Query.Run(sales, static sales =>
            {
                var days = sales.GroupBy(s => s.Quantity).Select(g => new { g.Key, Total = g.Sum(s => s.Price) }).ToList();
                return days.Select(d => days.Where(other => other.Key <= d.Key).Sum(other => other.Total)).ToList();
            }),
            () =>
            {
                var days = managed.GroupBy(s => s.Quantity).Select(g => new { g.Key, Total = g.Sum(s => s.Price) }).ToList();
                return days.Select(d => days.Where(other => other.Key <= d.Key).Sum(other => other.Total)).ToList();
            });
        Compare("a sliding window: each day's 30 days, of a local `ToList()`",
            () => Query.Run(sales, static sales =>
            {
                var days = sales.GroupBy(s => s.Date).Select(g => new { g.Key, Total = g.Sum(s => s.Price) }).OrderBy(d => d.Key).ToList();
                return days.Select(d => days.Where(other => other.Key > d.Key.AddDays(-30) && other.Key <= d.Key).Sum(other => other.Total)).ToList();
            }),
            () =>
            {
                var days = managed.GroupBy(s => s.Date).Select(g => new { g.Key, Total = g.Sum(s => s.Price) }).OrderBy(d => d.Key).ToList();
                return days.Select(d => days.Where(other => other.Key > d.Key.AddDays(-30) && other.Key <= d.Key).Sum(other => other.Total)).ToList();
            });
        Compare("a sliding window over all sales, for 100 of them",
            () => Query.Run(sales, static sales => sales.Where(s => s.Id < 100).Select(s => sales.Where(t => t.ShopNumber == s.ShopNumber && t.Date > s.Date.AddDays(-30) && t.Date <= s.Date).Sum(t => t.Price)).ToList()),
            () => managed.Where(s => s.Id < 100).Select(s => managed.Where(t => t.Shop.Number == s.Shop.Number && t.Date > s.Date.AddDays(-30) && t.Date <= s.Date).Sum(t => t.Price)).ToList());
        Compare("`GroupBy` year and month",
            () => Query.Run(sales, static sales => sales.GroupBy(s => new { s.Date.Year, s.Date.Month }).OrderBy(g => g.Key.Year).ThenBy(g => g.Key.Month).Select(g => g.Sum(s => s.Price)).ToList()),
            () => managed.GroupBy(s => new { s.Date.Year, s.Date.Month }).OrderBy(g => g.Key.Year).ThenBy(g => g.Key.Month).Select(g => g.Sum(s => s.Price)).ToList());
        Compare("texts in a range: `CompareOrdinal`",
            () => Query.Run(sales, static sales => sales.Count(s => string.CompareOrdinal(s.Product, "product 02") >= 0 && string.CompareOrdinal(s.Product, "product 03") < 0)),
            () => managed.Count(s => string.CompareOrdinal(s.Product, "product 02") >= 0 && string.CompareOrdinal(s.Product, "product 03") < 0));
        Compare("texts that contain a word",
            () => Query.Run(sales, static sales => sales.Count(s => s.Product.Contains("77 of"))),
            () => managed.Count(s => s.Product.Contains("77 of")));
        Compare("a sum over a join",
            () => Query.Run(sales, shops, static (sales, shops) => sales.Join(shops, s => s.ShopNumber, p => p.Number, (s, p) => new { s, p }).Where(x => x.p.Kind < 3).GroupBy(x => x.p.City)
                .Select(g => new { g.Key, Sum = g.Sum(x => x.s.Price * (1 - x.s.Discount)) }).OrderBy(x => x.Key, StringComparer.Ordinal).Select(x => x.Sum).ToList()),
            () => managed.Join(managedShops, s => s.Shop.Number, p => p.Number, (s, p) => new { s, p }).Where(x => x.p.Kind < 3).GroupBy(x => x.p.City)
                .Select(g => new { g.Key, Sum = g.Sum(x => x.s.Price * (1 - x.s.Discount)) }).OrderBy(x => x.Key, StringComparer.Ordinal).Select(x => x.Sum).ToList());
        Compare("a sum by a referenced row's text",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.Shop.City).Select(g => new { g.Key, Sum = g.Sum(s => s.Price * (1 - s.Discount)) }).OrderBy(x => x.Key, StringComparer.Ordinal).Select(x => x.Sum).ToList()),
            () => managed.GroupBy(s => s.Shop.City).Select(g => new { g.Key, Sum = g.Sum(s => s.Price * (1 - s.Discount)) }).OrderBy(x => x.Key, StringComparer.Ordinal).Select(x => x.Sum).ToList());
        Compare("a sum per referenced row",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.Shop).Select(g => new { g.Key.Number, Sum = g.Sum(s => s.Price) }).OrderBy(x => x.Number).Select(x => x.Sum).ToList()),
            () => managed.GroupBy(s => s.Shop).Select(g => new { g.Key.Number, Sum = g.Sum(s => s.Price) }).OrderBy(x => x.Number).Select(x => x.Sum).ToList());
        Compare("a conditional sum",
            () => Query.Run(sales, static sales => sales.Sum(s => s.Quantity > 25 ? s.Price * s.Quantity : 0m)),
            () => managed.Sum(s => s.Quantity > 25 ? s.Price * s.Quantity : 0m));
        Compare("a filtered `let`",
            () => Query.Run(sales, static sales => (from s in sales let paid = s.Price * (1 - s.Discount) where paid > 500m select paid).Sum()),
            () => (from s in managed let paid = s.Price * (1 - s.Discount) where paid > 500m select paid).Sum());
        Compare("an average of decimals",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.Quantity).Select(g => new { g.Key, Mean = g.Average(s => s.Price) }).OrderBy(x => x.Key).Select(x => x.Mean).ToList()),
            () => managed.GroupBy(s => s.Quantity).Select(g => new { g.Key, Mean = g.Average(s => s.Price) }).OrderBy(x => x.Key).Select(x => x.Mean).ToList());
        Compare("least and most per group",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.ShopNumber).Select(g => new { g.Key, Least = g.Min(s => s.Price), Most = g.Max(s => s.Date) }).OrderBy(x => x.Key).Select(x => ValueTuple.Create(x.Least, x.Most)).ToList()),
            () => managed.GroupBy(s => s.Shop.Number).Select(g => new { g.Key, Least = g.Min(s => s.Price), Most = g.Max(s => s.Date) }).OrderBy(x => x.Key).Select(x => ValueTuple.Create(x.Least, x.Most)).ToList());
        Compare("distinct shops per day",
            () => Query.Run(sales, static sales => sales.GroupBy(s => s.Date).OrderBy(g => g.Key).Select(g => g.Select(s => s.Shop).Distinct().Count()).ToList()),
            () => managed.GroupBy(s => s.Date).OrderBy(g => g.Key).Select(g => g.Select(s => s.Shop).Distinct().Count()).ToList());
        Compare("conditions between two columns",
            () => Query.Run(sales, static sales => sales.Count(s => s.Price > s.Quantity * 10)),
            () => managed.Count(s => s.Price > s.Quantity * 10));
    }

    // Stored with two places behind the point, so that texts of both compare.
    private static decimal Cents(int cents) => new(cents, 0, 0, isNegative: false, scale: 2);

    private static void Compare<T>(string name, Func<T> compiled, Func<T> objects)
    {
        string found = Text(compiled()), expected = Text(objects());
        if (found != expected)
            throw new InvalidOperationException($"{name}: the compiled query gives {found}, objects give {expected}");
        double ours = Least(compiled), theirs = Least(objects);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {ours:0.00} | {theirs:0.0} | {theirs / ours:0.0}× |"));
    }

    private static string Text<T>(T answer) => answer is System.Collections.IEnumerable list and not string ? string.Join(", ", list.Cast<object>()) : "" + answer;

    private static double Least<T>(Func<T> query)
    {
        double least = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            query();
            least = Math.Min(least, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        return least;
    }

    private sealed record ManagedShop(int Number, string City, int Kind);

    private sealed record ManagedSale(long Id, ManagedShop Shop, DateOnly Date, int Quantity, decimal Price, decimal Discount, string Product);
}
