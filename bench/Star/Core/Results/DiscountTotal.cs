namespace Star;

/// <summary>What flight 1 answers: the discount that was given, as an amount.</summary>
public static class DiscountTotal
{
    public static AnswerShape<decimal> Shape { get; } = new AnswerShape<decimal>().Exact("discount", value => value);
}
