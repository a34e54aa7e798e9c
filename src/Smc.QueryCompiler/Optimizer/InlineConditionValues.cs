using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A value that is computed only for the condition that follows is written into it, so that the condition can go on to where its row comes from: when the condition reads the value once,
/// or reads nothing but the row of one reference, for which it is evaluated once per referenced row.
/// </summary>
/// <remarks>A value that can raise has to be what the condition evaluates first: then it raises for the same elements. A value with effects stays.</remarks>
internal static class InlineConditionValues
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        Dictionary<int, int> reads = PlanReads.WithGroupRows(plan.Root).Where(r => r.Read.Kind == ReadKind.Value).GroupBy(r => r.Read.Number).ToDictionary(g => g.Key, g => g.Count());
        return plan.MapOperators((node, facts) => node is Filter { Input: Compute compute } filter ? Inline(filter, compute, reads, facts) : node);
    }

    private static LogicalOperator Inline(Filter filter, Compute compute, Dictionary<int, int> reads, PlanFacts facts)
    {
        Binding last = compute.Bindings[compute.Bindings.Count - 1];
        int here = filter.Predicate.SelfAndDescendants().Count(part => IsValue(part, last));
        if (here == 0 || reads[last.Variable] != here || !Purity.IsPure(last.Value))
            return filter;
        if (facts.CanRaise(last.Value, compute.Input) && !IsValue(FirstEvaluated(filter.Predicate), last))
            return filter;
        List<ScalarExpression> conditions = [.. Conjunctions.Split(filter.Predicate).Select(c => c.Replace(part => IsValue(part, last) ? last.Value : null))];
        if (here > 1 && !Conjunctions.Split(filter.Predicate).Zip(conditions, (before, after) => before.Equals(after) || ReadRow.Of(after) is ColumnRead).All(isFine => isFine))
            return filter;
        Binding[] others = [.. compute.Bindings.Take(compute.Bindings.Count - 1)];
        LogicalOperator input = others.Length == 0 ? compute.Input : compute with { Bindings = others.ToEquatableArray() };
        return new Filter(input, Conjunctions.Join(conditions));
    }

    private static bool IsValue(ScalarExpression part, Binding binding) => part is ValueVariable value && value.Variable == binding.Variable;

    private static ScalarExpression FirstEvaluated(ScalarExpression expression) =>
        expression is not Subquery && expression.Children().FirstOrDefault() is { } first ? FirstEvaluated(first) : expression;
}
