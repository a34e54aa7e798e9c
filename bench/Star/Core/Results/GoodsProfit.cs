namespace Star;

/// <summary>A row of queries 4.2 and 4.3: profit in a year with goods (a category or a brand) from a place (a nation or a city).</summary>
public sealed record GoodsProfit(int Year, string From, string Goods, decimal Profit)
{
    public static AnswerShape<GoodsProfit> Shape { get; } = new AnswerShape<GoodsProfit>()
        .Integer("year", row => row.Year)
        .Text("suppliers", row => row.From)
        .Text("goods", row => row.Goods)
        .Exact("profit", row => row.Profit);
}
