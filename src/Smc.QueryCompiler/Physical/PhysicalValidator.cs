using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>
/// Says whether a kernel may go about its plan as it does: the rules that keep queries right while others write, and that keep what LINQ promises. Derived from the plan, not from how the decisions
/// were made. Run over each kernel in Debug and in tests.
/// </summary>
internal static class PhysicalValidator
{
    /// <summary>Throws <see cref="InvalidOperationException"/> if it may not.</summary>
    public static void Check(PhysicalPlan physical, QueryPlan plan)
    {
        if (FirstError(physical, plan) is { } error)
            throw new InvalidOperationException($"Malformed kernel: {error}\n{PlanPrinter.Print(plan, physical.Describe)}");
    }

    /// <summary>What is wrong, or null.</summary>
    public static string? FirstError(PhysicalPlan physical, QueryPlan plan) =>
        SectionErrors(physical, plan)
            .Concat(physical.All.SelectMany(one => one.Physical switch
            {
                BlockScan scan => ScanErrors(scan, one.Node, physical, plan),
                FilterSteps filters => FilterErrors(filters, plan).Concat(EndPairErrors(filters, plan)),
                TableJoin join => JoinErrors(join),
                Grouping grouping => GroupingErrors(grouping),
                Aggregation aggregation => AggregationErrors(aggregation),
                Sort sort => SortErrors(sort, one.Node),
                _ => [],
            }))
            .FirstOrDefault();

    /// <summary>What is good in one critical section only must not be kept from block to block of a scan that leaves its own.</summary>
    private static IEnumerable<string> SectionErrors(PhysicalPlan physical, QueryPlan plan)
    {
        LogicalOperator[] scans = [.. physical.All.Where(one => one.Physical is BlockScan).Select(one => one.Node)];
        foreach (LogicalOperator scan in physical.All.Where(one => one.Physical is BlockScan { LeavesSection: true }).Select(one => one.Node))
        {
            if (scans.Length > 1)
                yield return "a scan leaves its critical section, and another scan has been before or is around it";
            LogicalOperator[] path = [scan, .. Above(plan.Root, scan, physical)];
            foreach ((_, PhysicalOperator other) in physical.All.Where(one => !one.Physical.KeepsOnlyValues && path.Any(node => ReferenceEquals(node, one.Node))))
                yield return $"a scan leaves its critical section, and '{other.Describe().FirstOrDefault() ?? other.GetType().Name}' keeps what is good in one only";
        }
    }

    /// <summary>The operators that elements of one go through, up to the first that keeps them.</summary>
    private static IEnumerable<LogicalOperator> Above(LogicalOperator root, LogicalOperator below, PhysicalPlan physical)
    {
        while (!physical.All.Any(one => ReferenceEquals(one.Node, below) && one.Physical is KeptOnce)
            && root.SelfAndAll().FirstOrDefault(node => node.Inputs().Any(input => ReferenceEquals(input, below))) is { } above)
        {
            yield return above;
            if (above is Aggregate or Distinct or Order or TopN or Reverse || (above is Join join && ReferenceEquals(join.Right, below)))
                yield break;
            below = above;
        }
    }

    private static IEnumerable<string> ScanErrors(BlockScan scan, LogicalOperator node, PhysicalPlan physical, QueryPlan plan)
    {
        FilterSteps[] steps = [.. physical.All.Where(one => ReferenceEquals(one.Node, node)).Select(one => one.Physical).OfType<FilterSteps>()];
        if (scan.First is not null && steps.Any(step => step.LookUps + step.Filters.Late.Count > 0))
            yield return $"an index gives only the first of {scan.Rows}, and a row that it leaves out may raise or be without an answer";
        if (scan.IsShared && Above(plan.Root, node, physical).FirstOrDefault(above => above is Number or Limit or Skip or While or DefaultIfEmpty) is { } ordered)
            yield return $"threads share the blocks of {scan.Rows}, and {ordered.GetType().Name} takes its elements in their order";
    }

    /// <summary>Passes test rows that a condition before them in the query would have left out: such a test must not raise, and one in the order of the query must have all that follow behind it.</summary>
    private static IEnumerable<string> FilterErrors(FilterSteps steps, QueryPlan plan)
    {
        foreach (ScalarExpression selection in steps.Filters.Selections)
        {
            if (ScalarTraits.CanThrow(selection) && !IsOfScaledDecimals(selection, plan))
                yield return $"{PlanPrinter.Print(selection)} is tested of rows that a condition before it may leave out, and can raise";
        }

        foreach (RangeFilter range in steps.Filters.Ranges)
        {
            if (!range.Column.HasZoneMap)
                yield return $"{steps.Rows}.{range.Column.Name} is compared with a range, and no zone map tells whether a block's values are known";
        }

        foreach (NavigationFilter navigation in steps.Filters.Navigations)
        {
            if (navigation.Reference.Row is not RowVariable)
                yield return $"{PlanPrinter.Print(navigation.Reference)} is no column of the scanned row";
            else if (navigation.Conditions.Any(condition => !Purity.IsPure(condition)))
                yield return $"a condition behind {PlanPrinter.Print(navigation.Reference)} is asked once for each row that it leads to, and may have effects";
        }
    }

    /// <summary>Rows are dropped by what was so when the ends were found, and those that are left are tested themselves.</summary>
    private static IEnumerable<string> EndPairErrors(FilterSteps steps, QueryPlan plan)
    {
        if (steps.Filters.EndPair is not { } pair)
            yield break;
        foreach (ScalarExpression condition in pair.Conditions)
        {
            if (!steps.Filters.Late.Contains(condition))
                yield return $"{PlanPrinter.Print(condition)} is asked of two rows, and not of the scanned row afterwards";
            if (!Purity.IsPure(condition))
                yield return $"{PlanPrinter.Print(condition)} is asked once for each pair of rows, and may have effects";
        }

        ScalarExpression last = pair.Conditions[pair.Conditions.Count - 1];
        foreach (ScalarExpression condition in steps.Filters.Late.TakeWhile(late => !late.Equals(last)))
        {
            if (!pair.Conditions.Contains(condition) && ScalarTraits.CanThrow(condition) && !IsOfScaledDecimals(condition, plan))
                yield return $"{PlanPrinter.Print(condition)} can raise, and a condition behind it drops rows before";
        }

        foreach (ReferenceEnd end in new[] { pair.Left, pair.Right })
        {
            if (!steps.Filters.Navigations.Any(navigation => navigation.Reference.Equals(end.Root)))
                yield return $"the row at the end of {PlanPrinter.Print(end.Read)} is told by a row that {PlanPrinter.Print(end.Root)} leads to, and nothing says which of these are asked for";
        }
    }

    /// <summary>Decimals of known scale are compared as integers: where one does not fit, the kernel gives up, and the query is asked in its own order.</summary>
    private static bool IsOfScaledDecimals(ScalarExpression condition, QueryPlan plan) =>
        Purity.CanRunAgain(plan.Root) && condition.SelfAndDescendants().Any(part => part is Binary { Left.Type: { Kind: TypeKind.Decimal, IsNullable: false } });

    private static IEnumerable<string> JoinErrors(TableJoin plan)
    {
        Join join = plan.Join;
        if (join.Kind is JoinKind.Left or JoinKind.Anti && plan.Filters.Any(filter => filter.Scanned is not null))
            yield return $"a scan drops rows without a partner, and the join, {join.Kind}, passes them on";
        if (plan.AsksPresence && (join.Kind is JoinKind.Inner or JoinKind.Left || join.Residual is not null || join.Keys.Count != 1))
            yield return "rows of the right side are not kept, and more than the presence of a key is asked for";
        if (plan.AsksPresence && !plan.Filters.Any(filter => filter.Key == 0))
            yield return "only the presence of a key is asked for, and no filter has the keys";
        if (plan.Table != JoinTableForm.Hash && join.Keys.Count != 1)
            yield return "a table by one word has several keys";
        if (plan.IndexKeys.Count > 0 && (ScanChain.TryOf(join.Right) is not { } right || right.Conditions.Concat(join.Keys.Select(key => key.Right)).Any(ScalarTraits.CanThrow)))
            yield return "an index looks up single rows of the right side, and a row that it does not come to may raise";
    }

    private static IEnumerable<string> GroupingErrors(Grouping grouping)
    {
        if (grouping.Keys is null && grouping.Behind.Count != 1)
            yield return "the place of the values of one referenced row is the group, and there are several";
        if (grouping.HasMap && grouping.Keys!.Keys.Count != grouping.Behind.Count)
            yield return "a map of combinations of numbers finds the group, and there are keys that are none";
    }

    private static IEnumerable<string> AggregationErrors(Aggregation aggregation)
    {
        if (aggregation.Bounded.Any(number => aggregation.Calls[number] is { Predicate: not null } or { IsDistinct: true }))
            yield return "a sum of whole blocks has a condition of its own, or takes each value once";
        if (aggregation.Lanes != SumLanes.One && aggregation.Bounded.Count == 0)
            yield return "nothing is added four rows at a time";
    }

    /// <summary>A word of whole keys has no place for a fraction, for null, and for what a comparer compares, which is texts only.</summary>
    private static IEnumerable<string> SortErrors(Sort sort, LogicalOperator node)
    {
        if (!sort.HasWholeKeys)
            yield break;
        if (sort.OnlyRange || node is not Order order)
            yield return "a range is sorted by a word of keys";
        else if (order.Keys.FirstOrDefault(key => key.ComparesValues || !IsWhole(key.Value.Type)) is { } other)
            yield return $"a word of whole keys has {PlanPrinter.Print(other.Value)}, which is none";
    }

    private static bool IsWhole(PlanType type) => type.Kind == TypeKind.String || (!type.IsNullable && (ScalarTraits.IsIntegral(type.Kind)
        || type.Kind is TypeKind.Boolean or TypeKind.Char or TypeKind.Enum or TypeKind.Decimal or TypeKind.DateOnly or TypeKind.DateTime or TypeKind.TimeOnly or TypeKind.TimeSpan));
}
