using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Applies the rules in their order; those that make work for each other until nothing changes. In Debug builds the plan is checked after each.</summary>
public static class PlanOptimizer
{
    /// <summary>A plan that has not settled by then is still right.</summary>
    private const int MaximalRounds = 4;

    /// <summary>Joins out of what is correlated, and filters towards the sources.</summary>
    private static readonly Func<QueryPlan, QueryPlan>[] s_joining =
    [
        ConstantFolding.Apply,
        MergeFilters.Apply,
        InlineConditionValues.Apply,
        SimplifySubqueries.Apply,
        ApplyToJoin.Apply,
        PushFiltersDown.Apply,
        ExistsToSemiJoin.Apply,
        SubqueryToJoin.Apply,
        PushFiltersDown.Apply,
    ];

    /// <summary>What follows when joins and filters are where they belong.</summary>
    private static readonly Func<QueryPlan, QueryPlan>[] s_finishing =
    [
        ImpliedConditions.Apply,
        PushFiltersDown.Apply,
        DifferenceToMinMax.Apply,
        DropUnobservedOrder.Apply,
        DropRedundantDistinct.Apply,
        OrderThenLimitToTopN.Apply,
        DropUnreadValues.Apply,
        FilteredJoinsFirst.Apply,
        OrderConditions.Apply,
        FilteredSideIntoTable.Apply,
        CommonSubexpressions.Apply,
    ];

    /// <summary>An equivalent plan that costs less.</summary>
    public static QueryPlan Optimize(QueryPlan plan)
    {
        QueryPlan written = plan;
        for (int round = 0; round < MaximalRounds; round++)
        {
            QueryPlan next = Run(plan, s_joining);
            if (next.Equals(plan))
                break;
            plan = next;
        }

        return NoteEarlyValues(Run(plan, s_finishing), written);
    }

    private static QueryPlan Run(QueryPlan plan, Func<QueryPlan, QueryPlan>[] rules)
    {
        foreach (Func<QueryPlan, QueryPlan> rule in rules)
        {
            plan = rule(plan);
#if DEBUG
            PlanValidator.Check(plan);
#endif
        }

        return plan;
    }

    /// <summary>
    /// What a kernel computes although LINQ may not, also where no rule touched it, may raise early: the right side of a join when the left is empty, more than
    /// one element of the left when the right is. And where elements are sorted, reversed or skipped, a kernel may come to one that LINQ does not come to:
    /// it asks conditions before it sorts, does not sort for All; LINQ does not ask a single element for its key, nor those before ElementAt and Last for their values.
    /// </summary>
    private static QueryPlan NoteEarlyValues(QueryPlan plan, QueryPlan written)
    {
        PlanFacts facts = new(plan);
        bool isEarly = plan.Root.SelfAndAll().OfType<Join>().Any(join =>
            facts.CanRaise(join.Right) || join.Keys.Any(key => facts.CanRaise(key.Right, join.Right))
            || (join.Kind == JoinKind.Inner && (facts.CanRaise(join.Left) || join.Keys.Any(key => facts.CanRaise(key.Left, join.Left)))));
        bool picks = written.Terminal is Terminal.Last or Terminal.LastOrDefault || written.Root.SelfAndAll().Any(node => node is Order or Reverse or Skip);
        isEarly |= picks && new PlanFacts(written).CanRaise(written.Root);
        return plan with { RaisesEarly = plan.RaisesEarly || isEarly };
    }
}
