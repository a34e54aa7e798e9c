using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// Orders chains of inner joins without statistics, by what restricts. A right side that is filtered, and joined only with an earlier right side, is joined there: that one's table gets smaller,
/// and works as a filter for what is probed with it (<c>supplier ⋈ (nation ⋈ region in ASIA)</c>). Where the order of the pairs cannot be observed, filtered right sides are probed before others.
/// </summary>
/// <remarks>Joining on the right keeps the order of the pairs. Keys that can raise, or residuals, stay as the query has them.</remarks>
internal static class FilteredJoinsFirst
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        PlanFacts facts = new(plan);
        QueryPlan nested = plan.MapOperators(node => node is Join join ? JoinOnTheRight(join, facts) : node);
        return OrderObservation.Map(nested, (node, isObserved) => node is Join join && !isObserved ? FilteredBeforeOthers(join, facts) : node);
    }

    private static Join JoinOnTheRight(Join join, PlanFacts facts)
    {
        if (!IsMovable(join, facts) || !IsFiltered(join.Right) || join.Left is not Join below || !IsMovable(below, facts))
            return join;
        Names keys = Names.Free(join.Keys.Select(key => key.Left));
        if (!keys.IsEmpty && keys.IsWithin(Names.Visible(below.Right)))
            return below with { Right = JoinOnTheRight(join with { Left = below.Right }, facts) };
        // It may belong to a side further down, past joins that it does not read.
        if (!keys.Overlaps(Names.Visible(below.Right)) && JoinOnTheRight(join with { Left = below.Left }, facts) is { } deeper && deeper.Right != join.Right)
            return below with { Left = deeper };
        return join;
    }

    private static Join FilteredBeforeOthers(Join join, PlanFacts facts)
    {
        if (!IsMovable(join, facts) || !IsFiltered(join.Right) || join.Left is not Join below || !IsMovable(below, facts) || IsFiltered(below.Right)
            || Names.Free(join.Keys.Select(key => key.Left)).Overlaps(Names.Visible(below.Right)))
            return join;
        return below with { Left = FilteredBeforeOthers(join with { Left = below.Left }, facts) };
    }

    private static bool IsMovable(Join join, PlanFacts facts) => join is { Kind: JoinKind.Inner, Residual: null, Keys.Count: > 0 }
        && !join.Keys.Any(key => facts.CanRaise(key.Left, join.Left) || facts.CanRaise(key.Right, join.Right));

    /// <summary>Whether the side passes a part of its rows only.</summary>
    public static bool IsFiltered(LogicalOperator node) => node switch
    {
        Filter or Join { Kind: JoinKind.Semi or JoinKind.Anti } => true,
        Join { Kind: JoinKind.Inner } join => IsFiltered(join.Left) || IsFiltered(join.Right),
        Aggregate => false,
        _ => node.Inputs().Any(IsFiltered),
    };
}
