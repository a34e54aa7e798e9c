using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A property that the query's text reads in one place is loaded once for a row, whatever other threads write meanwhile: where several operators, or several expressions of one, use the
/// value, it becomes a variable below the first of them. A filter that uses it is tested on the scan as before, which may use other loads, and again on the variable.
/// </summary>
/// <remarks>
/// Left as they are: conditions on a scan that no operator above shares a read with, because a filter pass loads a value once for all of them; and the keys and aggregates of groups directly over a
/// scan, which share the loads of their columns.
/// </remarks>
internal static class ReadOnce
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        PlanFacts facts = new(plan);
        return plan with { Root = Rewrite(plan.Root, facts) };
    }

    /// <summary>Rewrites a tree of operators, then those of the subqueries in it.</summary>
    private static LogicalOperator Rewrite(LogicalOperator tree, PlanFacts facts)
    {
        foreach (ColumnRead read in Repeated(tree))
        {
            if (SharedRead.TryFind(tree, read, facts) is { } shared)
                tree = shared.IntoVariable(tree, facts.NewVariable());
        }

        return tree.MapAllExpressions(e => e.Replace(part => part is Subquery query ? query with { Root = Rewrite(query.Root, facts) } : null));
    }

    /// <summary>Reads of one place that stand several times in a tree, those at the ends of longer paths first: they hold the shorter ones.</summary>
    private static List<ColumnRead> Repeated(LogicalOperator tree) =>
        [.. PlacedReads.Repeated(tree.SelfAndInputs().SelectMany(node => node.Expressions())).OrderByDescending(read => read.SelfAndDescendants().OfType<ColumnRead>().Count())];
}

/// <summary>A value that several expressions share.</summary>
/// <param name="Value">The read, or, where that can raise and not everybody evaluates it, the expression around it that they share.</param>
/// <param name="First">The operator that uses it first.</param>
/// <param name="Path">The operators from the top of the tree to the one that defines the row.</param>
internal sealed record SharedRead(ScalarExpression Value, LogicalOperator First, IReadOnlyList<LogicalOperator> Path)
{
    /// <summary>The shared value, or null when it is loaded once as it stands.</summary>
    public static SharedRead? TryFind(LogicalOperator tree, ColumnRead read, PlanFacts facts)
    {
        LogicalOperator[] nodes = [.. tree.SelfAndInputs()];
        // The variable of a longer path may hold what was repeated.
        if (nodes.SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).Count(part => IsSame(part, read)) < 2)
            return null;
        if (RowOf(read) is not { } row || PathTo(tree, node => Defines(node, row)) is not { } path)
            return null;
        ScalarExpression[] users = [.. nodes.SelectMany(node => node.Expressions()).Where(e => Uses(e, read))];
        if (users.Length == 1 && users[0].SelfAndDescendants().Any(part => part is Subquery) && facts.CanRaise(read, tree))
            return null;
        LogicalOperator? first = path.LastOrDefault(node => node.Expressions().Concat(AppliedTo(node)).Any(e => Uses(e, read)));
        if (first is null or Scan || IsLoadedOnce(first, read, nodes))
            return null;
        if (!facts.CanRaise(read, [.. first.Inputs()]))
            return new SharedRead(read, first, path);
        // A read through a reference can raise; what stands around it decides whether it is evaluated. A condition on a scan loads it once if it is.
        if (users.Length == 1 && ScanChain.TryOf(first) is not null)
            return null;
        ScalarExpression? value = Certain(first, read).FirstOrDefault(part => users.Length == 1 ? IsSame(part, read) : Holds(part, users, read));
        return value is null ? null : new SharedRead(value, first, path);
    }

    /// <summary>The tree with the variable.</summary>
    public LogicalOperator IntoVariable(LogicalOperator tree, int variable)
    {
        string name = Value is ColumnRead read ? read.Column : "value";
        return Rebuild(tree, new ValueVariable(Value.Type, variable, name), new Binding(variable, name, Value));
    }

    private LogicalOperator Rebuild(LogicalOperator node, ValueVariable value, Binding binding)
    {
        bool isFirst = ReferenceEquals(node, First);
        LogicalOperator below = node.MapInputs(input =>
            !Path.Any(step => ReferenceEquals(step, input)) ? input.MapAllExpressions(With) : isFirst ? Define(node, input, binding) : Rebuild(input, value, binding));
        if (node is not Filter filter || !isFirst)
            return below.MapExpressions(With);
        bool isTestedBelow = IsTestedBelow(filter);
        return below.Inputs().First().Where([.. Conjunctions.Split(filter.Predicate).SkipWhile(c => !Uses(c, Value)).Where(c => Uses(c, Value) || !isTestedBelow).Select(With)]);

        ScalarExpression With(ScalarExpression expression) => expression.Replace(part => IsSame(part, Value) ? value : null);
    }

    /// <summary>The input of the first operator with the variable; of a filter what it tests before the variable is read, and over a scan all of it.</summary>
    private LogicalOperator Define(LogicalOperator node, LogicalOperator input, Binding binding)
    {
        LogicalOperator below = node is Filter filter
            ? input.Where(IsTestedBelow(filter)
                ? [.. Conjunctions.Split(filter.Predicate).Select(c => Uses(c, Value) ? Apart(c) : c)]
                : [.. Conjunctions.Split(filter.Predicate).TakeWhile(c => !Uses(c, Value))])
            : input;
        return new Compute(below, EquatableArray.Of(binding));
    }

    /// <summary>A condition whose reads are others than those of the variable, though still one for each place.</summary>
    private static ScalarExpression Apart(ScalarExpression condition) =>
        condition.MapChildren(Apart) is var mapped && mapped is ColumnRead read ? read with { Place = -read.Place } : mapped;

    /// <summary>Whether a filter is tested by passes over blocks, too: not what has effects, or operators of its own.</summary>
    private bool IsTestedBelow(Filter filter) => ScanChain.TryOf(filter) is not null
        && Conjunctions.Split(filter.Predicate).All(c => !Uses(c, Value) || (Purity.IsPure(c) && !c.SelfAndDescendants().Any(part => part is Subquery)));

    /// <summary>Whether all uses stand in the conditions of the row's scan, or in one aggregation over it: what is written for those loads a value once.</summary>
    private static bool IsLoadedOnce(LogicalOperator first, ColumnRead read, LogicalOperator[] nodes)
    {
        LogicalOperator[] users = [.. nodes.Where(node => node.Expressions().Any(e => Uses(e, read)))];
        if (read.Row is not RowVariable row || users.SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).Any(part => part is Subquery))
            return false;
        return users.All(IsOverRow) || (users.Length == 1 && ReferenceEquals(first, users[0]) && first is Aggregate aggregate && IsOverRow(aggregate.Input));

        bool IsOverRow(LogicalOperator node) => ScanChain.TryOf(node)?.Scan.Variable == row.Variable;
    }

    /// <summary>The parts with the read, the smallest first, that the operator evaluates for every element: of a filter after the conditions before.</summary>
    private static IEnumerable<ScalarExpression> Certain(LogicalOperator first, ColumnRead read)
    {
        IEnumerable<ScalarExpression> certain = first is Filter filter
            ? EvaluatedParts.Of(Conjunctions.Split(filter.Predicate).First(c => Uses(c, read)))
            : first is Join join ? join.Keys.SelectMany(key => new[] { key.Left, key.Right }).SelectMany(EvaluatedParts.Of) : EvaluatedParts.Of(first);
        return certain.Where(part => Uses(part, read) && part.Type.CSharp.Length > 0 && ScalarTraits.CanBeKept(part.Type) && !part.SelfAndDescendants().Any(inner => inner is Subquery))
            .OrderBy(part => part.SelfAndDescendants().Count());
    }

    /// <summary>Whether all uses of the read stand inside of a part that the expressions share.</summary>
    private static bool Holds(ScalarExpression part, IEnumerable<ScalarExpression> users, ColumnRead read) =>
        (part is ColumnRead || Purity.IsPure(part)) && users.All(user => !Uses(user.Replace(inner => IsSame(inner, part) ? new Constant(part.Type, "default") : null), read));

    /// <summary>What the inner side of an <see cref="Apply"/> evaluates for an element of the outer.</summary>
    private static IEnumerable<ScalarExpression> AppliedTo(LogicalOperator node) => node is Apply apply ? apply.Inner.SelfAndInputs().SelectMany(n => n.Expressions()) : [];

    private static bool Uses(ScalarExpression expression, ScalarExpression value) => expression.SelfAndDescendants().Any(part => IsSame(part, value));

    /// <summary>Whether two expressions are equal and read in the same places.</summary>
    private static bool IsSame(ScalarExpression part, ScalarExpression value) => part.Equals(value) && Places(part).SequenceEqual(Places(value));

    private static IEnumerable<int> Places(ScalarExpression expression) => expression.SelfAndDescendants().OfType<ColumnRead>().Select(read => read.Place);

    /// <summary>The variable, or the key of a group, from which references lead to the row.</summary>
    private static ScalarExpression? RowOf(ColumnRead read) => read.Row switch
    {
        RowVariable or ValueVariable or KeyRead => read.Row,
        ColumnRead path => RowOf(path),
        _ => null,
    };

    private static bool Defines(LogicalOperator node, ScalarExpression row) => row switch
    {
        RowVariable variable => node.Defined().Contains(variable.Variable),
        ValueVariable variable => node.Defined().Contains(variable.Variable),
        KeyRead key => node is Aggregate aggregate && aggregate.Group == key.Group,
        _ => false,
    };

    private static IReadOnlyList<LogicalOperator>? PathTo(LogicalOperator node, Func<LogicalOperator, bool> isTarget)
    {
        if (isTarget(node))
            return [node];
        return node.Inputs().Select(input => PathTo(input, isTarget)).FirstOrDefault(path => path is not null) is { } found ? [node, .. found] : null;
    }
}
