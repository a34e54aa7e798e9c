using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// Which side of an inner join goes into the table, where the order of its pairs cannot be observed, is known when the query runs: the side whose collections have fewer rows.
/// For joins of collections the plan gets the other way round as an alternative.
/// </summary>
/// <remarks>
/// A filtered right side stays in the table of an unfiltered left, as a filter for its scan: how many rows it has left is not known.
/// A right side whose type rows on the left have references to stays there, too, whatever the join compares: many rows refer to one, so there is no doubt which side is larger.
/// </remarks>
internal static class BuildSides
{
    /// <summary>Every alternative is the whole kernel once more. The joins nearest to the result come first: what they scan is what a chain from masters to details ends with.</summary>
    private const int MaximalNumber = 2;

    public static QueryPlan Apply(QueryPlan plan)
    {
        PlanFacts facts = new(plan);
        List<Join> joins = [];
        OrderObservation.Map(plan, (node, isObserved) =>
        {
            if (!isObserved && node is Join join && CanTurn(join, facts) && !Refer(plan, join.Left, Scanned(join.Right)))
                joins.Add(join);
            return node;
        });
        return plan with { OtherSides = joins.Take(MaximalNumber).Select(join => Turn(plan, join)).ToEquatableArray() };
    }

    private static bool CanTurn(Join join, PlanFacts facts) => join is { Kind: JoinKind.Inner, Keys.Count: > 0 }
        && IsOfCollections(join.Left) && IsOfCollections(join.Right)
        && (FilteredJoinsFirst.IsFiltered(join.Left) || !FilteredJoinsFirst.IsFiltered(join.Right))
        && !Scans(join.Left).Select(scan => scan.Parameter).Contains(Scanned(join.Right).Parameter)
        && !join.Keys.Any(key => facts.CanRaise(key.Left, join.Left) || facts.CanRaise(key.Right, join.Right))
        && Purity.IsPure(join);

    /// <summary>Whether a side has at most about as many elements as its largest collection has rows.</summary>
    private static bool IsOfCollections(LogicalOperator side) => side.SelfAndInputs().All(node => node is Scan or Filter or Compute or Join { Keys.Count: > 0 });

    /// <summary>Whether a collection on the side has references to rows such as those of the scan.</summary>
    private static bool Refer(QueryPlan plan, LogicalOperator side, Scan to) =>
        Scans(side).Any(scan => plan.Shape(scan.Shape).Columns.Any(column => column.IsReference && column.Type.CSharp == to.Shape));

    private static IEnumerable<Scan> Scans(LogicalOperator side) => side.SelfAndInputs().OfType<Scan>();

    /// <summary>The collection whose rows pass through the side's joins.</summary>
    private static Scan Scanned(LogicalOperator side)
    {
        while (side.Source is { } source)
            side = source;
        return (Scan)side;
    }

    private static OtherSide Turn(QueryPlan plan, Join join) => new(
        Scanned(join.Right).Parameter,
        Scans(join.Left).Select(scan => scan.Parameter).Distinct().ToEquatableArray(),
        OrderObservation.Map(plan, (node, _) => ReferenceEquals(node, join) ? join.Turned() : node));
}
