using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Rebuilds plans, for rules that look at one operator or expression at a time.</summary>
internal static class PlanRewriting
{
    /// <summary>The plan with every operator, those of subqueries included, replaced by what the rule makes of it; inputs are rewritten already.</summary>
    public static QueryPlan MapOperators(this QueryPlan plan, Func<LogicalOperator, LogicalOperator> rule) => plan with { Root = plan.Root.Rewrite(rule) };

    /// <summary>The same, for rules that need to know the plan.</summary>
    public static QueryPlan MapOperators(this QueryPlan plan, Func<LogicalOperator, PlanFacts, LogicalOperator> rule)
    {
        PlanFacts facts = new(plan);
        return plan.MapOperators(node => rule(node, facts));
    }

    /// <summary>The plan with every expression replaced.</summary>
    public static QueryPlan MapExpressions(this QueryPlan plan, Func<ScalarExpression, ScalarExpression> map) =>
        plan with { Root = plan.Root.MapAllExpressions(map) };

    /// <summary>An operator and what is below it with every expression replaced.</summary>
    public static LogicalOperator MapAllExpressions(this LogicalOperator node, Func<ScalarExpression, ScalarExpression> map) =>
        node.MapInputs(input => input.MapAllExpressions(map)).MapExpressions(map);

    /// <summary>The inner join with its sides exchanged: the same pairs in another order.</summary>
    public static Join Turned(this Join join) => join with
    {
        Left = join.Right,
        Right = join.Left,
        Keys = join.Keys.Select(key => key with { Left = key.Right, Right = key.Left }).ToEquatableArray(),
    };

    /// <summary>A filter over the operator; the operator itself when there is no condition.</summary>
    public static LogicalOperator Where(this LogicalOperator node, IReadOnlyCollection<ScalarExpression> conditions) =>
        conditions.Count == 0 ? node : new Filter(node, Conjunctions.Join(conditions));
}
