namespace TpcH;

/// <summary>A row of query 3: an order that had not been shipped, and what it is worth.</summary>
public sealed record ShippingPriority(long OrderKey, decimal Revenue, DateOnly OrderDate, int Priority)
{
    public static AnswerShape<ShippingPriority> Shape { get; } = new AnswerShape<ShippingPriority>()
        .Integer("l_orderkey", row => row.OrderKey)
        .Exact("revenue", row => row.Revenue)
        .Date("o_orderdate", row => row.OrderDate)
        .Integer("o_shippriority", row => row.Priority);
}
