using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>An order of which only the first elements are taken need not sort the others.</summary>
internal static class OrderThenLimitToTopN
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Limit { Input: Order order } limit
        ? new TopN(order.Input, order.Keys, limit.Count)
        : node);
}
