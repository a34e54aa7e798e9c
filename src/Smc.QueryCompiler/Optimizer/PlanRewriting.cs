using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Rebuilds plans from the sources upwards, for rules that look at one operator at a time.</summary>
internal static class PlanRewriting
{
    /// <summary>The plan with every operator, those of subqueries included, replaced by what the rule makes of it; inputs are rewritten already.</summary>
    public static QueryPlan MapOperators(this QueryPlan plan, Func<LogicalOperator, LogicalOperator> rule) => plan with { Root = plan.Root.Rewrite(rule) };

    /// <summary>The plan with every expression replaced.</summary>
    public static QueryPlan MapExpressions(this QueryPlan plan, Func<ScalarExpression, ScalarExpression> map) =>
        plan with { Root = Map(plan.Root, map) };

    private static LogicalOperator Map(LogicalOperator node, Func<ScalarExpression, ScalarExpression> map) =>
        node.MapInputs(input => Map(input, map)).MapExpressions(map);
}
