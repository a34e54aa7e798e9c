namespace Smc.QueryCompiler.Plan;

/// <summary>One comparison, column on the left.</summary>
/// <param name="Operator">One of &lt;, &lt;=, &gt;, &gt;=, ==.</param>
/// <param name="Value">The other side; null for the truth value of a <c>bool</c> column.</param>
/// <param name="Truth">What a <c>bool</c> column has to be.</param>
internal sealed record RangeBound(BinaryOperator Operator, ScalarExpression? Value, bool Truth = true)
{
    /// <summary>The method of <c>ValueRange</c> that narrows a range by the comparison.</summary>
    public string Method => Operator switch
    {
        BinaryOperator.LessThan => "Below",
        BinaryOperator.LessThanOrEqual => "AtMost",
        BinaryOperator.GreaterThan => "Above",
        BinaryOperator.GreaterThanOrEqual => "AtLeast",
        _ => "Exactly",
    };

    /// <summary>The operator of the same comparison with its sides exchanged.</summary>
    public static BinaryOperator Mirror(BinaryOperator op) => op switch
    {
        BinaryOperator.LessThan => BinaryOperator.GreaterThan,
        BinaryOperator.LessThanOrEqual => BinaryOperator.GreaterThanOrEqual,
        BinaryOperator.GreaterThan => BinaryOperator.LessThan,
        BinaryOperator.GreaterThanOrEqual => BinaryOperator.LessThanOrEqual,
        _ => op,
    };
}
