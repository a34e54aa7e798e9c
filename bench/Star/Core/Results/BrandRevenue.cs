namespace Star;

/// <summary>A row of flight 2: revenue of a brand in a year.</summary>
public sealed record BrandRevenue(int Year, string Brand, decimal Revenue)
{
    public static AnswerShape<BrandRevenue> Shape { get; } = new AnswerShape<BrandRevenue>()
        .Integer("year", row => row.Year)
        .Text("brand", row => row.Brand)
        .Exact("revenue", row => row.Revenue);
}
