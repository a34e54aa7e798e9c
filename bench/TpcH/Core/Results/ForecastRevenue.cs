namespace TpcH;

/// <summary>The one value of query 6.</summary>
public static class ForecastRevenue
{
    public static AnswerShape<decimal> Shape { get; } = new AnswerShape<decimal>().Exact("revenue", revenue => revenue);
}
