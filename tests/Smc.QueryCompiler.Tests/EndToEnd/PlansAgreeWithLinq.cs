using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Every operator and terminal of the plan, alone and combined, gives what the LINQ query gives that it stands for.</summary>
public sealed class PlansAgreeWithLinq
{
    private static readonly Dictionary<string, Lazy<PlanShop>> s_shops = new[] { "Columnar", "Row" }
        .ToDictionary(layout => layout, layout => new Lazy<PlanShop>(() => new PlanShop(layout)));

    public static TheoryData<string, string, string> Cases() =>
        [.. s_shops.Keys.SelectMany(layout => KernelsAgreeWithLinq.States.SelectMany(state => PlanCases.Names.Select(name => (layout, state, name))))];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_kernel_gives_what_LINQ_gives(string layout, string state, string name)
    {
        PlanShop shop = Shop(layout);
        string expected = Answer.Of(() => shop.Linq(name, state), isOrdered: true);
        string actual = Answer.Of(() => shop.Run(name, state), isOrdered: true);
        Assert.True(expected == actual, $"LINQ:\n{Shorten(expected)}\n\nkernel:\n{Shorten(actual)}\n\n{shop.Kernel(name).SourceText}");
    }

    internal static PlanShop Shop(string layout) => s_shops[layout].Value;

    [Fact]
    public void Rows_that_a_reference_leads_to_are_bits() => Assert.Contains("KeyFilter.OverRows(", s_shops["Columnar"].Value.Kernel("anti join").SourceText);

    [Fact]
    public void Scanned_rows_are_looked_for_without_their_entries() => Assert.Contains(".ContainsRow(block, slot)", s_shops["Columnar"].Value.Kernel("anti join").SourceText);

    private static string Shorten(string text) => text.Length > 600 ? text[..600] + "…" : text;
}
