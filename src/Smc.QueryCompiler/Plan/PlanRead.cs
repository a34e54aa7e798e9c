namespace Smc.QueryCompiler.Plan;

/// <summary>A variable, key or aggregate that an expression reads.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Number">The number of the variable or group.</param>
/// <param name="Index">The position of the key or aggregate in its group.</param>
internal readonly record struct PlanRead(ReadKind Kind, int Number, int Index = 0);

/// <summary>What expressions read.</summary>
internal enum ReadKind
{
    Row, Value, Key, Aggregate,

    /// <summary>The rows that a group was made of.</summary>
    GroupRows,
}

/// <summary>What parts of a plan read and define.</summary>
internal static class PlanReads
{
    /// <summary>Each read of the operators from a node down, subqueries included, with the expression that reads (null for the rows of a group).</summary>
    public static IEnumerable<(PlanRead Read, ScalarExpression? Expression)> Of(LogicalOperator node) => node.SelfAndInputs().SelectMany(OfOne);

    /// <summary>Each read of an expression, subqueries included.</summary>
    public static IEnumerable<(PlanRead Read, ScalarExpression? Expression)> Of(ScalarExpression expression) => expression.SelfAndDescendants().SelectMany(OfPart);

    /// <summary>What expressions read of what a node defines, each once.</summary>
    public static IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> Of(IEnumerable<ScalarExpression> expressions, LogicalOperator node)
    {
        HashSet<int> variables = [.. node.Visible()], groups = [.. node.VisibleGroups()];
        return [.. expressions.SelectMany(Of)
            .Where(r => (r.Read.Kind is ReadKind.Row or ReadKind.Value ? variables : groups).Contains(r.Read.Number))
            .GroupBy(r => r.Read).Select(g => g.First())];
    }

    /// <summary>What a subquery reads of what is around it, each once.</summary>
    public static IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> Free(LogicalOperator root)
    {
        HashSet<int> variables = [.. root.SelfAndAll().SelectMany(n => n.Defined())];
        HashSet<int> groups = [.. root.SelfAndAll().OfType<Aggregate>().Select(a => a.Group)];
        return [.. Of(root).Where(r => !(r.Read.Kind is ReadKind.Row or ReadKind.Value ? variables : groups).Contains(r.Read.Number)).GroupBy(r => r.Read).Select(g => g.First())];
    }

    /// <summary>Whether nothing around it decides what operators give.</summary>
    public static bool IsClosed(LogicalOperator root) => Free(root).Count == 0;

    /// <summary>What operators above and around a node read of what is defined in it, each once.</summary>
    /// <param name="node">The node.</param>
    /// <param name="all">All reads of its plan (<see cref="WithGroupRows"/> of the root): made once, because it walks everything.</param>
    public static IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> Above(LogicalOperator node, IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> all)
    {
        HashSet<int> variables = [.. node.Visible()], groups = [.. node.VisibleGroups()];
        Dictionary<PlanRead, int> inside = WithGroupRows(node).GroupBy(r => r.Read).ToDictionary(g => g.Key, g => g.Count());
        return [.. all
            .Where(r => (r.Read.Kind is ReadKind.Row or ReadKind.Value ? variables : groups).Contains(r.Read.Number))
            .GroupBy(r => r.Read)
            .Where(g => g.Count() > (inside.TryGetValue(g.Key, out int count) ? count : 0))
            .Select(g => g.First())];
    }

    /// <summary>Each read of the operators from a node down; what is read of the rows of a group also as a read of the variables that the rows were made of.</summary>
    public static IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> WithGroupRows(LogicalOperator root)
    {
        List<(PlanRead Read, ScalarExpression? Expression)> reads = [.. Of(root)];
        List<GroupVariable> renamed = [.. root.SelfAndAll().OfType<GroupRows>().SelectMany(rows => rows.Variables)];
        for (int i = 0; i < reads.Count; i++)
        {
            ScalarExpression? source = reads[i].Expression switch
            {
                RowVariable row when renamed.FirstOrDefault(v => v.Variable == row.Variable) is { } made => row with { Variable = made.Source },
                ValueVariable value when renamed.FirstOrDefault(v => v.Variable == value.Variable) is { } made => value with { Variable = made.Source },
                _ => null,
            };
            if (source is not null)
                reads.AddRange(OfPart(source));
        }

        return reads;
    }

    private static IEnumerable<(PlanRead Read, ScalarExpression? Expression)> OfOne(LogicalOperator node)
    {
        IEnumerable<(PlanRead, ScalarExpression?)> own = node.Expressions().SelectMany(Of);
        return node is GroupRows rows ? own.Prepend((new PlanRead(ReadKind.GroupRows, rows.Group), null)) : own;
    }

    private static IEnumerable<(PlanRead Read, ScalarExpression? Expression)> OfPart(ScalarExpression part) => part switch
    {
        RowVariable row => [(new PlanRead(ReadKind.Row, row.Variable), part)],
        ValueVariable value => [(new PlanRead(ReadKind.Value, value.Variable), part)],
        KeyRead key => [(new PlanRead(ReadKind.Key, key.Group, key.Index), part)],
        AggregateRead aggregate => [(new PlanRead(ReadKind.Aggregate, aggregate.Group, aggregate.Index), part)],
        Subquery query => query.Root.SelfAndInputs().OfType<GroupRows>().Select(rows => (new PlanRead(ReadKind.GroupRows, rows.Group), (ScalarExpression?)null)),
        _ => [],
    };
}
