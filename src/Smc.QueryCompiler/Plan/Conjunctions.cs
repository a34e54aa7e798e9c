namespace Smc.QueryCompiler.Plan;

/// <summary>Conditions joined by <c>&amp;&amp;</c>.</summary>
public static class Conjunctions
{
    /// <summary>The conditions, in the order in which C# tests them.</summary>
    public static IEnumerable<ScalarExpression> Split(ScalarExpression predicate) =>
        predicate is Binary { Operator: BinaryOperator.AndAlso } and ? Split(and.Left).Concat(Split(and.Right)) : [predicate];

    /// <summary>One condition that is true when all are.</summary>
    public static ScalarExpression Join(IEnumerable<ScalarExpression> conditions) =>
        conditions.Aggregate((left, right) => new Binary(PlanType.Boolean, BinaryOperator.AndAlso, left, right));
}
