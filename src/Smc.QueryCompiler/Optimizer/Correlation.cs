using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// An inner side, or the operators of a subquery, with what depends on the elements around it taken out, so that it can be evaluated once for all of them.
/// For one element of those around, the operators followed by the steps give the same elements in the same order.
/// </summary>
/// <param name="Operators">What is left; it does not read the elements around.</param>
/// <param name="Steps">What was taken out, in order.</param>
internal sealed record Uncorrelated(LogicalOperator Operators, IReadOnlyList<CorrelatedStep> Steps)
{
    /// <summary>The steps when all are conditions, else null.</summary>
    public IReadOnlyList<ScalarExpression>? Conditions => Steps.All(step => step.Condition is not null) ? [.. Steps.Select(step => step.Condition!)] : null;
}

/// <summary>A condition, or values to be computed.</summary>
internal sealed record CorrelatedStep(ScalarExpression? Condition, EquatableArray<Binding> Bindings)
{
    public static CorrelatedStep Of(ScalarExpression condition) => new(condition, EquatableArray<Binding>.Empty);

    public static CorrelatedStep Of(IEnumerable<Binding> bindings) => new(null, bindings.ToEquatableArray());

    public LogicalOperator Over(LogicalOperator node) => Condition is { } condition ? new Filter(node, condition) : new Compute(node, Bindings);

    public IEnumerable<ScalarExpression> Expressions => Condition is { } condition ? [condition] : Bindings.Select(b => b.Value);
}

/// <summary>Takes correlated conditions and values out of operators: through filters, computed values, orders, joins, and through groups, which then have a further key.</summary>
internal static class Correlation
{
    /// <summary>The operators without what reads <paramref name="around"/>, or null when that is not possible or when expressions with effects would run at other times.</summary>
    public static Uncorrelated? Remove(LogicalOperator node, Names around, PlanFacts facts)
    {
        if (!Names.Free(node).Overlaps(around))
            return Purity.IsPure(node) ? new Uncorrelated(node, []) : null;
        return node switch
        {
            Filter filter => FromFilter(filter, around, facts),
            Compute compute => FromCompute(compute, around, facts),
            Order order => FromOrder(order, around, facts),
            Reverse reverse => Remove(reverse.Input, around, facts) is { Conditions: not null } input ? input with { Operators = new Reverse(input.Operators) } : null,
            Distinct distinct => FromDistinct(distinct, around, facts),
            Join join => FromJoin(join, around, facts),
            Aggregate { Keys.Count: > 0 } aggregate => FromAggregate(aggregate, around, facts),
            _ => null,
        };
    }

    private static Uncorrelated? FromFilter(Filter filter, Names around, PlanFacts facts)
    {
        if (Remove(filter.Input, around, facts) is not { } input)
            return null;
        List<CorrelatedStep> steps = [.. input.Steps];
        List<ScalarExpression> stay = [];
        foreach (ScalarExpression condition in Conjunctions.Split(filter.Predicate))
        {
            // A condition that goes ahead of the steps must not keep a step from raising.
            bool isStep = ReadsAny(condition, around, steps) || steps.Any(step => step.Expressions.Any(e => facts.CanRaise(e, input.Operators)));
            if (!Purity.IsPure(condition))
                return null;
            if (isStep)
                steps.Add(CorrelatedStep.Of(condition));
            else
                stay.Add(condition);
        }

        return new Uncorrelated(input.Operators.Where(stay), steps);
    }

    private static Uncorrelated? FromCompute(Compute compute, Names around, PlanFacts facts)
    {
        if (Remove(compute.Input, around, facts) is not { } input || !compute.Bindings.All(b => Purity.IsPure(b.Value)))
            return null;
        List<CorrelatedStep> steps = [.. input.Steps];
        List<Binding> stay = [];
        foreach (Binding binding in compute.Bindings)
        {
            if (ReadsAny(binding.Value, around, steps))
                steps.Add(CorrelatedStep.Of([binding]));
            else
                stay.Add(binding);
        }

        LogicalOperator operators = stay.Count == 0 ? input.Operators : new Compute(input.Operators, stay.ToEquatableArray());
        return new Uncorrelated(operators, steps);
    }

    private static Uncorrelated? FromOrder(Order order, Names around, PlanFacts facts)
    {
        if (Remove(order.Input, around, facts) is not { } input || order.Keys.Any(key => ReadsAny(key.Value, around, input.Steps) || !Purity.IsPure(key.Value)))
            return null;
        return input with { Operators = order with { Input = input.Operators } };
    }

    /// <summary>The first element for each key and each value that the elements around are compared with: among those of one value still the first for each key.</summary>
    private static Uncorrelated? FromDistinct(Distinct distinct, Names around, PlanFacts facts)
    {
        if (Remove(distinct.Input, around, facts) is not { Conditions: { } conditions } input || !distinct.Keys.All(key => Purity.IsPure(key) && !Names.Free(key).Overlaps(around)))
            return null;
        Names here = Names.Visible(input.Operators);
        List<ScalarExpression> keys = [.. distinct.Keys];
        foreach (ScalarExpression condition in conditions)
        {
            if (Equalities.Key(condition, around, here) is not { } key)
                return null;
            if (!keys.Contains(key.Right))
                keys.Add(key.Right);
        }

        return input with { Operators = new Distinct(input.Operators, keys.ToEquatableArray()) };
    }

    private static Uncorrelated? FromJoin(Join join, Names around, PlanFacts facts)
    {
        if (join.Expressions().Any(e => Names.Free(e).Overlaps(around) || !Purity.IsPure(e)))
            return null;
        if (Remove(join.Left, around, facts) is not { } left)
            return null;
        Uncorrelated? right = join.Kind == JoinKind.Inner
            ? Remove(join.Right, around, facts)
            : Names.Free(join.Right).Overlaps(around) || !Purity.IsPure(join.Right) ? null : new Uncorrelated(join.Right, []);
        if (right is null || join.Expressions().Any(e => ReadsAny(e, around, [.. left.Steps, .. right.Steps])))
            return null;
        return new Uncorrelated(join with { Left = left.Operators, Right = right.Operators }, [.. left.Steps, .. right.Steps]);
    }

    /// <summary>What the elements around are compared with becomes a key of the groups: those of one value are the groups of the correlated form.</summary>
    private static Uncorrelated? FromAggregate(Aggregate aggregate, Names around, PlanFacts facts)
    {
        if (Remove(aggregate.Input, around, facts) is not { Conditions: { } conditions } input
            || aggregate.Expressions().Any(e => Names.Free(e).Overlaps(around) || !Purity.IsPure(e)))
            return null;
        Names here = Names.Visible(input.Operators);
        List<ScalarExpression> keys = [.. aggregate.Keys];
        List<CorrelatedStep> steps = [];
        foreach (ScalarExpression condition in conditions)
        {
            if (Equalities.Key(condition, around, here) is not { } key)
                return null;
            steps.Add(CorrelatedStep.Of(new Binary(PlanType.Boolean, BinaryOperator.Equal, key.Left, new KeyRead(key.Right.Type, keys.Count, aggregate.Group))));
            keys.Add(key.Right);
        }

        return new Uncorrelated(aggregate with { Input = input.Operators, Keys = keys.ToEquatableArray() }, steps);
    }

    private static bool ReadsAny(ScalarExpression expression, Names around, IReadOnlyList<CorrelatedStep> steps)
    {
        Names read = Names.Free(expression);
        return read.Overlaps(around) || read.Overlaps(Names.OfVariables(steps.SelectMany(step => step.Bindings).Select(b => b.Variable)));
    }
}
