using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>A value that nobody reads is not computed, and a variable that nobody reads is not kept for the rows of groups. What can raise, or has effects, is computed.</summary>
internal static class DropUnreadValues
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        while (true)
        {
            QueryPlan next = Once(plan);
            if (next.Root.Equals(plan.Root))
                return plan;
            plan = next;
        }
    }

    private static QueryPlan Once(QueryPlan plan)
    {
        LogicalOperator[] all = [.. plan.Root.SelfAndAll()];
        ScalarExpression[] expressions = [.. all.SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants())];
        HashSet<int> variables = [.. expressions.OfType<ValueVariable>().Select(v => v.Variable), .. expressions.OfType<RowVariable>().Select(v => v.Variable)];
        variables.UnionWith(all.OfType<GroupRows>().SelectMany(rows => rows.Variables).Where(v => variables.Contains(v.Variable)).Select(v => v.Source).ToList());
        return plan.MapOperators((node, facts) => node switch
        {
            Compute compute => WithoutUnread(compute, variables, facts),
            GroupRows rows => rows with { Variables = rows.Variables.Where(v => variables.Contains(v.Variable)).ToEquatableArray() },
            _ => node,
        });
    }

    private static LogicalOperator WithoutUnread(Compute compute, HashSet<int> read, PlanFacts facts)
    {
        Binding[] kept = [.. compute.Bindings.Where(b => read.Contains(b.Variable) || !Purity.IsPure(b.Value) || facts.CanRaise(b.Value, compute.Input))];
        return kept.Length == 0 ? compute.Input : compute with { Bindings = kept.ToEquatableArray() };
    }
}
