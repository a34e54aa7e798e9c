using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// An order of which only a range is taken (<c>Take</c>, <c>Skip</c> and <c>Take</c>, <c>First</c>, <c>Last</c>, <c>ElementAt</c>, <c>TakeLast</c>) need not sort the other elements. Values are
/// computed only for what is taken.
/// </summary>
internal static class OrderThenLimitToTopN
{
    private static readonly ScalarExpression s_one = new Constant(PlanType.Int32, "1");

    public static QueryPlan Apply(QueryPlan plan)
    {
        QueryPlan limited = plan.MapOperators(node => (node is Limit limit ? TryFirst(limit.Input, limit.Count) ?? node : node).MapExpressions(e => e.Replace(OfSubquery)));
        return limited with { Root = OfTerminal(limited.Root, limited.Terminal) };
    }

    private static ScalarExpression? OfSubquery(ScalarExpression expression) =>
        expression is Subquery query && OfTerminal(query.Root, query.Terminal) is { } root && !ReferenceEquals(root, query.Root) ? query with { Root = root } : null;

    private static LogicalOperator OfTerminal(LogicalOperator root, Terminal terminal)
    {
        if (root is not Project project)
            return root;
        LogicalOperator? one = terminal switch
        {
            Terminal.First or Terminal.FirstOrDefault or Terminal.ElementAt => TryFirst(project.Input, s_one),
            Terminal.Last or Terminal.LastOrDefault => TryLast(project.Input),
            _ => null,
        };
        return one is null ? root : project with { Input = one };
    }

    /// <summary>The first elements of an order or of a part of one; null for others.</summary>
    private static LogicalOperator? TryFirst(LogicalOperator node, ScalarExpression count) => node switch
    {
        Order order => new TopN(order.Input, order.Keys, count),
        Reverse { Input: Order order } => new TopN(order.Input, order.Keys, count, IsReversed: true),
        Skip skip when TryFirst(skip.Input, count) is { } first => WithSkip(first, skip.Count),
        Compute compute when TryFirst(compute.Input, count) is { } first => compute with { Input = first },
        _ => null,
    };

    private static LogicalOperator? TryLast(LogicalOperator node) => node switch
    {
        Order order => new TopN(order.Input, order.Keys, s_one, IsReversed: true),
        Compute compute when TryLast(compute.Input) is { } last => compute with { Input = last },
        _ => null,
    };

    private static LogicalOperator? WithSkip(LogicalOperator first, ScalarExpression count) => first switch
    {
        TopN { Skip: null } top => top with { Skip = count },
        Compute compute when WithSkip(compute.Input, count) is { } input => compute with { Input = input },
        _ => null,
    };
}
