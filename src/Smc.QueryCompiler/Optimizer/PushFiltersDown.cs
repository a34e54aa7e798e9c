using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// Conditions move towards the sources that they read, each as far as it can go: below computed values, orders, sides of joins and of <see cref="Apply"/>, distinct and
/// grouped elements (when they read keys only), into both sides of a concatenation. An equality between the sides of a join becomes a key.
/// </summary>
/// <remarks>
/// What stays behind is evaluated for fewer elements then, so nothing passes an expression that can raise: the query would have raised it.
/// A condition that can raise itself does not pass a condition before it, which may guard it.
/// A condition on keys stays above what compares them when it could answer otherwise for an equal key (<see cref="EqualKeys"/>).
/// </remarks>
internal static class PushFiltersDown
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) =>
        node is Filter filter ? Push(filter.Input, [.. Conjunctions.Split(filter.Predicate)], facts) : node);

    /// <summary>The elements of the operator for which all conditions hold.</summary>
    private static LogicalOperator Push(LogicalOperator node, List<ScalarExpression> conditions, PlanFacts facts)
    {
        conditions.RemoveAll(condition => condition is Constant { Literal: "true" });
        if (conditions.Count == 0)
            return node;
        return node switch
        {
            Filter filter => Push(filter.Input, [.. Conjunctions.Split(filter.Predicate), .. conditions], facts),
            Compute compute => PastCompute(compute, conditions, facts),
            Order order => PastOrder(order, order.Keys, conditions, facts),
            Reverse reverse => new Reverse(Push(reverse.Input, conditions, facts)),
            Join join => IntoJoin(join, conditions, facts),
            Apply apply => IntoApply(apply, conditions, facts),
            Distinct distinct => PastDistinct(distinct, conditions, facts),
            Aggregate { Keys.Count: > 0 } aggregate => PastAggregate(aggregate, conditions, facts),
            Concat concat => IntoConcat(concat, conditions, facts),
            _ => node.Where(conditions),
        };
    }

    private static LogicalOperator PastCompute(Compute compute, List<ScalarExpression> conditions, PlanFacts facts)
    {
        bool isFixed = compute.Bindings.Any(b => facts.CanRaise(b.Value, compute.Input));
        Names own = Names.OfVariables(compute.Defined());
        List<ScalarExpression> moved = Take(conditions, compute, c => !isFixed && !Names.Free(c).Overlaps(own), facts);
        return (compute with { Input = Push(compute.Input, moved, facts) }).Where(conditions);
    }

    private static LogicalOperator PastOrder(Order order, EquatableArray<OrderKey> keys, List<ScalarExpression> conditions, PlanFacts facts)
    {
        bool isFixed = keys.Any(key => facts.CanRaise(key.Value, order.Input));
        List<ScalarExpression> moved = Take(conditions, order, _ => !isFixed, facts);
        return (order with { Input = Push(order.Input, moved, facts) }).Where(conditions);
    }

    private static LogicalOperator IntoJoin(Join join, List<ScalarExpression> conditions, PlanFacts facts)
    {
        Names left = Names.Visible(join.Left), right = Names.Visible(join.Right);
        bool isFixed = join.Residual is { } residual && facts.CanRaise(residual, join.Left, join.Right);
        bool leftIsFixed = isFixed || join.Keys.Any(key => facts.CanRaise(key.Left, join.Left));
        bool rightIsFixed = isFixed || join.Kind != JoinKind.Inner || join.Keys.Any(key => facts.CanRaise(key.Right, join.Right));
        Names match = Names.OfVariables(join.Defined());

        List<ScalarExpression> toLeft = [], toRight = [];
        List<JoinKey> keys = [.. join.Keys];
        List<ScalarExpression> moved = Take(conditions, join, Moves, facts);
        foreach (ScalarExpression condition in moved)
        {
            Names read = Names.Free(condition);
            if (!read.Overlaps(right))
                toLeft.Add(condition);
            else if (!read.Overlaps(left))
                toRight.Add(condition);
            else
                keys.Add(Equalities.Key(condition, left, right)!);
        }

        Join result = join with { Left = Push(join.Left, toLeft, facts), Right = Push(join.Right, toRight, facts), Keys = keys.ToEquatableArray() };
        return result.Where(conditions);

        bool Moves(ScalarExpression condition)
        {
            if (facts.CanRaise(condition, join) && !Purity.IsPure(condition))
                return false;
            Names read = Names.Free(condition);
            if (read.Overlaps(match))
                return false;
            if (!read.Overlaps(right))
                return !leftIsFixed;
            if (!read.Overlaps(left))
                return !rightIsFixed;
            return join.Kind == JoinKind.Inner && !isFixed && Equalities.Key(condition, left, right) is not null;
        }
    }

    private static LogicalOperator IntoApply(Apply apply, List<ScalarExpression> conditions, PlanFacts facts)
    {
        Names inner = Names.Visible(apply.Inner);
        bool isFixed = facts.CanRaise(apply.Inner);
        List<ScalarExpression> moved = Take(
            conditions, apply, c => !isFixed && !Names.Free(c).Overlaps(inner) && (Purity.IsPure(c) || !facts.CanRaise(c, apply)), facts);
        // Asked at the end of the inner side, it is asked of the same elements in the same order.
        List<ScalarExpression> ofInner = Take(conditions, apply, c => Names.Free(c).Overlaps(inner), facts);
        return (apply with { Input = Push(apply.Input, moved, facts), Inner = Push(apply.Inner, ofInner, facts) }).Where(conditions);
    }

    private static LogicalOperator PastDistinct(Distinct distinct, List<ScalarExpression> conditions, PlanFacts facts)
    {
        bool isFixed = distinct.Keys.Any(key => facts.CanRaise(key, distinct.Input));
        Names below = Names.Visible(distinct.Input);
        List<ScalarExpression> moved = Take(conditions, distinct, c => !isFixed && !Names.Free(c.Replace(WithoutKey)).Overlaps(below) && facts.IsOneForEqualKeys(c, distinct.Keys, KeyAt), facts);
        return (distinct with { Input = Push(distinct.Input, moved, facts) }).Where(conditions);

        ScalarExpression? KeyAt(ScalarExpression part) => distinct.Keys.Contains(part) ? part : null;

        ScalarExpression? WithoutKey(ScalarExpression part) => distinct.Keys.Contains(part) ? new Constant(part.Type, "default") : null;
    }

    private static LogicalOperator PastAggregate(Aggregate aggregate, List<ScalarExpression> conditions, PlanFacts facts)
    {
        bool isFixed = aggregate.Expressions().Any(e => facts.CanRaise(e, aggregate.Input))
            || aggregate.Aggregates.Any(call => PlanFacts.CanRaise(call, isOverNothing: false));
        List<ScalarExpression> moved = Take(conditions, aggregate, c => !isFixed && ReadsKeysOnly(c) && facts.IsOneForEqualKeys(c, aggregate.Keys, KeyAt), facts);
        List<ScalarExpression> below = [.. moved.Select(c => c.Replace(KeyAt))];
        return (aggregate with { Input = Push(aggregate.Input, below, facts) }).Where(conditions);

        ScalarExpression? KeyAt(ScalarExpression part) => part is KeyRead key && key.Group == aggregate.Group ? aggregate.Keys[key.Index] : null;

        bool ReadsKeysOnly(ScalarExpression condition) => condition.SelfAndDescendants().All(part => part switch
        {
            AggregateRead read => read.Group != aggregate.Group,
            KeyRead key when key.Group == aggregate.Group => !HasSubquery(aggregate.Keys[key.Index]),
            Subquery => false,
            _ => true,
        });
    }

    private static LogicalOperator IntoConcat(Concat concat, List<ScalarExpression> conditions, PlanFacts facts)
    {
        bool isFixed = concat.Columns.Any(column => facts.CanRaise(column.Left, concat.Left) || facts.CanRaise(column.Right, concat.Right));
        List<ScalarExpression> moved = Take(conditions, concat, c => !isFixed && !HasSubquery(c), facts);
        return (concat with
        {
            Left = Push(concat.Left, [.. moved.Select(c => Over(c, column => column.Left))], facts),
            Right = Push(concat.Right, [.. moved.Select(c => Over(c, column => column.Right))], facts),
        }).Where(conditions);

        ScalarExpression Over(ScalarExpression condition, Func<ConcatColumn, ScalarExpression> side) => condition.Replace(part =>
            part is ValueVariable value && concat.Columns.FirstOrDefault(column => column.Variable == value.Variable) is { } found ? side(found) : null);
    }

    /// <summary>Removes the conditions that may go below the operator, and returns them.</summary>
    private static List<ScalarExpression> Take(List<ScalarExpression> conditions, LogicalOperator node, Func<ScalarExpression, bool> moves, PlanFacts facts)
    {
        List<ScalarExpression> taken = [], stay = [];
        bool isBlocked = false;
        foreach (ScalarExpression condition in conditions)
        {
            bool canRaise = facts.CanRaise(condition, node);
            if (!isBlocked && (stay.Count == 0 || !canRaise) && moves(condition))
            {
                taken.Add(condition);
                continue;
            }

            stay.Add(condition);
            isBlocked |= canRaise;
        }

        conditions.Clear();
        conditions.AddRange(stay);
        return taken;
    }

    /// <summary>Such a condition cannot stand in two places: the numbers in it would be defined twice.</summary>
    private static bool HasSubquery(ScalarExpression condition) => condition.SelfAndDescendants().Any(part => part is Subquery);
}
