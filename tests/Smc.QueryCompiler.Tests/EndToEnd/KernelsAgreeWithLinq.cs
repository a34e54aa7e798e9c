using System.Collections.Concurrent;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Every query case in every layout and state: a kernel gives what LINQ to Objects gives over the same rows.</summary>
public sealed class KernelsAgreeWithLinq
{
    private static readonly ConcurrentDictionary<string, Lazy<CompiledShop>> s_shops = [];

    public static readonly string[] States = ["dense", "removed", "removed targets", "empty", "one row", "several blocks"];

    public static TheoryData<string, string, string> Cases()
    {
        TheoryData<string, string, string> cases = [];
        foreach (string layout in new[] { "Columnar", "Row" })
        {
            foreach (string state in States)
            {
                foreach (string query in QueryCases.All)
                    cases.Add(layout, state, query);
            }
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_kernel_gives_what_LINQ_gives(string layout, string state, string query)
    {
        CompiledShop shop = Shop(layout);
        Assert.SkipWhen(shop.ReasonFor(query) is not null, shop.ReasonFor(query) ?? "");
        IDisposable data = shop.Filled(state);
        bool isOrdered = QueryCases.IsOrdered(query);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered);
        string actual = Answer.Of(() => shop.Run(query, data), isOrdered);
        Assert.True(expected == actual, $"LINQ:\n{Shorten(expected)}\n\nkernel:\n{Shorten(actual)}\n\n{shop.Kernel(query).SourceText}");
    }

    [Fact]
    public void Distinct_rows_that_a_scan_refers_to_are_numbered_by_dense_id() => Assert.Matches(
        @"FindGroup\d+\(ref State s, ulong k0\)\s*\{\s*ulong index = TargetRows\.IndexOf\(k0",
        Shop("Columnar").Kernel("items.Select(l => l.Order).Distinct().Select(o => o.Key).ToList()").SourceText);

    [Theory]
    [InlineData("items.Sum(l => l.Exact)")]
    [InlineData("items.GroupBy(l => l.Id).Select(g => new { g.Key, N = g.Count() }).ToList()")]
    public void Both_variants_read_columns_of_16_bytes_whole(string query)
    {
        string text = Shop("Columnar").Kernel(query).SourceText;
        Assert.Matches(@"ColumnValue\.Read<[\w:.]+>\(block", text);
        Assert.DoesNotMatch(@"KernelMemory\.Read<(decimal|global::System\.\w+)>\(block", text);
    }

    internal static CompiledShop Shop(string layout) => s_shops.GetOrAdd(
        layout, name => new Lazy<CompiledShop>(() => new CompiledShop(name, [.. QueryCases.All], ShopSource.Data))).Value;

    private static string Shorten(string text) => text.Length > 600 ? text[..600] + "…" : text;
}
