using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>What a result, or the keys and aggregates of groups, compute more than once for an element is computed once, before them.</summary>
/// <remarks>
/// It stays where it would be computed for elements that do not ask for it and can raise, or when it has effects. Aggregates directly over a scan stay, too: their sums share what they
/// have in common as integers.
/// </remarks>
internal static class CommonSubexpressions
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node switch
    {
        // One element: what it costs twice does not matter, and the result of a scalar query has to stand above its aggregate.
        Project { Input: Aggregate { Keys.Count: 0 } } => node,
        Project => Share(node, facts),
        Aggregate { Input: var input } when ScanChain.TryOf(input) is null => Share(node, facts),
        _ => node,
    });

    private static LogicalOperator Share(LogicalOperator node, PlanFacts facts)
    {
        LogicalOperator input = node.Source!;
        if (node.Expressions().SelectMany(e => e.SelfAndDescendants()).Any(part => part is Subquery))
            return node;
        List<Binding> bindings = [];
        while (LargestRepeated(node, bindings, facts) is { } repeated)
        {
            ValueVariable value = new(repeated.Type, facts.NewVariable(), "common");
            bindings = [new Binding(value.Variable, value.Name, repeated), .. bindings.Select(b => b with { Value = With(b.Value) })];
            node = node.MapExpressions(With);

            ScalarExpression With(ScalarExpression expression) => expression.Replace(part => part.Equals(repeated) ? value : null);
        }

        return bindings.Count == 0 ? node : node.MapInputs(_ => new Compute(input, bindings.ToEquatableArray()));
    }

    private static ScalarExpression? LargestRepeated(LogicalOperator node, List<Binding> bindings, PlanFacts facts)
    {
        LogicalOperator input = node.Source!;
        Names visible = Names.Visible(input);
        HashSet<ScalarExpression> certain = [.. EvaluatedParts.Of(node), .. bindings.SelectMany(b => EvaluatedParts.Of(b.Value))];
        return node.Expressions().Concat(bindings.Select(b => b.Value))
            .SelectMany(e => e.SelfAndDescendants())
            .Where(IsWork)
            .GroupBy(part => part)
            .Where(same => same.Count() > 1 && Names.Free(same.Key).IsWithin(visible) && Purity.IsPure(same.Key)
                && (!facts.CanRaise(same.Key, input) || certain.Contains(same.Key)))
            .Select(same => same.Key)
            .OrderByDescending(part => part.SelfAndDescendants().Count())
            .FirstOrDefault();
    }

    private static bool IsWork(ScalarExpression part) => part is Binary or Unary or Conditional or Coalesce or MemberRead or Call or Plan.Convert { Operand: not (ColumnRead or Constant) }
        && part.Type.CSharp.Length > 0 && ScalarTraits.CanBeKept(part.Type) && !ScalarTraits.IsInvariant(part);
}
