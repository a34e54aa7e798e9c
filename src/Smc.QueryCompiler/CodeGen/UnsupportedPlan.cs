using Smc.QueryCompiler.Plan;
using Reads = System.Collections.Generic.IReadOnlyList<(Smc.QueryCompiler.Plan.PlanRead Read, Smc.QueryCompiler.Plan.ScalarExpression? Expression)>;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>What kernels do not do. The query then runs as LINQ to Objects, and the user is told this reason.</summary>
internal static class UnsupportedPlan
{
    /// <summary>The first reason, or null.</summary>
    public static string? Explain(QueryPlan plan)
    {
        List<LogicalOperator> nodes = [.. plan.Root.SelfAndAll()];
        Lazy<Reads> reads = new(() => PlanReads.WithGroupRows(plan.Root));
        return nodes.Select(node => Explain(node, reads))
            .Concat(nodes.SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).Select(e => Explain(e, plan)))
            .FirstOrDefault(reason => reason is not null);
    }

    private static string? Explain(LogicalOperator node, Lazy<Reads> reads) => node switch
    {
        Aggregate aggregate => aggregate.Keys.Select(ExplainKey).Concat(aggregate.Aggregates.Select(Explain)).FirstOrDefault(r => r is not null),
        Distinct distinct => distinct.Keys.Select(ExplainKey).FirstOrDefault(r => r is not null),
        Join join => join.Keys.Select(k => ExplainKey(k.Left)).FirstOrDefault(r => r is not null) ?? ExplainKept(node, join.Right, reads, hasNothing: join.Kind == JoinKind.Left),
        Order order => ExplainOrder(order.Keys) ?? ExplainKept(node, order.Input, reads),
        TopN top => ExplainOrder(top.Keys) ?? ExplainKept(node, top.Input, reads),
        Reverse reverse => ExplainKept(node, reverse.Input, reads),
        _ => null,
    };

    private static string? ExplainKey(ScalarExpression key) => ExplainType(key, "a key");

    private static string? ExplainType(ScalarExpression expression, string what) =>
        expression.Type.CSharp.Length == 0 ? $"{PlanPrinter.Print(expression)} is {what} of a type without a name" : null;

    private static string? Explain(AggregateCall call)
    {
        if (call.Selector is not { } selector)
            return null;
        TypeKind kind = selector.Type.Kind;
        bool isSummed = kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Single or TypeKind.Double or TypeKind.Decimal;
        return call.Kind is AggregateKind.Sum or AggregateKind.Average && !isSummed ? $"{call.Kind} of {selector.Type} is not compiled yet" : ExplainType(selector, "an aggregated value");
    }

    private static string? ExplainOrder(EquatableArray<OrderKey> keys) => keys.Select(ExplainOrder).FirstOrDefault(r => r is not null);

    private static string? ExplainOrder(OrderKey key) =>
        key.ComparesValues ? ExplainKey(key.Value) : key.Value.Type.Kind == TypeKind.String || ScalarTraits.IsUnmanaged(key.Value.Type) ? null : $"ordering by {key.Value.Type} is not compiled yet";

    /// <summary>Elements that are kept while their groups are made anew, or that may be missing, cannot say later which rows a group had.</summary>
    private static string? ExplainKept(LogicalOperator node, LogicalOperator input, Lazy<Reads> reads, bool hasNothing = false) =>
        ElementRecord.CanKeep(input, PlanReads.Above(node, reads.Value).Where(r => input.VisibleGroups().Contains(r.Read.Number)), hasNothing)
            ? null
            : hasNothing ? "the rows of a group are read after a join for which the group may be missing"
            : "the rows of a group inside an inner query are read after the outer query is ordered or joined";

    private static string? Explain(ScalarExpression expression, QueryPlan plan) => expression switch
    {
        ColumnRead read when plan.Shape(read.Row.Type.CSharp).Column(read.Column).Storage == StorageKind.Binary => $"{read.Column} is binary",
        ValueVariable value => ExplainType(value, "a variable"),
        _ => null,
    };
}
