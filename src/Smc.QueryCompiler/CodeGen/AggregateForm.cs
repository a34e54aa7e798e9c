using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>One aggregate: what it accumulates and how its result is made.</summary>
/// <param name="Call">The aggregate.</param>
/// <param name="Scaled">The position of its sum among the exact integer sums, or null.</param>
/// <param name="Value">Its own accumulator, or null.</param>
/// <param name="Count">How many values it has taken; null when the rows of the group are as many.</param>
/// <param name="Objects">The list for managed values in groups, or null.</param>
/// <param name="Distinct">The values that it has taken, when each counts once.</param>
/// <param name="Units">The digits after the point of which <paramref name="Value"/> holds units; null if it is not a decimal, or held as one.</param>
/// <param name="SharesCount">Whether other aggregates with the same condition have the same count, which is changed after all of them.</param>
/// <param name="IsRanked">Whether <paramref name="Value"/> is a minimum or maximum as a rank.</param>
internal sealed record AggregateForm(
    AggregateCall Call, int? Scaled, Accumulator? Value, Accumulator? Count, string? Objects = null, DistinctValues? Distinct = null, int? Units = null, bool SharesCount = false, bool IsRanked = false)
{
    public PlanType Selected => Call.Selector!.Type;
}
