using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Says of each join whether its elements may come in any order: then either side can be the one that is put into a table, whichever has fewer rows at run time.</summary>
internal static class MarkJoinsOfAnyOrder
{
    public static QueryPlan Apply(QueryPlan plan) =>
        OrderObservation.Map(plan, (node, isObserved) => node is Join { AnyOrder: false } join && !isObserved ? join with { AnyOrder = true } : node);
}
