using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>What kernels do not do yet. The query then runs as LINQ to Objects, and the user is told this reason.</summary>
internal static class UnsupportedPlan
{
    /// <summary>The first reason, or null.</summary>
    public static string? Explain(QueryPlan plan)
    {
        List<LogicalOperator> nodes = [];
        for (LogicalOperator? node = plan.Root; node is not null; node = node.Source)
            nodes.Add(node);
        if (nodes[nodes.Count - 1] is not Scan)
            return "its source is not a collection";
        if (plan.Terminal is Terminal.Last or Terminal.LastOrDefault or Terminal.ElementAt or Terminal.HashSet or Terminal.Dictionary or Terminal.Lookup)
            return $"{plan.Terminal} is not compiled yet";
        if (plan.Parameters.Count(p => p.RowShape is not null) > 1)
            return "it reads more than one collection";
        return nodes.Select(Explain).Concat(nodes.SelectMany(Expressions).SelectMany(e => e.SelfAndDescendants()).Select(e => Explain(e, plan)))
            .FirstOrDefault(reason => reason is not null);
    }

    private static string? Explain(LogicalOperator node) => node switch
    {
        Aggregate aggregate => aggregate.Keys.Select(ExplainKey).Concat(aggregate.Aggregates.Select(Explain)).FirstOrDefault(r => r is not null),
        Order order => order.Keys.Select(ExplainOrder).FirstOrDefault(r => r is not null),
        TopN top => top.Keys.Select(ExplainOrder).FirstOrDefault(r => r is not null),
        Scan or Filter or Limit or Project => null,
        _ => $"{node.GetType().Name} is not compiled yet",
    };

    private static string? ExplainKey(ScalarExpression key) =>
        KeyForm.IsSupported(key) ? null : $"grouping by {PlanPrinter.Print(key)} of type {key.Type} is not compiled yet";

    private static string? Explain(AggregateCall call)
    {
        if (call.IsDistinct || call.Kind is AggregateKind.First or AggregateKind.Fold)
            return $"{(call.IsDistinct ? "distinct " : "")}{call.Kind} is not compiled yet";
        if (call.Selector is not { } selector)
            return null;
        TypeKind kind = selector.Type.Kind;
        bool isNumber = ScalarTraits.IsIntegral(kind) || ScalarTraits.IsFloating(kind) || kind == TypeKind.Decimal;
        bool isValue = isNumber || kind is TypeKind.Boolean or TypeKind.Char or TypeKind.Enum or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan
            or TypeKind.DateTime or TypeKind.DateTimeOffset or TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128;
        bool isSupported = call.Kind is AggregateKind.Min or AggregateKind.Max ? isValue : kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Single or TypeKind.Double or TypeKind.Decimal;
        return isSupported ? null : $"{call.Kind} of {selector.Type} is not compiled yet";
    }

    private static string? ExplainOrder(OrderKey key)
    {
        TypeKind kind = key.Value.Type.Kind;
        bool isSupported = ScalarTraits.IsIntegral(kind) || ScalarTraits.IsFloating(kind) || kind is TypeKind.String or TypeKind.Decimal or TypeKind.Boolean or TypeKind.Char
            or TypeKind.Enum or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.DateTime or TypeKind.DateTimeOffset or TypeKind.Guid
            or TypeKind.Int128 or TypeKind.UInt128;
        bool isNullableEnum = kind == TypeKind.Enum && key.Value.Type.IsNullable;
        return isSupported && !isNullableEnum ? null : $"ordering by {key.Value.Type} is not compiled yet";
    }

    private static string? Explain(ScalarExpression expression, QueryPlan plan) => expression switch
    {
        { Type: { Kind: TypeKind.Tabular, IsNullable: true } } => $"{PlanPrinter.Print(expression)} is a nullable reference to a row; use null instead",
        ColumnRead read when plan.Shape(read.Row.Type.CSharp).Column(read.Column).Storage == StorageKind.Binary => $"{read.Column} is binary",
        Subquery => "a query inside a query is not compiled yet",
        ValueVariable value => $"the variable {value.Name} is not compiled yet",
        Call { Method: "this[]" } => "an indexer is not compiled yet",
        _ => null,
    };

    private static IEnumerable<ScalarExpression> Expressions(LogicalOperator node) => node switch
    {
        Filter filter => [filter.Predicate],
        Aggregate aggregate => [.. aggregate.Keys, .. aggregate.Aggregates.SelectMany(a => new[] { a.Selector, a.Predicate }).OfType<ScalarExpression>()],
        Order order => order.Keys.Select(k => k.Value),
        TopN top => [.. top.Keys.Select(k => k.Value), top.Count],
        Limit limit => [limit.Count],
        Project project => [project.Result],
        _ => [],
    };
}
