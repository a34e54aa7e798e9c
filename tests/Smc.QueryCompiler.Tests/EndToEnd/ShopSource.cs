namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>The program that the end-to-end tests compile: a schema with every kind of column, and collections filled in several states.</summary>
internal static class ShopSource
{
    public const string Usings = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using Smc.Collections;

        """;

    /// <summary>As <see cref="Schema"/>, with references that are stored as places.</summary>
    public static string DirectSchema(string layout) => Schema(layout)
        .Replace("public partial Customer Customer", "[Direct] public partial Customer Customer")
        .Replace("public partial Order Order", "[Direct] public partial Order Order");

    /// <summary>The schema in a layout, <c>Columnar</c> or <c>Row</c>.</summary>
    public static string Schema(string layout) => Usings + $$"""
        namespace Shop;

        public enum Status : short { Open = -1, Shipped = 1, Returned = 300 }

        [Tabular(Layout = TabularLayout.{{layout}})]
        public readonly partial struct Customer
        {
            public partial string Name { get; set; }
            public partial string Segment { get; set; }
            public partial int? Rating { get; set; }
        }

        [Tabular(Layout = TabularLayout.{{layout}})]
        public readonly partial struct Order
        {
            public partial long Key { get; set; }
            public partial Customer Customer { get; set; }
            public partial Customer? Agent { get; set; }
            public partial DateOnly Date { get; set; }
            public partial int Priority { get; set; }
            public partial string? Comment { get; set; }
        }

        [Tabular(Layout = TabularLayout.{{layout}})]
        public readonly partial struct Line
        {
            public partial Order Order { get; set; }
            [Precision(15, 2)] public partial decimal Quantity { get; set; }
            [Precision(18, 2)] public partial decimal Price { get; set; }
            [Precision(9, 2)] public partial decimal Discount { get; set; }
            [Precision(15, 2)] public partial decimal Tax { get; set; }
            public partial decimal Exact { get; set; }
            public partial char Flag { get; set; }
            public partial bool IsGift { get; set; }
            public partial Status Status { get; set; }
            public partial byte Small { get; set; }
            public partial DateOnly ShipDate { get; set; }
            public partial DateOnly CommitDate { get; set; }
            public partial TimeSpan Delay { get; set; }
            public partial DateTime Stamp { get; set; }
            public partial Guid Id { get; set; }
            public partial double Weight { get; set; }
            public partial float Ratio { get; set; }
            public partial int Number { get; set; }
            public partial long Big { get; set; }
            public partial int? Maybe { get; set; }
            [Precision(15, 2)] public partial decimal? Rebate { get; set; }
            public partial string Mode { get; set; }
            public partial string? Note { get; set; }
        }

        public static class Sizes
        {
            public static readonly int Some = 7, None = 0;
            public static readonly Index FromStart = 5, FromEnd = ^6;
            public static readonly Range Middle = 20..30, First = ..^50, Last = ^20..^10, Across = ^690..640, OfName = 3..^1;
            public static readonly int[] More = [4, 5];
            public static readonly OrderRow Template = new(1, 2.50m, new DateOnly(1995, 5, 5), 4);
        }

        public readonly record struct Place(int X, int Y)
        {
            public string Name { get; init; } = "none";
        }

        public struct Corner
        {
            public int X;
            public int Y { get; set; }
        }

        public sealed class ByLength : IComparer<string?>
        {
            public static readonly ByLength Instance = new();
            public int Compare(string? x, string? y) => (x?.Length ?? 100).CompareTo(y?.Length ?? 100);
        }

        public sealed class Nearest(int middle) : IComparer<int>
        {
            public int Compare(int x, int y) => Math.Abs(x - middle).CompareTo(Math.Abs(y - middle));
        }

        public sealed class Corners : IComparer<(int, byte)>
        {
            public int Compare((int, byte) x, (int, byte) y) => (x.Item1 + x.Item2).CompareTo(y.Item1 + y.Item2);
        }

        public sealed class Refusing : IComparer<int>
        {
            public int Compare(int x, int y) => throw new NotSupportedException("numbers");
        }

        public sealed record SumRow(char Flag, Status Status, decimal Quantity, decimal Charge, decimal Average, int Count);
        public sealed record OrderRow(long Key, decimal Revenue, DateOnly Date, int Priority);
        """;

    /// <summary>Makes the collections in a state; the seed is fixed.</summary>
    public static readonly string Data = Usings + """
        namespace Shop;

        public sealed class Data : IDisposable
        {
            public readonly Collection<Customer> Customers;
            public readonly Collection<Order> Orders;
            public readonly Collection<Line> Lines;

            public Data(string state)
            {
                CollectionOptions small = new() { BlockCapacity = 16 };
                CollectionOptions options = state is "several blocks" or "removed" or "removed targets" ? small : new CollectionOptions();
                Customers = new(options);
                Orders = new(options);
                Lines = new(options);
                int lines = state switch { "empty" => 0, "one row" => 1, "dense" => 3000, _ => 700 };
                Random random = new(7);
                string[] segments = ["BUILDING", "AUTO", "MACHINERY", "né"];
                string[] modes = ["AIR", "MAIL", "a longer mode of shipment", ""];
                Customer[] customers = [.. Enumerable.Range(0, 20).Select(i => Customers.Add(name: "Customer " + i, segment: segments[i % 4], rating: i % 3 == 0 ? null : i))];
                Order[] orders = [.. Enumerable.Range(0, 150).Select(i => Orders.Add(
                    key: i * 10, date: new DateOnly(1995, 1, 1).AddDays(random.Next(400)), priority: random.Next(5), customer: customers[random.Next(20)], agent: i % 3 == 0 ? null : customers[i % 20], comment: i % 4 == 0 ? null : "comment " + (i % 7)))];
                List<Line> added = [];
                for (int i = 0; i < lines; i++)
                {
                    added.Add(Lines.Add(
                        order: orders[random.Next(150)],
                        quantity: random.Next(1, 51),
                        price: random.Next(1, 10_000_000) / 100m,
                        discount: random.Next(0, 11) / 100m,
                        tax: random.Next(-2, 9) / 100m,
                        exact: random.Next(1, 1000) / (decimal)Math.Pow(10, random.Next(0, 3)),
                        flag: "ARN"[random.Next(3)],
                        isGift: random.Next(3) == 0,
                        status: (Status)(random.Next(3) switch { 0 => -1, 1 => 1, _ => 300 }),
                        small: (byte)random.Next(0, 200),
                        shipDate: new DateOnly(1995, 1, 1).AddDays(random.Next(500)),
                        commitDate: new DateOnly(1995, 1, 1).AddDays(random.Next(500)),
                        delay: TimeSpan.FromMinutes(random.Next(100)),
                        stamp: new DateTime(2000, 1, 1).AddHours(random.Next(50)),
                        id: new Guid(random.Next(40), 0, 0, new byte[8]),
                        weight: random.Next(40) == 0 ? double.NaN : Math.Round(random.NextDouble() * 100, 1),
                        ratio: (float)Math.Round(random.NextDouble(), 1),
                        number: random.Next(-100, 100),
                        big: random.NextInt64(-1_000_000_000_000, 1_000_000_000_000),
                        maybe: random.Next(3) == 0 ? null : random.Next(10),
                        rebate: random.Next(3) == 0 ? null : random.Next(10_000) / 100m,
                        mode: modes[random.Next(4)],
                        note: random.Next(3) == 0 ? null : "note " + random.Next(5)));
                }

                if (state.StartsWith("removed"))
                    foreach (Line line in added.Where((_, i) => i % 3 == 1 || i is > 130 and < 270)) Lines.Remove(line);
                if (state == "removed targets")
                {
                    HashSet<Order> used = [.. Lines.Select(l => l.Order)];
                    foreach (Order order in orders.Where(o => !used.Contains(o))) Orders.Remove(order);
                    Order extra = Orders.Add(key: 99, date: new DateOnly(1995, 2, 2), priority: 3, customer: customers[0], comment: "late");
                    Orders.Remove(extra);
                }
            }

            public void Dispose()
            {
                Lines.Dispose();
                Orders.Dispose();
                Customers.Dispose();
            }
        }
        """;
}
