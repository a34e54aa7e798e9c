namespace Star;

/// <summary>A row of query 4.1: profit with customers of a nation in a year.</summary>
public sealed record NationProfit(int Year, string Nation, decimal Profit)
{
    public static AnswerShape<NationProfit> Shape { get; } = new AnswerShape<NationProfit>()
        .Integer("year", row => row.Year)
        .Text("nation", row => row.Nation)
        .Exact("profit", row => row.Profit);
}
