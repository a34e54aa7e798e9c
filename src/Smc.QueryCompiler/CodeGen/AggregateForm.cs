using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>One aggregate: what it accumulates and how its result is made.</summary>
/// <param name="Call">The aggregate.</param>
/// <param name="Scaled">The position of its sum among the exact integer sums, or null.</param>
/// <param name="Value">Its own accumulator, or null.</param>
/// <param name="Count">How many values it has taken; null when the rows of the group are as many.</param>
/// <param name="Objects">The list for managed values in groups, or null.</param>
/// <param name="Distinct">The values that it has taken, when each counts once.</param>
internal sealed record AggregateForm(AggregateCall Call, int? Scaled, Accumulator? Value, Accumulator? Count, string? Objects = null, DistinctValues? Distinct = null)
{
    public PlanType Selected => Call.Selector!.Type;
}
