using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A join without keys whose conditions ask for elements of the right side between bounds that the left one sets (<see cref="KeyBounds"/>) looks these up for each element of the left, instead of
/// trying all pairs.
/// </summary>
/// <remarks>It stays a join when the right side reads something around it or goes through a list, since it is kept for the look-ups, and when there is only one bound.</remarks>
internal static class WindowJoinToApply
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, _) => node switch
    {
        Filter { Input: Join join } filter when LookUp(join, Conjunctions.Split(filter.Predicate)) is { } apply => apply,
        Join join when LookUp(join, []) is { } apply => apply,
        _ => node,
    });

    private static Apply? LookUp(Join join, IEnumerable<ScalarExpression> above)
    {
        if (join.Kind != JoinKind.Inner || join.Keys.Count > 0 || !PlanReads.IsClosed(join.Right) || join.Right.SelfAndAll().Any(node => node is Enumerate))
            return null;
        List<ScalarExpression> conditions = [.. join.Residual is { } residual ? Conjunctions.Split(residual) : [], .. above];
        return KeyBounds.TryOf(conditions, join.Right) is null ? null : new Apply(join.Left, join.Right.Where(conditions));
    }
}
