using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Turns what the translator built into plan operators: groupings get their aggregates, values that are used once go to where they are used.</summary>
internal static class PlanCompletion
{
    /// <summary>The operators with nothing pending in them. Changes nothing, so what is still in the making can be looked at, too.</summary>
    public static LogicalOperator Complete(LogicalOperator node) => node switch
    {
        PendingAggregate pending => pending.Group.Completed(),
        PendingGroupRows pending => pending.Rows.Completed(),
        _ => node.MapInputs(Complete),
    };

    /// <summary>A value that only the operator right above its <see cref="Compute"/> uses, and uses once, is written there; the result of a subquery only in filters and projections.</summary>
    public static LogicalOperator InlineSingleUses(LogicalOperator root)
    {
        Dictionary<int, int> uses = root.SelfAndAll().SelectMany(n => n.Expressions()).SelectMany(Reads)
            .Concat(root.SelfAndAll().OfType<GroupRows>().SelectMany(r => r.Variables.Select(v => v.Source)))
            .GroupBy(variable => variable).ToDictionary(g => g.Key, g => g.Count());
        return root.Rewrite(node => 
            node is Filter or Project or Aggregate or Order or Distinct && node.Source is Compute compute ? Inline(node, compute, uses) : node);
    }

    /// <summary>Reads of an expression but not those inside its subqueries, whose operators are visited themselves.</summary>
    private static IEnumerable<int> Reads(ScalarExpression expression) => expression switch
    {
        Subquery => [],
        ValueVariable value => [value.Variable],
        _ => expression.Children().SelectMany(Reads),
    };

    private static LogicalOperator Inline(LogicalOperator node, Compute compute, Dictionary<int, int> uses)
    {
        HashSet<int> here = [.. node.Expressions().SelectMany(Reads)];
        bool takesSubqueries = node is Filter or Project;
        Dictionary<int, ScalarExpression> moved = compute.Bindings
            .Where(b => here.Contains(b.Variable) && uses[b.Variable] == 1 && (takesSubqueries || !b.Value.SelfAndDescendants().OfType<Subquery>().Any()))
            .ToDictionary(b => b.Variable, b => b.Value);
        if (moved.Count == 0)
            return node;
        EquatableArray<Binding> kept = compute.Bindings.Where(b => !moved.ContainsKey(b.Variable)).ToEquatableArray();
        LogicalOperator below = kept.Count == 0 ? compute.Input : compute with { Bindings = kept };
        return node.MapInputs(_ => below).MapExpressions(Substitute);

        ScalarExpression Substitute(ScalarExpression expression) => expression switch
        {
            Subquery => expression,
            ValueVariable value when moved.TryGetValue(value.Variable, out ScalarExpression? defined) => defined,
            _ => expression.MapChildren(Substitute),
        };
    }
}
