namespace TpcH;

/// <summary>A row of query 13: how many customers have placed so many orders.</summary>
public sealed record CustomerDistribution(int OrderCount, int CustomerCount)
{
    public static AnswerShape<CustomerDistribution> Shape { get; } = new AnswerShape<CustomerDistribution>()
        .Integer("c_count", row => row.OrderCount)
        .Integer("custdist", row => row.CustomerCount);
}
