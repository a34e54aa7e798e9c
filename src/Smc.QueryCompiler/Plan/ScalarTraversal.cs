namespace Smc.QueryCompiler.Plan;

/// <summary>Walks and rebuilds scalar expressions without a visitor per question.</summary>
public static class ScalarTraversal
{
    /// <summary>The direct operands, in evaluation order; of a subquery the expressions of all its operators.</summary>
    public static IEnumerable<ScalarExpression> Children(this ScalarExpression expression) => expression switch
    {
        ColumnRead read => [read.Row],
        Binary binary => [binary.Left, binary.Right],
        Unary unary => [unary.Operand],
        Convert convert => [convert.Operand],
        Conditional conditional => [conditional.Test, conditional.IfTrue, conditional.IfFalse],
        Coalesce coalesce => [coalesce.Left, coalesce.Right],
        MemberRead { Instance: { } instance } => [instance],
        Call { Instance: { } instance } call => [instance, .. call.Arguments],
        Call call => call.Arguments,
        New creation => [.. creation.Arguments, .. creation.Initializers.Select(i => i.Value)],
        With copy => [copy.Operand, .. copy.Initializers.Select(i => i.Value)],
        Elements made => made.Items,
        Subquery query => query.Root.SelfAndInputs().SelectMany(node => node.Expressions()),
        _ => [],
    };

    /// <summary>The expression and everything in it, parents first.</summary>
    public static IEnumerable<ScalarExpression> SelfAndDescendants(this ScalarExpression expression)
    {
        yield return expression;
        foreach (ScalarExpression child in expression.Children())
        {
            foreach (ScalarExpression descendant in child.SelfAndDescendants())
                yield return descendant;
        }
    }

    /// <summary>The same expression over other operands.</summary>
    public static ScalarExpression MapChildren(this ScalarExpression expression, Func<ScalarExpression, ScalarExpression> map) => expression switch
    {
        ColumnRead read => read with { Row = map(read.Row) },
        Binary binary => binary with { Left = map(binary.Left), Right = map(binary.Right) },
        Unary unary => unary with { Operand = map(unary.Operand) },
        Convert convert => convert with { Operand = map(convert.Operand) },
        Conditional conditional => conditional with
        {
            Test = map(conditional.Test), IfTrue = map(conditional.IfTrue), IfFalse = map(conditional.IfFalse),
        },
        Coalesce coalesce => coalesce with { Left = map(coalesce.Left), Right = map(coalesce.Right) },
        MemberRead { Instance: { } instance } read => read with { Instance = map(instance) },
        Call call => call with
        {
            Instance = call.Instance is null ? null : map(call.Instance),
            Arguments = call.Arguments.Select(map).ToEquatableArray(),
        },
        New creation => creation with
        {
            Arguments = creation.Arguments.Select(map).ToEquatableArray(),
            Initializers = creation.Initializers.Select(i => i with { Value = map(i.Value) }).ToEquatableArray(),
        },
        With copy => copy with
        {
            Operand = map(copy.Operand),
            Initializers = copy.Initializers.Select(i => i with { Value = map(i.Value) }).ToEquatableArray(),
        },
        Elements made => made with { Items = made.Items.Select(map).ToEquatableArray() },
        Subquery query => query with { Root = MapOperators(query.Root, map) },
        _ => expression,
    };

    private static LogicalOperator MapOperators(LogicalOperator node, Func<ScalarExpression, ScalarExpression> map) =>
        node.MapInputs(input => MapOperators(input, map)).MapExpressions(map);

    /// <summary>Replaces, from the outside in, every part for which <paramref name="replace"/> has an answer; the answer is not searched again.</summary>
    public static ScalarExpression Replace(this ScalarExpression expression, Func<ScalarExpression, ScalarExpression?> replace) =>
        replace(expression) ?? expression.MapChildren(child => child.Replace(replace));
}
