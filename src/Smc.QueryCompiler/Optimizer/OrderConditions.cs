using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Of conditions that are tested at one place the cheap ones come first: comparisons, then strings, then navigation and calls, then subqueries. Those of one class keep their order.</summary>
/// <remarks>A condition that can raise, or has effects, keeps its place: nothing passes it.</remarks>
internal static class OrderConditions
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node switch
    {
        Filter filter => filter.Input.Where(Sort([.. Conjunctions.Split(filter.Predicate)], facts, filter.Input)),
        Join { Residual: { } residual } join => join with { Residual = Conjunctions.Join(Sort([.. Conjunctions.Split(residual)], facts, join.Left, join.Right)) },
        _ => node,
    });

    private static List<ScalarExpression> Sort(ScalarExpression[] conditions, PlanFacts facts, params LogicalOperator[] over)
    {
        List<ScalarExpression> sorted = [], free = [];
        foreach (ScalarExpression condition in conditions)
        {
            if (!facts.CanRaise(condition, over))
            {
                free.Add(condition);
                continue;
            }

            sorted.AddRange(free.OrderBy(Cost));
            free.Clear();
            sorted.Add(condition);
        }

        sorted.AddRange(free.OrderBy(Cost));
        return sorted;
    }

    private static int Cost(ScalarExpression condition) => condition.SelfAndDescendants().Max(part => part switch
    {
        Subquery => 3,
        Call or MemberRead { Instance.Type.Kind: TypeKind.String } => 2,
        { Type.Kind: TypeKind.String } => 1,
        _ => 0,
    });
}
