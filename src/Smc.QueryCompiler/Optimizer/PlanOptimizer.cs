using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Applies the rules in their order. In Debug builds the plan is checked after each.</summary>
public static class PlanOptimizer
{
    private static readonly Func<QueryPlan, QueryPlan>[] s_rules =
    [
        ConstantFolding.Apply,
        MergeFilters.Apply,
        SimplifySubqueries.Apply,
        ApplyToJoin.Apply,
        ExistsToSemiJoin.Apply,
        SubqueryToJoin.Apply,
        PushFiltersDown.Apply,
        OrderThenLimitToTopN.Apply,
    ];

    /// <summary>An equivalent plan that costs less.</summary>
    public static QueryPlan Optimize(QueryPlan plan)
    {
        foreach (Func<QueryPlan, QueryPlan> rule in s_rules)
        {
            plan = rule(plan);
#if DEBUG
            PlanValidator.Check(plan);
#endif
        }

        return plan;
    }
}
