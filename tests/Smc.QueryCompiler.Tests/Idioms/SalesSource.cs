namespace Smc.QueryCompiler.Tests.Idioms;

/// <summary>The program that the idioms are compiled with: rows, lists from outside, and methods of the user's.</summary>
internal static class SalesSource
{
    public const string Text = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using Smc.Collections;

        namespace Sales;

        [Flags] public enum Status { Open = 1, Closed = 2 }

        public record SaleDto(long Id, string Name, decimal Price);

        public class SaleModel { public long Id { get; set; } public string Name { get; set; } = ""; }

        [Tabular] public readonly partial struct Town { public partial string City { get; set; } }

        [Tabular]
        public readonly partial struct Customer
        {
            public partial string Name { get; set; }
            public partial string Segment { get; set; }
            public partial int? Rating { get; set; }
            public partial Town Address { get; set; }
        }

        [Tabular]
        public readonly partial struct Sale
        {
            public partial long Id { get; set; }
            public partial Customer Customer { get; set; }
            public partial Customer? Agent { get; set; }
            public partial string Region { get; set; }
            public partial string? Comment { get; set; }
            [Precision(15, 2)] public partial decimal Price { get; set; }
            public partial decimal? Discount { get; set; }
            public partial int Quantity { get; set; }
            public partial double Weight { get; set; }
            public partial DateOnly Date { get; set; }
            public partial DateTime Stamp { get; set; }
            public partial Status Status { get; set; }
        }

        public static class Data
        {
            private static readonly Collection<Customer> s_customers = new();
            private static readonly Collection<Sale> s_sales = new();

            static Data()
            {
                Random random = new(5);
                Collection<Town> towns = new();
                Town[] town = [.. Enumerable.Range(0, 3).Select(i => towns.Add(city: "XYZ"[i].ToString()))];
                Customer[] customer = [.. Enumerable.Range(0, 20).Select(i => s_customers.Add(
                    name: "Customer " + i, segment: i % 3 == 0 ? "A" : i % 3 == 1 ? "B" : "C", rating: i % 4 == 0 ? null : i % 9, address: town[i % 3]))];
                string[] regions = ["EU", "US", "Asia", "12", "e,s"], comments = ["a b c", "urgent x", "", "  pad ", "aaa"];
                for (int i = 0; i < 300; i++)
                {
                    s_sales.Add(
                        id: i, customer: customer[random.Next(17)], agent: random.Next(3) == 0 ? null : customer[random.Next(17)], region: regions[random.Next(5)],
                        comment: random.Next(4) == 0 ? null : comments[random.Next(5)], price: random.Next(1, 20000) / 100m, discount: random.Next(3) == 0 ? null : random.Next(30) / 100m,
                        quantity: random.Next(1, 20), weight: Math.Round(random.NextDouble() * 10, 2), date: new DateOnly(2023, 1, 1).AddDays(random.Next(700)),
                        stamp: new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMinutes(random.Next(500000)), status: (Status)random.Next(1, 4));
                }
            }

            /// <summary>What a parameter of a query is given: collections, over which kernels run, or the same rows as sequences, over which LINQ to Objects does.</summary>
            public static object Of(string parameter, bool asCollection) => parameter switch
            {
                "sales" => asCollection ? s_sales : new List<Sale>(s_sales).Select(s => s),
                "customers" => asCollection ? s_customers : new List<Customer>(s_customers).Select(c => c),
                "ids" => new List<long> { 1, 5, 7, 200, 999 },
                "set" => new HashSet<string> { "EU", "A" },
                "rates" => new Dictionary<string, decimal> { ["EU"] = 1.1m, ["US"] = 1m, ["Asia"] = .9m, ["12"] = 2m, ["e,s"] = 3m },
                "since" => new DateTime(2024, 6, 1, 0, 0, 0, DateTimeKind.Utc),
                _ => new List<(string, int)> { ("EU", 3), ("US", 7) },
            };
        }

        public static partial class Queries
        {
            private static decimal Net(Sale s) => s.Price * (1 - (s.Discount ?? 0m));

            private static bool IsPeak(DateTime at)
            {
                if (at.DayOfWeek is DayOfWeek.Saturday or DayOfWeek.Sunday)
                    return false;
                return at.Hour is >= 8 and < 20;
            }
        }
        """;
}
