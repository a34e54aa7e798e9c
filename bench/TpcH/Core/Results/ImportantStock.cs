namespace TpcH;

/// <summary>A row of query 11: a part and the value of its stock.</summary>
public sealed record ImportantStock(int PartKey, decimal Value)
{
    public static AnswerShape<ImportantStock> Shape { get; } = new AnswerShape<ImportantStock>()
        .Integer("ps_partkey", row => row.PartKey)
        .Exact("value", row => row.Value);
}
