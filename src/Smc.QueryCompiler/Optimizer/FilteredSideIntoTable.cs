using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A join of filtered elements with groups is turned round where the order of its elements cannot be observed: the filtered side, which is small, goes into the table, and groups are
/// made of rows that have partners in it.
/// </summary>
/// <remarks>It stays where the rows of a group are read again: they would not be kept.</remarks>
internal static class FilteredSideIntoTable
{
    public static QueryPlan Apply(QueryPlan plan) => plan.Root.SelfAndAll().Any(node => node is GroupRows)
        ? plan
        : OrderObservation.Map(plan, (node, isObserved) => node is Join join && !isObserved && CanTurn(join) ? join.Turned() : node);

    private static bool CanTurn(Join join) => join is { Kind: JoinKind.Inner, Keys.Count: > 0 }
        && IsGroups(join.Right) && !IsGroups(join.Left) && FilteredJoinsFirst.IsFiltered(join.Left);

    private static bool IsGroups(LogicalOperator node) => node switch
    {
        Filter filter => IsGroups(filter.Input),
        Compute compute => IsGroups(compute.Input),
        Aggregate aggregate => aggregate.Keys.Count > 0,
        _ => false,
    };
}
