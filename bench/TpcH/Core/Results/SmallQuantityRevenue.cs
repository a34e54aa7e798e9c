namespace TpcH;

/// <summary>The one value of query 17: yearly revenue from small orders; null when there are none.</summary>
public static class SmallQuantityRevenue
{
    public static AnswerShape<decimal?> Shape { get; } = new AnswerShape<decimal?>().Approximate("avg_yearly", revenue => revenue);
}
