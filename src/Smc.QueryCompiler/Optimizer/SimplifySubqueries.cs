using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// Brings questions whether there are elements into one form, <see cref="Terminal.Any"/> over a filter: <c>Any(p)</c> and <c>All(p)</c> written as aggregates, <c>Count() > 0</c>, <c>Count() == 0</c> and their like;
/// and takes from under it what cannot change the answer (an order, <c>Distinct</c>, values that nobody reads). Of other aggregates a condition that all have becomes a filter.
/// </summary>
/// <remarks>A count that may raise stays a count: it looks at all elements, <c>Any</c> only at the first.</remarks>
internal static class SimplifySubqueries
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => FilterBelowAggregates(node).MapExpressions(e => Simplify(e, facts)));

    private static ScalarExpression Simplify(ScalarExpression expression, PlanFacts facts)
    {
        if (expression is Subquery nested)
            return SimplifyQuery(nested, facts);
        ScalarExpression simple = expression.MapChildren(child => Simplify(child, facts));
        return simple is Binary { Left: Subquery query, Right: Constant limit } comparison && Counted(query) is { } counted && !facts.CanRaise(counted)
            ? AnyOf(comparison.Operator, limit.Literal.TrimEnd('L', 'l'), counted) ?? simple
            : simple;
    }

    /// <summary>Rewriting has been through the operators inside already.</summary>
    private static ScalarExpression SimplifyQuery(Subquery query, PlanFacts facts)
    {
        if (query is { Terminal: Terminal.Scalar, Root: Project { Result: AggregateRead { Index: 0 } read, Input: Aggregate { Keys.Count: 0, Aggregates.Count: 1 } aggregate } }
            && read.Group == aggregate.Group)
        {
            if (aggregate.Aggregates[0] is { Kind: AggregateKind.Any } any)
                return SimplifyQuery(Any(any.Predicate is null ? aggregate.Input : new Filter(aggregate.Input, any.Predicate)), facts);
            if (aggregate.Aggregates[0] is { Kind: AggregateKind.All, Predicate: { } predicate })
                return Not(SimplifyQuery(Any(new Filter(aggregate.Input, Negated(predicate))), facts));
        }

        return query.Terminal == Terminal.Any ? query with { Root = WithoutIrrelevant(query.Root, facts) } : query;
    }

    private static LogicalOperator WithoutIrrelevant(LogicalOperator node, PlanFacts facts) => node switch
    {
        Project project when !facts.CanRaise(project.Result, project.Input) && project.Key is null => WithoutIrrelevant(project.Input, facts),
        Order order when !order.Keys.Any(key => facts.CanRaise(key.Value, order.Input)) => WithoutIrrelevant(order.Input, facts),
        Distinct distinct when !distinct.Keys.Any(key => facts.CanRaise(key, distinct.Input)) => WithoutIrrelevant(distinct.Input, facts),
        Compute compute when !compute.Bindings.Any(b => facts.CanRaise(b.Value, compute.Input)) => WithoutIrrelevant(compute.Input, facts),
        Filter filter => !facts.CanRaise(filter.Predicate, filter.Input) ? filter with { Input = WithoutOrder(filter.Input, facts) } : filter,
        _ => node,
    };

    /// <summary>Below a condition the order is irrelevant, too, when the condition cannot raise: it decides which element is looked at last.</summary>
    private static LogicalOperator WithoutOrder(LogicalOperator node, PlanFacts facts) => node switch
    {
        Order order when !order.Keys.Any(key => facts.CanRaise(key.Value, order.Input)) => WithoutOrder(order.Input, facts),
        Reverse reverse => WithoutOrder(reverse.Input, facts),
        _ => node,
    };

    /// <summary>What is counted, when the subquery is a plain count.</summary>
    private static LogicalOperator? Counted(Subquery query) =>
        query is { Terminal: Terminal.Scalar, Root: Project { Result: AggregateRead { Index: 0 } read, Input: Aggregate { Keys.Count: 0, Aggregates.Count: 1 } aggregate } }
        && read.Group == aggregate.Group
        && aggregate.Aggregates[0] is { Kind: AggregateKind.Count or AggregateKind.LongCount, IsDistinct: false } count
            ? count.Predicate is null ? aggregate.Input : new Filter(aggregate.Input, count.Predicate)
            : null;

    private static ScalarExpression? AnyOf(BinaryOperator comparison, string limit, LogicalOperator counted) => (comparison, limit) switch
    {
        (BinaryOperator.GreaterThan or BinaryOperator.NotEqual, "0") or (BinaryOperator.GreaterThanOrEqual, "1") => Any(counted),
        (BinaryOperator.Equal or BinaryOperator.LessThanOrEqual, "0") or (BinaryOperator.LessThan, "1") => Not(Any(counted)),
        _ => null,
    };

    /// <summary>An aggregate without keys whose calls count the same rows is over these rows alone.</summary>
    private static LogicalOperator FilterBelowAggregates(LogicalOperator node) =>
        node is Aggregate { Keys.Count: 0, Aggregates.Count: > 0 } aggregate && aggregate.Aggregates[0].Predicate is { } predicate
        && aggregate.Aggregates.All(call => call.Kind != AggregateKind.All && predicate.Equals(call.Predicate))
            ? aggregate with
            {
                Input = new Filter(aggregate.Input, predicate),
                Aggregates = aggregate.Aggregates.Select(call => call with { Predicate = null }).ToEquatableArray(),
            }
            : node;

    private static Subquery Any(LogicalOperator node) => new(PlanType.Boolean, node, Terminal.Any);

    private static Unary Not(ScalarExpression operand) => new(PlanType.Boolean, UnaryOperator.Not, operand);

    private static ScalarExpression Negated(ScalarExpression condition) => condition is Unary { Operator: UnaryOperator.Not } not ? not.Operand : Not(condition);
}
