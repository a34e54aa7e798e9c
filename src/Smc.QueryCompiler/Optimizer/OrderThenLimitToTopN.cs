using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>An order of which only the first elements are taken (<c>Take</c>, <c>First</c>) need not sort the others. Values are computed only for what is taken.</summary>
internal static class OrderThenLimitToTopN
{
    private static readonly ScalarExpression s_one = new Constant(PlanType.Int32, "1");

    public static QueryPlan Apply(QueryPlan plan)
    {
        QueryPlan limited = plan.MapOperators(node => OfLimit(node).MapExpressions(e => e.Replace(OfSubquery)));
        return limited with { Root = OfTerminal(limited.Root, limited.Terminal) };
    }

    private static LogicalOperator OfLimit(LogicalOperator node) => node switch
    {
        Limit { Input: Order order } limit => new TopN(order.Input, order.Keys, limit.Count),
        Limit { Input: Compute compute } limit => compute with { Input = OfLimit(limit with { Input = compute.Input }) },
        _ => node,
    };

    private static ScalarExpression? OfSubquery(ScalarExpression expression) =>
        expression is Subquery query && OfTerminal(query.Root, query.Terminal) is { } root && !ReferenceEquals(root, query.Root) ? query with { Root = root } : null;

    private static LogicalOperator OfTerminal(LogicalOperator root, Terminal terminal) =>
        terminal is Terminal.First or Terminal.FirstOrDefault && root is Project project ? project with { Input = OfFirst(project.Input) } : root;

    private static LogicalOperator OfFirst(LogicalOperator node) => node switch
    {
        Order order => new TopN(order.Input, order.Keys, s_one),
        Compute compute => compute with { Input = OfFirst(compute.Input) },
        _ => node,
    };
}
