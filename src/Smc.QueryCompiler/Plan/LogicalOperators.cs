namespace Smc.QueryCompiler.Plan;

/// <summary>
/// One step of a query. Operators form a tree; each passes elements up. An element is what the variables that are visible there hold:
/// an operator sees those of its inputs and those that it defines. Above an <see cref="Aggregate"/> only its keys and aggregates are visible.
/// Every variable and every group has its own number in a plan, subqueries included. Inside <see cref="Apply.Inner"/> and a <see cref="Subquery"/> what is visible around them is visible, too.
/// </summary>
/// <remarks>The order of elements is that of LINQ to Objects: sources in theirs, and every operator keeps it unless it says otherwise.</remarks>
public abstract record LogicalOperator
{
    /// <summary>What the operator reads first, element by element; null for a source.</summary>
    public LogicalOperator? Source => this.Inputs().FirstOrDefault();
}

/// <summary>All rows of the collection that is parameter <paramref name="Parameter"/>; each becomes row variable <paramref name="Variable"/>.</summary>
/// <param name="Parameter">Index of the collection parameter.</param>
/// <param name="Shape">Full name of the row's <see cref="TabularShape"/> in <see cref="QueryPlan.Shapes"/>.</param>
/// <param name="Variable">Number of the row variable.</param>
public sealed record Scan(int Parameter, string Shape, int Variable) : LogicalOperator;

/// <summary>The elements of an <c>IEnumerable&lt;T&gt;</c> value, such as a list that is a parameter, in its order; each becomes value variable <paramref name="Variable"/>.</summary>
public sealed record Enumerate(ScalarExpression Sequence, PlanType ElementType, int Variable) : LogicalOperator;

/// <summary>One element that holds nothing: what <c>Append</c> and values written in place are made over.</summary>
public sealed record Unit : LogicalOperator;

/// <summary>
/// The elements of the group at hand, in their order: what the input of aggregate <paramref name="Group"/> passed up, under new variables.
/// Only in a subquery or an inner side above that aggregate. Keys and aggregates of groups below do not come through; a <see cref="Compute"/> makes them variables first.
/// </summary>
public sealed record GroupRows(int Group, EquatableArray<GroupVariable> Variables) : LogicalOperator;

/// <summary>A variable of the aggregate's input and the one that stands for it among the rows of a group.</summary>
public sealed record GroupVariable(int Source, int Variable);

/// <summary>Elements for which the predicate is true.</summary>
public sealed record Filter(LogicalOperator Input, ScalarExpression Predicate) : LogicalOperator;

/// <summary>Defines value variables, evaluated once an element in this order: <c>let</c>, and what several expressions share.</summary>
public sealed record Compute(LogicalOperator Input, EquatableArray<Binding> Bindings) : LogicalOperator;

/// <summary>Numbers elements from 0, as an <c>int</c> value variable: the indexed forms of operators.</summary>
public sealed record Number(LogicalOperator Input, int Variable) : LogicalOperator;

/// <summary>
/// Pairs of elements whose keys are equal and for which the residual is true: for each of the left, in order, those of the right, in order.
/// Semi and anti joins pass left elements only.
/// </summary>
/// <param name="Kind">Which pairs.</param>
/// <param name="Left">The outer side.</param>
/// <param name="Right">The inner side; it does not read variables of the left.</param>
/// <param name="Keys">Pairs of expressions, over the left and over the right; none for a cross join.</param>
/// <param name="Residual">A further condition on the pair, or null.</param>
/// <param name="Match">For left joins the number of the <c>bool</c> value variable that is false when there was no partner, whose variables then hold their types' defaults (a null row).</param>
public sealed record Join(JoinKind Kind, LogicalOperator Left, LogicalOperator Right, EquatableArray<JoinKey> Keys, ScalarExpression? Residual = null, int? Match = null)
    : LogicalOperator;

/// <summary>Which elements a join passes.</summary>
public enum JoinKind
{
    /// <summary>All pairs.</summary>
    Inner,

    /// <summary>All pairs, and left elements without a partner once.</summary>
    Left,

    /// <summary>Left elements that have a partner.</summary>
    Semi,

    /// <summary>Left elements that have none.</summary>
    Anti,
}

/// <summary>Two expressions of one type that have to be equal.</summary>
/// <param name="Left">Over the left side.</param>
/// <param name="Right">Over the right side.</param>
/// <param name="NullsMatch">Whether two nulls are equal: not in <c>Enumerable.Join</c>, but for <c>==</c>.</param>
public sealed record JoinKey(ScalarExpression Left, ScalarExpression Right, bool NullsMatch);

/// <summary>For each element of the input, in order, the elements of the inner side evaluated for it: <c>SelectMany</c>.</summary>
public sealed record Apply(LogicalOperator Input, LogicalOperator Inner) : LogicalOperator;

/// <summary>Groups by keys with their aggregates, in the order in which groups first occur; without keys one group, also over no rows.</summary>
/// <param name="Input">What is grouped.</param>
/// <param name="Keys">The keys, equal as <c>EqualityComparer&lt;T&gt;.Default</c> has it; null equals null.</param>
/// <param name="Aggregates">What is computed for each group.</param>
/// <param name="Group">The number under which <see cref="KeyRead"/>, <see cref="AggregateRead"/> and <see cref="GroupRows"/> name the group.</param>
public sealed record Aggregate(LogicalOperator Input, EquatableArray<ScalarExpression> Keys, EquatableArray<AggregateCall> Aggregates, int Group = 0) : LogicalOperator;

/// <summary>A stable order by several keys.</summary>
public sealed record Order(LogicalOperator Input, EquatableArray<OrderKey> Keys) : LogicalOperator;

/// <summary>The first <paramref name="Count"/> elements; none when it is 0 or negative.</summary>
public sealed record Limit(LogicalOperator Input, ScalarExpression Count) : LogicalOperator;

/// <summary>All but the first <paramref name="Count"/> elements.</summary>
public sealed record Skip(LogicalOperator Input, ScalarExpression Count) : LogicalOperator;

/// <summary>Elements up to the first for which the predicate is false (<c>TakeWhile</c>), or from that on (<c>SkipWhile</c>).</summary>
public sealed record While(LogicalOperator Input, ScalarExpression Predicate, bool Takes) : LogicalOperator;

/// <summary>A range of a stable order: what is before it and behind it is not sorted. Made by the optimiser.</summary>
/// <param name="Input">The elements.</param>
/// <param name="Keys">The order.</param>
/// <param name="Count">Elements of the range; none when it is 0 or negative.</param>
/// <param name="Skip">Elements before the range, or null.</param>
/// <param name="IsReversed">Whether the range is one of the reversed order, in which equal elements are reversed, too.</param>
public sealed record TopN(LogicalOperator Input, EquatableArray<OrderKey> Keys, ScalarExpression Count, ScalarExpression? Skip = null, bool IsReversed = false) : LogicalOperator;

/// <summary>The elements in opposite order.</summary>
public sealed record Reverse(LogicalOperator Input) : LogicalOperator;

/// <summary>The first element for each combination of keys.</summary>
public sealed record Distinct(LogicalOperator Input, EquatableArray<ScalarExpression> Keys) : LogicalOperator;

/// <summary>The elements of the left, then those of the right; only the columns are visible above.</summary>
public sealed record Concat(LogicalOperator Left, LogicalOperator Right, EquatableArray<ConcatColumn> Columns) : LogicalOperator;

/// <summary>A value variable that holds one expression for elements of the left and another, of the same type, for those of the right. A row counts as a value here.</summary>
public sealed record ConcatColumn(int Variable, string Name, ScalarExpression Left, ScalarExpression Right) : IPlanVariable
{
    PlanType IPlanVariable.Type => Left.Type;
}

/// <summary>The elements; if there are none, one whose variables hold their types' defaults.</summary>
/// <param name="Input">The elements.</param>
/// <param name="Match">The number of the <c>bool</c> value variable that is false for the element that stands for none.</param>
public sealed record DefaultIfEmpty(LogicalOperator Input, int Match) : LogicalOperator;

/// <summary>The value of each element; at the top of a plan or a subquery only.</summary>
/// <param name="Input">The elements.</param>
/// <param name="Result">The value.</param>
/// <param name="Key">The key, for dictionaries and look-ups.</param>
public sealed record Project(LogicalOperator Input, ScalarExpression Result, ScalarExpression? Key = null) : LogicalOperator;

/// <summary>A value variable with the expression that it holds.</summary>
public sealed record Binding(int Variable, string Name, ScalarExpression Value) : IPlanVariable
{
    PlanType IPlanVariable.Type => Value.Type;
}

/// <summary>A value variable.</summary>
public interface IPlanVariable
{
    /// <summary>Its number.</summary>
    int Variable { get; }

    /// <summary>Its name in text.</summary>
    string Name { get; }

    /// <summary>Its type.</summary>
    PlanType Type { get; }
}

/// <summary>One sort key. Values compare as <c>Comparer&lt;T&gt;.Default</c> does (strings by culture), or as the comparer does: a static member, a parameter or a new object, which reads no element.</summary>
public sealed record OrderKey(ScalarExpression Value, bool Descending, ScalarExpression? Comparer = null)
{
    /// <summary>Whether values other than texts are compared by a comparer.</summary>
    public bool ComparesValues => Comparer is not null && Value.Type.Kind != TypeKind.String;
}

/// <summary>One aggregate over the rows of a group. Meaning as in <c>System.Linq.Enumerable</c>, nulls and empty input included.</summary>
/// <param name="Kind">Which aggregate.</param>
/// <param name="Selector">The value per row; null for counts (unless they are distinct), Any and All. Of a fold the next accumulated value, over the row and value variable <paramref name="Accumulator"/>.</param>
/// <param name="Predicate">Rows that count; null for all. It is evaluated first: the selector only where it holds. For All, the condition itself.</param>
/// <param name="Type">The type of the result.</param>
/// <param name="IsDistinct">Whether each value of the selector counts once.</param>
/// <param name="Seed">Of a fold: the accumulated value before the first row; null when that is the first row's (<see cref="Selector"/> then runs from the second row on, and <paramref name="First"/> gives the first).</param>
/// <param name="First">Of a fold without seed: the value of the first row.</param>
/// <param name="Accumulator">Of a fold: the number of the value variable that holds what was accumulated.</param>
public sealed record AggregateCall(
    AggregateKind Kind,
    ScalarExpression? Selector,
    ScalarExpression? Predicate,
    PlanType Type,
    bool IsDistinct = false,
    ScalarExpression? Seed = null,
    ScalarExpression? First = null,
    int Accumulator = -1);

/// <summary>Aggregates.</summary>
public enum AggregateKind
{
    Count, LongCount, Sum, Min, Max, Average, Any, All,

    /// <summary>The value of the selector for the first row; the type's default when there is none.</summary>
    First,

    /// <summary><c>Aggregate(seed, (accumulated, row) => …)</c>.</summary>
    Fold,
}
