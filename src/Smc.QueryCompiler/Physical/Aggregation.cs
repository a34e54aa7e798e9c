using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>How aggregates are computed.</summary>
/// <param name="Calls">The aggregates.</param>
/// <param name="Bounded">The numbers of those that are sums of 64-bit integers which zone maps bound for each block, with totals of 128 bits.</param>
/// <param name="Lanes">How many rows of these are added at a time.</param>
/// <param name="Units">The numbers of those over decimals of known scale that are computed as integers, row by row.</param>
/// <param name="EndsEarly">Whether the first element that decides the result ends the query.</param>
internal sealed record Aggregation(IReadOnlyList<AggregateCall> Calls, IReadOnlyList<int> Bounded, SumLanes Lanes, IReadOnlyList<int> Units, bool EndsEarly) : PhysicalOperator
{
    /// <summary>A text is kept as a word, and a set of values is one of words.</summary>
    public override bool KeepsOnlyValues => Calls.All(call => !call.IsDistinct && call.Type.Kind != TypeKind.String);

    public override IEnumerable<string> Describe()
    {
        if (Bounded.Count > 0)
        {
            string lanes = Lanes switch { SumLanes.Four => ", four rows at a time", SumLanes.FourOfFewGroups => ", four rows at a time where groups are few", _ => "" };
            yield return $"{Names(Bounded)}: 64-bit integers that zone maps bound for each block{lanes}; totals of 128 bits";
        }

        if (Units.Count > 0)
            yield return $"{Names(Units)}: decimals of known scale as integers";
        if (EndsEarly)
            yield return "ends with the first element that decides it";
    }

    private static string Names(IReadOnlyList<int> aggregates) => string.Join(", ", aggregates.Select(number => $"$agg{number}"));
}

/// <summary>How many rows are added to sums at a time.</summary>
internal enum SumLanes
{
    /// <summary>One.</summary>
    One,

    /// <summary>Four.</summary>
    Four,

    /// <summary>Four, in lanes that each group has, where groups are few when the query runs.</summary>
    FourOfFewGroups,
}
