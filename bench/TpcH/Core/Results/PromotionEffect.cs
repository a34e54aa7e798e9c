namespace TpcH;

/// <summary>The one value of query 14: the percentage of revenue from promoted parts; null when there is none.</summary>
public static class PromotionEffect
{
    public static AnswerShape<decimal?> Shape { get; } = new AnswerShape<decimal?>().Approximate("promo_revenue", share => share);
}
