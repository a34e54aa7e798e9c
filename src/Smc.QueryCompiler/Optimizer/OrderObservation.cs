using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// Where the order of elements can be observed. A collection is a bag: groups and distinct values over it may come in any order; rows, pairs of joins, and ties of an order come in the
/// order of memory. What is ordered, reversed or comes from a list has a specified order, and everything that LINQ promises relative to it holds.
/// </summary>
internal static class OrderObservation
{
    /// <summary>The plan with each operator, from the result downwards, replaced by what the rule makes of it, given whether the order of its elements can be observed.</summary>
    public static QueryPlan Map(QueryPlan plan, Func<LogicalOperator, bool, LogicalOperator> rule)
    {
        HashSet<int> groupsWithRows = [.. plan.Root.SelfAndAll().OfType<GroupRows>().Select(rows => rows.Group)];
        return plan with { Root = Visit(plan.Root, plan.Terminal != Terminal.Any) };

        LogicalOperator Visit(LogicalOperator node, bool isObserved)
        {
            LogicalOperator result = rule(node, isObserved);
            if (!ReferenceEquals(result, node))
                return Visit(result, isObserved);
            LogicalOperator? first = node.Source;
            return node
                .MapInputs(input => Visit(input, ReferenceEquals(input, first) ? ObservesFirst(node, isObserved, plan.SumsInOrder, groupsWithRows) : ObservesSecond(node, isObserved)))
                .MapExpressions(VisitSubqueries);
        }

        ScalarExpression VisitSubqueries(ScalarExpression expression) =>
            expression.Replace(part => part is Subquery query ? query with { Root = Visit(query.Root, query.Terminal != Terminal.Any) } : null);
    }

    /// <summary>Whether the order of what the operator passes is specified.</summary>
    public static bool IsSpecified(LogicalOperator node) => node switch
    {
        Order or TopN or Reverse or Enumerate or GroupRows or Concat => true,
        Join { Kind: JoinKind.Semi or JoinKind.Anti } join => IsSpecified(join.Left),
        _ => node.Inputs().Any(IsSpecified),
    };

    private static bool ObservesFirst(LogicalOperator node, bool isObserved, bool sumsInOrder, HashSet<int> groupsWithRows) => node switch
    {
        Aggregate aggregate => groupsWithRows.Contains(aggregate.Group)
            || aggregate.Aggregates.Any(call => DependsOnOrder(call, IsSpecified(aggregate.Input), sumsInOrder))
            || (isObserved && aggregate.Keys.Count > 0 && IsSpecified(aggregate.Input)),
        Distinct distinct => !CoversElements(distinct) || (isObserved && IsSpecified(distinct.Input)),
        Limit or Skip or While or Number or TopN => true,
        _ => isObserved,
    };

    private static bool ObservesSecond(LogicalOperator node, bool isObserved) => isObserved && node is not Join { Kind: JoinKind.Semi or JoinKind.Anti };

    /// <summary>Sums of floating-point numbers are rounded in the order of the rows, and so are those of decimals once they have more digits than a decimal holds; of equal minima the first is taken, which can differ in text or scale.</summary>
    private static bool DependsOnOrder(AggregateCall call, bool isSpecified, bool sumsInOrder) => call.Kind switch
    {
        AggregateKind.First or AggregateKind.Fold => true,
        AggregateKind.Sum or AggregateKind.Average => ScalarTraits.IsFloating(call.Selector!.Type.Kind) || (sumsInOrder && call.Selector.Type.Kind == TypeKind.Decimal),
        AggregateKind.Min or AggregateKind.Max => isSpecified && !ScalarTraits.IsIntegral(call.Selector!.Type.Kind),
        _ => false,
    };

    /// <summary>Whether elements with the same keys are the same, so that it does not matter which of them comes first.</summary>
    private static bool CoversElements(Distinct distinct) => !distinct.VisibleGroups().Any()
        && distinct.Visible().All(variable => distinct.Keys.Any(key => key is RowVariable row ? row.Variable == variable : key is ValueVariable value && value.Variable == variable));
}
