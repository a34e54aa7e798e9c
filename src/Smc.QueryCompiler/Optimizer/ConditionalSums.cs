using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A sum that takes zero for some elements is a sum over the others: <c>Sum(x => c ? v : 0)</c> takes <c>v</c> where <c>c</c> holds. What it adds then has one scale, so that decimals can be
/// summed as integers, and a condition that all aggregates share can go to the source. A sum of ones is a count. Where an arm is null, the same holds of averages and extremes, which pass over nulls.
/// </summary>
/// <remarks>Only the zero with no digits after the point: one that is written <c>0.00</c> gives the sum its scale.</remarks>
internal static class ConditionalSums
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Aggregate aggregate
        ? aggregate with { Aggregates = aggregate.Aggregates.Select(Simplify).ToEquatableArray() }
        : node);

    private static AggregateCall Simplify(AggregateCall call)
    {
        if (call is not { IsDistinct: false, Kind: AggregateKind.Sum or AggregateKind.Average or AggregateKind.Min or AggregateKind.Max, Selector: Conditional choice })
            return call;
        if (AddsNothing(choice.IfFalse, call.Kind) && !ReadsCallOf(choice.Test, choice.IfTrue))
            return Simplify(Where(call, choice.Test, choice.IfTrue));
        if (AddsNothing(choice.IfTrue, call.Kind) && !ReadsCallOf(choice.Test, choice.IfFalse))
            return Simplify(Where(call, new Unary(PlanType.Boolean, UnaryOperator.Not, choice.Test), choice.IfFalse));
        return call;
    }

    /// <summary>Whether a value needs a call that the condition makes (<c>TryParse(…, out int n) ? n : 0</c>): together they make it once.</summary>
    private static bool ReadsCallOf(ScalarExpression test, ScalarExpression value)
    {
        HashSet<ScalarExpression> calls = [.. test.SelfAndDescendants().OfType<Call>()];
        return calls.Count > 0 && value.SelfAndDescendants().Any(calls.Contains);
    }

    private static AggregateCall Where(AggregateCall call, ScalarExpression test, ScalarExpression value)
    {
        ScalarExpression predicate = call.Predicate is { } before ? new Binary(PlanType.Boolean, BinaryOperator.AndAlso, before, test) : test;
        return (call.Kind, value) switch
        {
            (AggregateKind.Sum, Constant { Literal: "1", Type: { Kind: TypeKind.Int32, IsNullable: false } }) => call with { Kind = AggregateKind.Count, Selector = null, Predicate = predicate },
            (AggregateKind.Sum, Constant { Literal: "1L", Type: { Kind: TypeKind.Int64, IsNullable: false } }) => call with { Kind = AggregateKind.LongCount, Selector = null, Predicate = predicate },
            _ => call with { Selector = value, Predicate = predicate },
        };
    }

    private static bool AddsNothing(ScalarExpression arm, AggregateKind kind) => arm switch
    {
        Constant { Literal: "null" } => true,
        Plan.Convert { Operand: Constant operand } => AddsNothing(operand, kind),
        Constant constant => kind == AggregateKind.Sum && constant.Literal is "0" or "0L" or "0m" or "0M" or "0d" or "0D" or "0.0" or "0f" or "0F" or "0.0f",
        _ => false,
    };
}
