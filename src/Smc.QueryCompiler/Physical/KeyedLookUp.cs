using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>A part of the query that each element of another asks for rows of is kept once, and looked up.</summary>
/// <param name="Keys">What it is sorted by.</param>
internal sealed record KeyedLookUp(IReadOnlyList<ScalarExpression> Keys) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => [$"kept once and looked up by {string.Join(" and ", Keys.Select(PlanPrinter.Print))}"];
}
