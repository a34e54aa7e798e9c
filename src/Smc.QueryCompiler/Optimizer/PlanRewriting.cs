using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Rebuilds plans from the scan upwards, for rules that look at one operator at a time.</summary>
internal static class PlanRewriting
{
    /// <summary>The plan with every operator replaced by what the rule makes of it; inputs are rewritten already.</summary>
    public static QueryPlan MapOperators(this QueryPlan plan, Func<LogicalOperator, LogicalOperator> rule) => plan with { Root = Map(plan.Root, rule) };

    /// <summary>The plan with every expression replaced.</summary>
    public static QueryPlan MapExpressions(this QueryPlan plan, Func<ScalarExpression, ScalarExpression> map)
    {
        return plan.MapOperators(node => node switch
        {
            Filter filter => filter with { Predicate = map(filter.Predicate) },
            Aggregate aggregate => aggregate with
            {
                Keys = aggregate.Keys.Select(map).ToEquatableArray(),
                Aggregates = aggregate.Aggregates.Select(a => a with { Selector = MapOptional(a.Selector), Predicate = MapOptional(a.Predicate) }).ToEquatableArray(),
            },
            Order order => order with { Keys = MapKeys(order.Keys) },
            TopN top => top with { Keys = MapKeys(top.Keys), Count = map(top.Count) },
            Limit limit => limit with { Count = map(limit.Count) },
            Project project => project with { Result = map(project.Result) },
            _ => node,
        });

        ScalarExpression? MapOptional(ScalarExpression? expression) => expression is null ? null : map(expression);

        EquatableArray<OrderKey> MapKeys(EquatableArray<OrderKey> keys) => keys.Select(k => k with { Value = map(k.Value) }).ToEquatableArray();
    }

    private static LogicalOperator Map(LogicalOperator node, Func<LogicalOperator, LogicalOperator> rule) => rule(node switch
    {
        Filter filter => filter with { Input = Map(filter.Input, rule) },
        Aggregate aggregate => aggregate with { Input = Map(aggregate.Input, rule) },
        Order order => order with { Input = Map(order.Input, rule) },
        TopN top => top with { Input = Map(top.Input, rule) },
        Limit limit => limit with { Input = Map(limit.Input, rule) },
        Project project => project with { Input = Map(project.Input, rule) },
        _ => node,
    });
}
