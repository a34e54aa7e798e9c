using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A value that is computed over the elements of another sequence that equal something of this one (<c>Sum</c>, <c>Count</c>, <c>Min</c>, <c>Max</c>, <c>Average</c>, <c>First</c>, <c>Any</c>)
/// is computed once for each value that occurs there, and looked up by a left join. Several values over the same sequence share one aggregation.
/// </summary>
/// <remarks>
/// Elements without partners get the value over no elements. Where LINQ raises for that, so does the plan, and only for an element that asks.
/// It stays a subquery when it compares otherwise than for equality, or uses the element around inside of the aggregate.
/// </remarks>
internal static class SubqueryToJoin
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node switch
    {
        Filter filter => OverFilter(filter, facts),
        Compute compute => OverCompute(compute, facts),
        Project or Order or TopN or Distinct or Aggregate or While => OverOthers(node, facts),
        _ => node,
    });

    /// <summary>Conditions before the subquery are tested before the join.</summary>
    private static LogicalOperator OverFilter(Filter filter, PlanFacts facts)
    {
        LogicalOperator input = filter.Input;
        List<ScalarExpression> conditions = [];
        foreach (ScalarExpression condition in Conjunctions.Split(filter.Predicate))
        {
            LogicalOperator joined = input.Where(conditions);
            ScalarExpression replaced = Replace(condition, ref joined, Names.Nothing, facts);
            if (!ReferenceEquals(replaced, condition))
            {
                input = joined;
                conditions.Clear();
            }

            conditions.Add(replaced);
        }

        return input.Where(conditions);
    }

    private static LogicalOperator OverCompute(Compute compute, PlanFacts facts)
    {
        LogicalOperator input = compute.Input;
        List<Binding> bindings = [];
        foreach (Binding binding in compute.Bindings)
        {
            LogicalOperator joined = bindings.Count == 0 ? input : new Compute(input, bindings.ToEquatableArray());
            ScalarExpression replaced = Replace(binding.Value, ref joined, Names.Nothing, facts);
            if (!ReferenceEquals(replaced, binding.Value))
            {
                input = joined;
                bindings.Clear();
            }

            bindings.Add(binding with { Value = replaced });
        }

        return new Compute(input, bindings.ToEquatableArray());
    }

    private static LogicalOperator OverOthers(LogicalOperator node, PlanFacts facts)
    {
        LogicalOperator input = node.Source!;
        Names own = Names.OfVariables(node.Defined());
        LogicalOperator result = node.MapExpressions(e => Replace(e, ref input, own, facts));
        return result.MapInputs(_ => input);
    }

    /// <summary>The expression with its subqueries replaced by what joins with the input give.</summary>
    private static ScalarExpression Replace(ScalarExpression expression, ref LogicalOperator input, Names own, PlanFacts facts)
    {
        if (!expression.SelfAndDescendants().Any(part => part is Subquery))
            return expression;
        LogicalOperator current = input;
        bool isChanged = false;
        ScalarExpression result = expression.Replace(part =>
        {
            if (part is not Subquery query)
                return null;
            if (Names.Free(query).Overlaps(own) || ToJoin(query, current, facts) is not { } found)
                return query;
            isChanged = true;
            current = found.Input;
            return found.Value;
        });
        input = current;
        return isChanged ? result : expression;
    }

    private static (LogicalOperator Input, ScalarExpression Value)? ToJoin(Subquery query, LogicalOperator input, PlanFacts facts)
    {
        Names around = Names.Visible(input);
        if (CorrelatedAggregate.Of(query) is not { } wanted || !wanted.IsPure
            || wanted.Calls.Any(call => Names.Free(Parts(call)).Overlaps(around))
            || Correlation.Remove(wanted.Elements, around, facts) is not { Conditions: { Count: > 0 } conditions } inner)
            return null;
        JoinCondition condition = JoinCondition.Of(conditions, input, inner.Operators, facts);
        if (condition.Keys.Count == 0 || condition.Residual is not null)
            return null;

        GroupLookUp lookUp = new(condition.Right, condition.Keys);
        JoinedGroups joined = lookUp.FindIn(input, wanted.Calls) ?? lookUp.AddTo(input, wanted.Calls, facts);
        return (joined.Input, wanted.Value(joined.Group, joined.Positions, joined.Match));
    }

    private static IEnumerable<ScalarExpression> Parts(AggregateCall call) =>
        new[] { call.Selector, call.Predicate, call.Seed, call.First }.OfType<ScalarExpression>();
}
