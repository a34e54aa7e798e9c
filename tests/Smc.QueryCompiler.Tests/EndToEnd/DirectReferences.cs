using System.Collections.Concurrent;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>The query cases that touch references, over a schema whose references are <c>[Direct]</c>.</summary>
public sealed class DirectReferences
{
    private static readonly ConcurrentDictionary<string, Lazy<CompiledShop>> s_shops = [];
    private static readonly string[] s_ordered = [.. QueryCases.Ordered.Where(FollowsReferences)];
    private static readonly string[] s_unordered = [.. QueryCases.Unordered.Where(FollowsReferences)];

    public static TheoryData<string, string, string> Cases()
    {
        TheoryData<string, string, string> cases = [];
        foreach (string layout in new[] { "Columnar", "Row" })
        {
            foreach (string state in KernelsAgreeWithLinq.States)
            {
                foreach (string query in s_ordered.Concat(s_unordered))
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
        bool isOrdered = s_ordered.Contains(query);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered);
        string actual = Answer.Of(() => shop.Run(query, data), isOrdered);
        Assert.True(expected == actual, $"LINQ:\n{expected}\n\nkernel:\n{actual}\n\n{shop.Kernel(query).SourceText}");
    }

    [Fact]
    public void A_column_behind_a_direct_reference_is_read_without_the_entry()
    {
        const string Query = "items.Where(l => l.Order.Date < new DateOnly(1995, 6, 1)).Select(l => l.Order.Key).ToList()";
        string kernel = Shop("Columnar").Kernel(Query).SourceText;
        Assert.Contains("LocateDirect<global::Shop.Order>(", kernel, StringComparison.Ordinal);
        Assert.DoesNotContain(".Locate<global::Shop.Order>(", kernel, StringComparison.Ordinal);
    }

    private static CompiledShop Shop(string layout) => s_shops.GetOrAdd(
        layout, name => new Lazy<CompiledShop>(() => new CompiledShop(name, [.. s_ordered, .. s_unordered], ShopSource.Data, schema: ShopSource.DirectSchema(name)))).Value;

    private static bool FollowsReferences(string query) => query.Contains("Order.", StringComparison.Ordinal) || query.Contains("l.Order", StringComparison.Ordinal);
}
