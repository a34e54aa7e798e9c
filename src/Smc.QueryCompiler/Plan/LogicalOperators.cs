namespace Smc.QueryCompiler.Plan;

/// <summary>One step of a query. Expressions below an <see cref="Aggregate"/> read rows; above it they read keys and aggregates.</summary>
public abstract record LogicalOperator
{
    /// <summary>What the operator reads; null for a scan.</summary>
    public LogicalOperator? Source => this switch
    {
        Filter filter => filter.Input,
        Aggregate aggregate => aggregate.Input,
        Order order => order.Input,
        Limit limit => limit.Input,
        TopN top => top.Input,
        Project project => project.Input,
        _ => null,
    };
}

/// <summary>All rows of the collection that is parameter <paramref name="Parameter"/>; each becomes row variable <paramref name="Variable"/>.</summary>
/// <param name="Parameter">Index of the collection parameter.</param>
/// <param name="Shape">Full name of the row's <see cref="TabularShape"/> in <see cref="QueryPlan.Shapes"/>.</param>
/// <param name="Variable">Number of the row variable.</param>
public sealed record Scan(int Parameter, string Shape, int Variable) : LogicalOperator;

/// <summary>Rows (or groups) for which the predicate is true.</summary>
public sealed record Filter(LogicalOperator Input, ScalarExpression Predicate) : LogicalOperator;

/// <summary>Groups by keys with their aggregates; without keys one group, also over no rows.</summary>
public sealed record Aggregate(LogicalOperator Input, EquatableArray<ScalarExpression> Keys, EquatableArray<AggregateCall> Aggregates) : LogicalOperator;

/// <summary>A stable order by several keys.</summary>
public sealed record Order(LogicalOperator Input, EquatableArray<OrderKey> Keys) : LogicalOperator;

/// <summary>The first <paramref name="Count"/> elements; none when it is 0 or negative.</summary>
public sealed record Limit(LogicalOperator Input, ScalarExpression Count) : LogicalOperator;

/// <summary>Order then limit, as a bounded heap. Made by the optimiser.</summary>
public sealed record TopN(LogicalOperator Input, EquatableArray<OrderKey> Keys, ScalarExpression Count) : LogicalOperator;

/// <summary>The value of each element; at most one, at the top of a plan.</summary>
public sealed record Project(LogicalOperator Input, ScalarExpression Result) : LogicalOperator;

/// <summary>One sort key. Strings compare as <c>Comparer&lt;string&gt;.Default</c> does (by culture).</summary>
public sealed record OrderKey(ScalarExpression Value, bool Descending);

/// <summary>One aggregate over the rows of a group. Meaning as in <c>System.Linq.Enumerable</c>, nulls and empty input included.</summary>
/// <param name="Kind">Which aggregate.</param>
/// <param name="Selector">The value per row; null for counts, Any and All.</param>
/// <param name="Predicate">Rows that count; null for all. It is evaluated first: the selector only where it holds. For All, the condition itself.</param>
/// <param name="Type">The type of the result.</param>
public sealed record AggregateCall(AggregateKind Kind, ScalarExpression? Selector, ScalarExpression? Predicate, PlanType Type);

/// <summary>Aggregates.</summary>
public enum AggregateKind
{
    Count, LongCount, Sum, Min, Max, Average, Any, All,
}
