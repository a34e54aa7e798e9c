using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Tests.RandomQueries;

/// <summary>What random queries found and was then mended: each stays a case.</summary>
public sealed class FoundDifferences
{
    private const string Members = """
        public sealed record Box
        {
            public Guid? A { get; set; }
            public DateOnly B { get; set; }
        }
        """;

    private static readonly string[] s_queries =
    [
        // A null value of 16 bytes in a row-layout column took the members after it along.
        "items.Select(l => new Box { A = l.Mark, B = new DateOnly(1995, 1, 15) }).ToList()",
        // A result that contains an anonymous type without being one has no name in C#.
        "items.GroupBy(l => new { A = 3, B = l.Maybe }).Select(g => (A: g.Key, B: 0d, C: 0)).ToList()",
        // Groups of groups.
        "items.GroupBy(l => l.Flag).Select(g => new { A = g.Key, B = 0.555m }).GroupBy(y => y.A).Select(h => new { A = h.Key, B = h.Average(z => (long?)null), C = 0 }).ToList()",
        // A member of a nullable aggregate.
        "items.GroupBy(l => new { A = 0, B = 0L }).Select(g => new { A = g.Key, B = g.Sum(l => l.Rebate) }).Max(y => y.B.HasValue)",
        // The greatest of no nullable values is null, also when they are made by a constructor.
        "items.Where(l => l.Number > 1000000).Max(l => (DateOnly?)new DateOnly(1995, 1, 8))",
        // A join below an element that is put in front writes its table's method once, though its rows are asked for twice.
        "items.Prepend(items.OrderBy(l => l.Number).First()).Join(items, l => l.Number, r => r.Number, (l, r) => r.Quantity).ToList()",
        // Constants that come together only in the kernel, where C# would refuse what they make.
        "items.Select(l => new { A = l.Number, B = -1 }).Select(x => checked((char)x.B)).ToList()",
        "items.Select(l => new { A = int.MaxValue, B = 1 }).Select(x => checked(x.A + x.B)).ToList()",
        "items.Select(l => new { A = l.Number, B = 0 }).Select(x => x.A / x.B).ToList()",
        "items.Select(l => new { A = decimal.MaxValue, B = 2m }).Select(x => x.A * x.B).ToList()",
        // Any ends at the first element: what lies behind it cannot raise.
        "items.Where(l => 100 / (l.Number - 3) > -1000).Any()",
        // A span that is used twice is no variable of the kernel: it cannot be kept.
        "items.Select(l => l.Mode.AsSpan().Contains(l.Mode.AsSpan()[0]) ? 'O' : 'R').ToList()",
        // The average of negative zeros is one.
        "items.Average(l => Math.Round(-0.1))",
        "items.GroupBy(l => l.Flag).Select(g => new { g.Key, A = g.Average(l => Math.Round(-0.1)), B = g.Average(l => l.Number > 0 ? (float?)null : -0f), S = g.Sum(l => -0d) }).ToList()",
        // Of equal minima the first is taken: zero or a negative zero.
        "items.Reverse().Min(l => l.Number % 2 == 0 ? 0d : -0d)",
        "items.SkipLast(-2).Max(l => l.Number % 2 == 0 ? 1.0m : 1.00m)",
        // A pattern with negative zero is no comparison with it, which in C# null passes.
        "items.Where(l => (l.Number > 2 ? (double?)null : l.Number) is not (0.3d or -0d)).Select(l => l.Number).ToList()",
        "items.Where(l => (l.Number > 2 ? (float?)null : l.Number) is -0f).Select(l => l.Number).ToList()",
        // A subquery in a condition on a referenced row, which is a method beside the one that tests the row.
        "items.Where(l => items.Any(x => l.Order.Customer != null)).Count()",
        // A join without keys, whose right side is a whole collection.
        "items.Where(l => l.Number < 5).SelectMany(l => items.Where(r => r.Number > l.Number - 3), (l, r) => r.Number).Count()",
    ];

    private static readonly Dictionary<string, Lazy<CompiledShop>> s_shops = new[] { "Columnar", "Row" }.ToDictionary(layout => layout, layout => new Lazy<CompiledShop>(() => new CompiledShop(
        layout, s_queries, ShopSource.Data, Members, ShopSource.Schema(layout).Replace("public partial int? Maybe", "public partial Guid? Mark { get; set; }\n    public partial int? Maybe"))));

    public static TheoryData<string, string> Cases => [.. s_shops.Keys.SelectMany(layout => s_queries.Select(query => (layout, query)))];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_kernel_gives_what_LINQ_gives(string layout, string query)
    {
        CompiledShop shop = s_shops[layout].Value;
        Assert.Null(shop.ReasonFor(query));
        IDisposable data = shop.Filled("several blocks");
        Assert.Equal(Answer.Of(() => shop.Linq(query, data), isOrdered: false), Answer.Of(() => shop.Run(query, data), isOrdered: false));
    }
}
