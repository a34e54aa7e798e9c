namespace Star;

/// <summary>A row of flight 3: revenue in a year with goods from one place (a nation or a city) to another.</summary>
public sealed record TradeRevenue(string To, string From, int Year, decimal Revenue)
{
    public static AnswerShape<TradeRevenue> Shape { get; } = new AnswerShape<TradeRevenue>()
        .Text("customers", row => row.To)
        .Text("suppliers", row => row.From)
        .Integer("year", row => row.Year)
        .Exact("revenue", row => row.Revenue);
}
