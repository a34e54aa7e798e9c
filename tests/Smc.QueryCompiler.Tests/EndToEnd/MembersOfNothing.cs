using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>A member of the object that a query chooses, where it chooses none: the kernel raises otherwise than the query, which then says what is raised.</summary>
public sealed class MembersOfNothing
{
    private static readonly string[] s_queries =
    [
        "items.Where(l => l.Number == 5555).Select(l => new { l.Flag, l.Price }).FirstOrDefault()!.Price",
        "items.Where(l => l.Number == 5555).OrderBy(l => l.Price).Select(l => new { l.Flag, l.Mode }).LastOrDefault()!.Mode",
        "items.Where(l => l.Number == 5555).Select(l => new { l.Flag, l.Price }).SingleOrDefault()!.Flag",
        "items.Where(l => l.Number == 5555).Select(l => new { l.Flag, l.Price }).FirstOrDefault()!.Price + items.Count()",
    ];

    private static readonly Lazy<CompiledShop> s_shop = new(() => new CompiledShop("Columnar", s_queries, ShopSource.Data));

    public static TheoryData<string> Queries => [.. s_queries];

    [Theory]
    [MemberData(nameof(Queries))]
    public void There_is_none(string query)
    {
        CompiledShop shop = s_shop.Value;
        IDisposable data = shop.Filled("dense");
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered: true);
        Assert.StartsWith(nameof(NullReferenceException), expected);
        Assert.Equal(expected, Answer.Of(() => shop.Run(query, data), isOrdered: true));
    }
}
