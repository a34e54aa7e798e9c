namespace TpcH;

/// <summary>A row of query 4: how many orders of a priority had a late line.</summary>
public sealed record OrderPriorityCount(string OrderPriority, int OrderCount)
{
    public static AnswerShape<OrderPriorityCount> Shape { get; } = new AnswerShape<OrderPriorityCount>()
        .Text("o_orderpriority", row => row.OrderPriority)
        .Integer("order_count", row => row.OrderCount);
}
