using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Elements that differ anyway are not compared: rows of one collection, groups, and what was made distinct by the same keys.</summary>
internal static class DropRedundantDistinct
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Distinct distinct && Differ(distinct.Input, distinct.Keys) ? distinct.Input : node);

    /// <summary>Whether no two elements have the same keys.</summary>
    private static bool Differ(LogicalOperator node, EquatableArray<ScalarExpression> keys) => node switch
    {
        Scan scan => keys.Any(key => key is RowVariable row && row.Variable == scan.Variable),
        Aggregate aggregate => Enumerable.Range(0, aggregate.Keys.Count).All(i => keys.Any(key => key is KeyRead read && read.Group == aggregate.Group && read.Index == i)),
        Distinct distinct when distinct.Keys.All(key => keys.Contains(key)) => true,
        Filter or Compute or Number or Order or TopN or Limit or Skip or While or Reverse or Distinct => Differ(node.Source!, keys),
        Join { Kind: JoinKind.Semi or JoinKind.Anti } join => Differ(join.Left, keys),
        _ => false,
    };
}
