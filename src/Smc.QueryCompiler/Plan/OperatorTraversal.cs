namespace Smc.QueryCompiler.Plan;

/// <summary>Walks and rebuilds operators without a visitor per question.</summary>
public static class OperatorTraversal
{
    /// <summary>What an operator reads; the one whose elements it passes on first.</summary>
    public static IEnumerable<LogicalOperator> Inputs(this LogicalOperator node) => node switch
    {
        Filter filter => [filter.Input],
        Compute compute => [compute.Input],
        Number number => [number.Input],
        Join join => [join.Left, join.Right],
        Apply apply => [apply.Input, apply.Inner],
        Aggregate aggregate => [aggregate.Input],
        Order order => [order.Input],
        Limit limit => [limit.Input],
        Skip skip => [skip.Input],
        While loop => [loop.Input],
        TopN top => [top.Input],
        Reverse reverse => [reverse.Input],
        Distinct distinct => [distinct.Input],
        Concat concat => [concat.Left, concat.Right],
        DefaultIfEmpty outer => [outer.Input],
        Project project => [project.Input],
        _ => [],
    };

    /// <summary>The operator over other inputs.</summary>
    public static LogicalOperator MapInputs(this LogicalOperator node, Func<LogicalOperator, LogicalOperator> map) => node switch
    {
        Filter filter => filter with { Input = map(filter.Input) },
        Compute compute => compute with { Input = map(compute.Input) },
        Number number => number with { Input = map(number.Input) },
        Join join => join with { Left = map(join.Left), Right = map(join.Right) },
        Apply apply => apply with { Input = map(apply.Input), Inner = map(apply.Inner) },
        Aggregate aggregate => aggregate with { Input = map(aggregate.Input) },
        Order order => order with { Input = map(order.Input) },
        Limit limit => limit with { Input = map(limit.Input) },
        Skip skip => skip with { Input = map(skip.Input) },
        While loop => loop with { Input = map(loop.Input) },
        TopN top => top with { Input = map(top.Input) },
        Reverse reverse => reverse with { Input = map(reverse.Input) },
        Distinct distinct => distinct with { Input = map(distinct.Input) },
        Concat concat => concat with { Left = map(concat.Left), Right = map(concat.Right) },
        DefaultIfEmpty outer => outer with { Input = map(outer.Input) },
        Project project => project with { Input = map(project.Input) },
        _ => node,
    };

    /// <summary>The expressions that the operator itself evaluates, without those of its inputs.</summary>
    public static IEnumerable<ScalarExpression> Expressions(this LogicalOperator node) => node switch
    {
        Enumerate list => [list.Sequence],
        Filter filter => [filter.Predicate],
        Compute compute => compute.Bindings.Select(b => b.Value),
        Join join => [.. join.Keys.SelectMany(k => new[] { k.Left, k.Right }), .. Some(join.Residual)],
        Aggregate aggregate => [.. aggregate.Keys, .. aggregate.Aggregates.SelectMany(a => Some(a.Seed, a.First, a.Predicate, a.Selector))],
        Order order => order.Keys.Select(k => k.Value),
        TopN top => [.. top.Keys.Select(k => k.Value), .. top.Skip is { } skip ? new[] { skip } : [], top.Count],
        Limit limit => [limit.Count],
        Skip skip => [skip.Count],
        While loop => [loop.Predicate],
        Distinct distinct => distinct.Keys,
        Concat concat => concat.Columns.SelectMany(c => new[] { c.Left, c.Right }),
        Project project => Some(project.Key, project.Result),
        _ => [],
    };

    /// <summary>The operator with its own expressions replaced.</summary>
    public static LogicalOperator MapExpressions(this LogicalOperator node, Func<ScalarExpression, ScalarExpression> map)
    {
        return node switch
        {
            Enumerate list => list with { Sequence = map(list.Sequence) },
            Filter filter => filter with { Predicate = map(filter.Predicate) },
            Compute compute => compute with { Bindings = compute.Bindings.Select(b => b with { Value = map(b.Value) }).ToEquatableArray() },
            Join join => join with
            {
                Keys = join.Keys.Select(k => k with { Left = map(k.Left), Right = map(k.Right) }).ToEquatableArray(),
                Residual = MapOptional(join.Residual),
            },
            Aggregate aggregate => aggregate with
            {
                Keys = aggregate.Keys.Select(map).ToEquatableArray(),
                Aggregates = aggregate.Aggregates.Select(MapCall).ToEquatableArray(),
            },
            Order order => order with { Keys = MapKeys(order.Keys) },
            TopN top => top with { Keys = MapKeys(top.Keys), Skip = top.Skip is { } skip ? map(skip) : null, Count = map(top.Count) },
            Limit limit => limit with { Count = map(limit.Count) },
            Skip skip => skip with { Count = map(skip.Count) },
            While loop => loop with { Predicate = map(loop.Predicate) },
            Distinct distinct => distinct with { Keys = distinct.Keys.Select(map).ToEquatableArray() },
            Concat concat => concat with { Columns = concat.Columns.Select(c => c with { Left = map(c.Left), Right = map(c.Right) }).ToEquatableArray() },
            Project project => project with { Result = map(project.Result), Key = MapOptional(project.Key) },
            _ => node,
        };

        ScalarExpression? MapOptional(ScalarExpression? expression) => expression is null ? null : map(expression);

        AggregateCall MapCall(AggregateCall call) => call with
        {
            Selector = MapOptional(call.Selector), Predicate = MapOptional(call.Predicate), Seed = MapOptional(call.Seed), First = MapOptional(call.First),
        };

        EquatableArray<OrderKey> MapKeys(EquatableArray<OrderKey> keys) => keys.Select(k => k with { Value = map(k.Value) }).ToEquatableArray();
    }

    /// <summary>The operator and everything below it, parents first, without subqueries.</summary>
    public static IEnumerable<LogicalOperator> SelfAndInputs(this LogicalOperator node)
    {
        yield return node;
        foreach (LogicalOperator input in node.Inputs())
        {
            foreach (LogicalOperator below in input.SelfAndInputs())
                yield return below;
        }
    }

    /// <summary>The operator and everything below it, with the operators of subqueries.</summary>
    public static IEnumerable<LogicalOperator> SelfAndAll(this LogicalOperator node) => node.SelfAndInputs().SelectMany(n =>
        n.Expressions().SelectMany(e => e.SelfAndDescendants()).OfType<Subquery>().SelectMany(s => s.Root.SelfAndInputs()).Prepend(n));

    /// <summary>Rebuilds a tree from its sources upwards; operators of subqueries too, each before the operator whose expression holds it.</summary>
    public static LogicalOperator Rewrite(this LogicalOperator node, Func<LogicalOperator, LogicalOperator> rule) =>
        rule(node.MapInputs(input => input.Rewrite(rule)).MapExpressions(expression => expression.RewriteSubqueries(rule)));

    /// <summary>An expression with the operators of its subqueries rebuilt by <see cref="Rewrite"/>.</summary>
    public static ScalarExpression RewriteSubqueries(this ScalarExpression expression, Func<LogicalOperator, LogicalOperator> rule) =>
        expression.Replace(part => part is Subquery query ? query with { Root = query.Root.Rewrite(rule) } : null);

    /// <summary>The value and row variables that the operator and its inputs define, and that are visible above it.</summary>
    public static IEnumerable<int> Visible(this LogicalOperator node) => node switch
    {
        Scan scan => [scan.Variable],
        Enumerate list => [list.Variable],
        GroupRows rows => rows.Variables.Select(v => v.Variable),
        Compute compute => [.. compute.Input.Visible(), .. compute.Bindings.Select(b => b.Variable)],
        Number number => [.. number.Input.Visible(), number.Variable],
        Join { Kind: JoinKind.Semi or JoinKind.Anti } join => join.Left.Visible(),
        Join join => [.. join.Left.Visible(), .. join.Right.Visible(), .. join.Match is { } match ? new[] { match } : []],
        DefaultIfEmpty outer => [.. outer.Input.Visible(), outer.Match],
        Concat concat => concat.Columns.Select(c => c.Variable),
        Aggregate => [],
        _ => node.Inputs().SelectMany(Visible),
    };

    /// <summary>The groups whose keys and aggregates are visible above the operator.</summary>
    public static IEnumerable<int> VisibleGroups(this LogicalOperator node) => node switch
    {
        Aggregate aggregate => [aggregate.Group],
        Join { Kind: JoinKind.Semi or JoinKind.Anti } join => join.Left.VisibleGroups(),
        Concat => [],
        _ => node.Inputs().SelectMany(VisibleGroups),
    };

    /// <summary>The row and value variables that the operator itself defines, accumulators of folds included.</summary>
    public static IEnumerable<int> Defined(this LogicalOperator node) => node switch
    {
        Scan scan => [scan.Variable],
        Enumerate list => [list.Variable],
        GroupRows rows => rows.Variables.Select(v => v.Variable),
        Compute compute => compute.Bindings.Select(b => b.Variable),
        Number number => [number.Variable],
        Join { Match: { } match } => [match],
        DefaultIfEmpty outer => [outer.Match],
        Concat concat => concat.Columns.Select(c => c.Variable),
        Aggregate aggregate => aggregate.Aggregates.Where(a => a.Kind == AggregateKind.Fold).Select(a => a.Accumulator),
        _ => [],
    };

    private static IEnumerable<ScalarExpression> Some(params ScalarExpression?[] expressions) => expressions.OfType<ScalarExpression>();
}
