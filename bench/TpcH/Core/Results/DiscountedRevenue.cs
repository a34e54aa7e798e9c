namespace TpcH;

/// <summary>The one value of query 19; null when there are no such sales.</summary>
public static class DiscountedRevenue
{
    public static AnswerShape<decimal?> Shape { get; } = new AnswerShape<decimal?>().Exact("revenue", revenue => revenue);
}
