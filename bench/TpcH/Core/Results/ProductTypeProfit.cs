namespace TpcH;

/// <summary>A row of query 9: profit of a nation in a year.</summary>
public sealed record ProductTypeProfit(string Nation, int Year, decimal Profit)
{
    public static AnswerShape<ProductTypeProfit> Shape { get; } = new AnswerShape<ProductTypeProfit>()
        .Text("nation", row => row.Nation)
        .Integer("o_year", row => row.Year)
        .Exact("sum_profit", row => row.Profit);
}
