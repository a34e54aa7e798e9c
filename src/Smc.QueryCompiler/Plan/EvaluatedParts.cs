namespace Smc.QueryCompiler.Plan;

/// <summary>What is evaluated in any case, whatever the values are: computed or loaded ahead, it raises nothing that would not have been raised.</summary>
internal static class EvaluatedParts
{
    /// <summary>The parts of an operator's expressions that it evaluates for every element.</summary>
    public static IEnumerable<ScalarExpression> Of(LogicalOperator node) => (node is Aggregate aggregate
        ? aggregate.Keys.Concat(aggregate.Aggregates.Where(call => call.Kind is not (AggregateKind.First or AggregateKind.Fold)).Select(call => call.Predicate ?? call.Selector).OfType<ScalarExpression>())
        : node.Expressions()).SelectMany(Of);

    /// <summary>The parts of an expression that are evaluated whenever it is.</summary>
    public static IEnumerable<ScalarExpression> Of(ScalarExpression expression) => expression switch
    {
        Binary { Operator: BinaryOperator.AndAlso or BinaryOperator.OrElse } either => Of(either.Left).Prepend(expression),
        Conditional conditional => Of(conditional.Test).Prepend(expression),
        Coalesce coalesce => Of(coalesce.Left).Prepend(expression),
        Subquery => [expression],
        _ => expression.Children().SelectMany(Of).Prepend(expression),
    };
}
