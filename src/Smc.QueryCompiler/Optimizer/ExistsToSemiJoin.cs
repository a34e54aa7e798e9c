using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A condition that there is (or is no) element of another sequence that equals something of this one is a semi join (an anti join): <c>Any</c>, <c>Contains</c>, and what <see cref="SimplifySubqueries"/> makes of <c>All</c> and <c>Count() > 0</c>.
/// Conditions of the pair beside the equality are the residual.
/// </summary>
/// <remarks>It stays a subquery when nothing is compared for equality: a join without keys would be no faster.</remarks>
internal static class ExistsToSemiJoin
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node is Filter filter ? Rewrite(filter, facts) : node);

    private static LogicalOperator Rewrite(Filter filter, PlanFacts facts)
    {
        LogicalOperator result = filter.Input;
        List<ScalarExpression> before = [];
        foreach (ScalarExpression condition in Conjunctions.Split(filter.Predicate))
        {
            if (ToJoin(result.Where(before), condition, facts) is { } join)
            {
                result = join;
                before.Clear();
            }
            else
            {
                before.Add(condition);
            }
        }

        return result.Where(before);
    }

    private static Join? ToJoin(LogicalOperator left, ScalarExpression condition, PlanFacts facts)
    {
        bool isNegated = condition is Unary { Operator: UnaryOperator.Not };
        if ((isNegated ? ((Unary)condition).Operand : condition) is not Subquery { Terminal: Terminal.Any } query)
            return null;
        if (Correlation.Remove(query.Root, Names.Visible(left), facts) is not { Conditions: { Count: > 0 } conditions } inner)
            return null;
        JoinCondition join = JoinCondition.Of(conditions, left, inner.Operators, facts);
        if (join.Keys.Count == 0)
            return null;
        return new Join(isNegated ? JoinKind.Anti : JoinKind.Semi, left, join.Right, join.Keys, join.Residual);
    }
}
