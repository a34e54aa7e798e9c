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
        ConditionalSums.Apply,
        LiftedValues.Apply,
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
        WindowJoinToApply.Apply,
        ReadOnce.Apply,
        CommonSubexpressions.Apply,
    ];

    /// <summary>An equivalent plan that costs less.</summary>
    public static QueryPlan Optimize(QueryPlan plan)
    {
        plan = Run(plan, [OptionalReferences.Apply]);
        for (int round = 0; round < MaximalRounds; round++)
        {
            QueryPlan next = Run(plan, s_joining);
            if (next.Equals(plan))
                break;
            plan = next;
        }

        QueryPlan finished = Run(Finish(plan), [BuildSides.Apply]);
        if (!finished.Root.SelfAndAll().OfType<Aggregate>().Any(a => a.Aggregates.Any(IsSumOfDecimals)))
            return finished;
        QueryPlan inOrder = Finish(plan with { SumsInOrder = true });
        return inOrder.Root.Equals(finished.Root) ? finished : finished with { Plain = inOrder };
    }

    private static QueryPlan Finish(QueryPlan plan)
    {
        plan = Run(plan, s_finishing);
        Raised raises = plan.Raises | new PlanFacts(plan).Raises(plan.Root);
        return plan with { Raises = raises == Raised.Nothing ? raises : raises | PlanFacts.Raises(plan.Terminal) };
    }

    private static bool IsSumOfDecimals(AggregateCall call) => call is { Kind: AggregateKind.Sum or AggregateKind.Average, Selector.Type.Kind: TypeKind.Decimal };

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
}
