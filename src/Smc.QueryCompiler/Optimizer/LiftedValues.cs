using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// An aggregate of values that are converted to what can be null takes the values themselves: <c>Average(x => (decimal?)x.Price)</c>, which is written so that nothing at all gives null. What the
/// call gives keeps its type, which says so.
/// </summary>
/// <remarks>Not extremes of floating-point numbers, where LINQ treats those that can be null in another way.</remarks>
internal static class LiftedValues
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Aggregate aggregate
        ? aggregate with { Aggregates = aggregate.Aggregates.Select(Simplify).ToEquatableArray() }
        : node);

    private static AggregateCall Simplify(AggregateCall call)
    {
        bool isPossible = call is { IsDistinct: false, Kind: AggregateKind.Sum or AggregateKind.Average or AggregateKind.Min or AggregateKind.Max, Type.IsNullable: true };
        if (!isPossible || call.Selector is not Plan.Convert { Type.IsNullable: true, Operand.Type: { IsNullable: false, IsReferenceType: false } from } lifted)
            return call;
        TypeKind to = lifted.Type.Kind;
        if (ScalarTraits.IsFloating(to) && call.Kind is AggregateKind.Min or AggregateKind.Max)
            return call;
        return call with { Selector = from.Kind == to ? lifted.Operand : lifted with { Type = lifted.Type.AsNonNullable() } };
    }
}
