using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Filters that follow each other become one, conditions in the same order.</summary>
internal static class MergeFilters
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Filter { Input: Filter inner } outer
        ? new Filter(inner.Input, new Binary(PlanType.Boolean, BinaryOperator.AndAlso, inner.Predicate, outer.Predicate))
        : node);
}
