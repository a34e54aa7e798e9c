namespace Star;

/// <summary>The thirteen queries in four flights; from one to the next of a flight fewer sales count.</summary>
public static class QueryCatalog
{
    public static IReadOnlyList<QueryDefinition> All { get; } =
    [
        new("1.1", DiscountTotal.Shape),
        new("1.2", DiscountTotal.Shape),
        new("1.3", DiscountTotal.Shape),
        new("2.1", BrandRevenue.Shape),
        new("2.2", BrandRevenue.Shape),
        new("2.3", BrandRevenue.Shape),
        new("3.1", TradeRevenue.Shape),
        new("3.2", TradeRevenue.Shape),
        new("3.3", TradeRevenue.Shape),
        new("3.4", TradeRevenue.Shape),
        new("4.1", NationProfit.Shape),
        new("4.2", GoodsProfit.Shape),
        new("4.3", GoodsProfit.Shape),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(query => query.Name)];

    public static QueryDefinition Named(string name) => All.Single(query => query.Name == name);
}
