using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// <c>SelectMany</c> over an inner side that depends on the outer element only by conditions (or not at all) is a join: inner, or left when the inner side is <c>DefaultIfEmpty</c>.
/// The conditions stand above it; <see cref="PushFiltersDown"/> makes keys of the equalities.
/// </summary>
/// <remarks>It stays when the inner side takes the first few, or goes through a list or the group of the outer element.</remarks>
internal static class ApplyToJoin
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node is Apply apply ? Flatten(apply, facts) : node);

    private static LogicalOperator Flatten(Apply apply, PlanFacts facts) => apply switch
    {
        { Input: Unit } => apply.Inner,
        { Inner: Unit } => apply.Input,
        { Inner: Filter { Input: var input } filter } when !IsSource(input) => new Filter(Flatten(new Apply(apply.Input, input), facts), filter.Predicate),
        { Inner: Compute { Input: var input } compute } when Names.Free(compute).Overlaps(Names.Visible(apply.Input)) =>
            new Compute(Flatten(new Apply(apply.Input, input), facts), compute.Bindings),
        { Inner: Apply inner } => Flatten(new Apply(Flatten(new Apply(apply.Input, inner.Input), facts), inner.Inner), facts),
        { Inner: Join { Kind: JoinKind.Inner } join } when IsCorrelatedOnTheLeftOnly(join, Names.Visible(apply.Input)) => join with { Left = Flatten(new Apply(apply.Input, join.Left), facts) },
        { Inner: DefaultIfEmpty outer } => ToLeftJoin(apply, outer, facts) ?? apply,
        _ => ToInnerJoin(apply, facts) ?? apply,
    };

    /// <summary>Then its right side is joined last, instead of becoming part of a larger right side.</summary>
    private static bool IsCorrelatedOnTheLeftOnly(Join join, Names around) =>
        Names.Free(join.Left).Overlaps(around) && !Names.Free(join.Right).Overlaps(around) && !Names.Free(join.Expressions()).Overlaps(around);

    /// <summary>Whether a filter over the operator is better tried as a whole.</summary>
    private static bool IsSource(LogicalOperator node) => node is Scan or Enumerate or GroupRows;

    private static LogicalOperator? ToInnerJoin(Apply apply, PlanFacts facts)
    {
        if (Correlation.Remove(apply.Inner, Names.Visible(apply.Input), facts) is not { } inner)
            return null;
        LogicalOperator pairs = new Join(JoinKind.Inner, apply.Input, inner.Operators, EquatableArray<JoinKey>.Empty);
        return inner.Steps.Aggregate(pairs, (node, step) => step.Over(node));
    }

    private static LogicalOperator? ToLeftJoin(Apply apply, DefaultIfEmpty outer, PlanFacts facts)
    {
        if (Correlation.Remove(outer.Input, Names.Visible(apply.Input), facts) is not { Conditions: { } conditions } inner)
            return null;
        JoinCondition condition = JoinCondition.Of(conditions, apply.Input, inner.Operators, facts);
        return new Join(JoinKind.Left, apply.Input, condition.Right, condition.Keys, condition.Residual, outer.Match);
    }
}
