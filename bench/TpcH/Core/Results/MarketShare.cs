namespace TpcH;

/// <summary>A row of query 8: a nation's share of the revenue with a type of part in a region.</summary>
public sealed record MarketShare(int Year, decimal Share)
{
    public static AnswerShape<MarketShare> Shape { get; } = new AnswerShape<MarketShare>()
        .Integer("o_year", row => row.Year)
        .Approximate("mkt_share", row => row.Share);
}
