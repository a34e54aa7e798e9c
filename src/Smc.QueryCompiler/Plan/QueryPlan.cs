namespace Smc.QueryCompiler.Plan;

/// <summary>
/// A query as the compiler knows it: value equality, no Roslyn symbol, no <c>System.Type</c>, no expression tree.
/// Start reading the compiler here; then <see cref="LogicalOperator"/> and <see cref="ScalarExpression"/>.
/// </summary>
/// <param name="Name">A C# identifier for the kernel, from the member that holds the query.</param>
/// <param name="Parameters">The parameters of the query in their order, collections and scalars.</param>
/// <param name="Shapes">Every tabular type that the plan reads, by full name.</param>
/// <param name="Root">The operators.</param>
/// <param name="Terminal">What the caller gets.</param>
/// <param name="ResultType">The C# type of the whole result. Its text is empty when it holds an anonymous type: then the kernel returns <c>object</c>.</param>
/// <param name="QueryText">The query as the user wrote it; the comment above its kernel.</param>
public sealed record QueryPlan(
    string Name,
    EquatableArray<PlanParameter> Parameters,
    EquatableArray<TabularShape> Shapes,
    LogicalOperator Root,
    Terminal Terminal,
    PlanType ResultType,
    string QueryText)
{
    /// <summary>
    /// What the expressions of the plan can raise, as the optimizer found, or the kernel in place of what the query raises. A kernel evaluates some things that LINQ does not come to, and others in another order:
    /// whoever runs it lets LINQ to Objects decide what is raised when something is.
    /// </summary>
    public Raised Raises { get; init; }

    /// <summary>Whether the plan can raise an exception.</summary>
    public bool CanRaise => Raises != Raised.Nothing;

    /// <summary>As <see cref="Subquery.Comparer"/>.</summary>
    public string? Comparer { get; init; }

    /// <summary>As <see cref="Subquery.IsOfMatches"/>.</summary>
    public bool IsOfMatches { get; init; }

    /// <summary>The places of the reads as they were translated: plans that read in other places are other plans, though their expressions are equal (<see cref="ColumnRead.Place"/>).</summary>
    public EquatableArray<int> Places { get; init; } = EquatableArray<int>.Empty;

    /// <summary>Whether sums of decimals come in the order of the query. As long as none rounds the order does not matter; where one does, the plain variant adds.</summary>
    public bool SumsInOrder { get; init; }

    /// <summary>The optimized plan of the kernel's plain variant, where it is not this one: that with <see cref="SumsInOrder"/>.</summary>
    public QueryPlan? Plain { get; init; }

    /// <summary>Plans for the fast variant in which another collection is scanned, the first for whose condition holds when the query runs; this one when none does.</summary>
    public EquatableArray<OtherSide> OtherSides { get; init; } = EquatableArray<OtherSide>.Empty;

    public TabularShape Shape(string fullName) => Shapes.First(s => s.FullName == fullName);
}

/// <summary>A parameter of a query.</summary>
/// <param name="Index">Its position.</param>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its declared C# type, such as <c>IEnumerable&lt;Sale&gt;</c> or <c>DateOnly</c>.</param>
/// <param name="RowShape">For a collection the full name of its row type, else null.</param>
public sealed record PlanParameter(int Index, string Name, PlanType Type, string? RowShape);

/// <summary>A plan for when a collection on the right of a join has far more rows than those on the left: it is scanned, and the left goes into the table.</summary>
/// <param name="Larger">The collection parameter that is scanned.</param>
/// <param name="Smaller">Those of each of which it has more than <see cref="OtherSide.Factor"/> times the rows.</param>
/// <param name="Plan">The plan.</param>
public sealed record OtherSide(int Larger, EquatableArray<int> Smaller, QueryPlan Plan)
{
    /// <summary>Sides of about one size stay as the query has them.</summary>
    public const int Factor = 2;
}

/// <summary>How a query ends.</summary>
public enum Terminal
{
    /// <summary>A new <c>List&lt;T&gt;</c> of the elements.</summary>
    List,

    /// <summary>A list of the elements as an <c>IEnumerable&lt;T&gt;</c>, which several rows of a result may share.</summary>
    Sequence,

    /// <summary>A new array of the elements.</summary>
    Array,

    /// <summary>The value of the one group of an <see cref="Aggregate"/> without keys.</summary>
    Scalar,

    /// <summary>The first element; throws as <c>Enumerable.First</c> does.</summary>
    First,

    /// <summary>The first element or the default value.</summary>
    FirstOrDefault,

    /// <summary>The only element; throws as <c>Enumerable.Single</c> does.</summary>
    Single,

    /// <summary>The only element or the default value; throws when there are several.</summary>
    SingleOrDefault,

    /// <summary>Whether there is an element.</summary>
    Any,

    /// <summary>The last element; throws as <c>Enumerable.Last</c> does.</summary>
    Last,

    /// <summary>The last element or the default value.</summary>
    LastOrDefault,

    /// <summary>The first element (of those after a <see cref="Skip"/>); throws as <c>Enumerable.ElementAt</c> does.</summary>
    ElementAt,

    /// <summary>A new <c>HashSet&lt;T&gt;</c> of the elements.</summary>
    HashSet,

    /// <summary>A new <c>Dictionary&lt;TKey, T&gt;</c>; throws when a key is null or comes twice.</summary>
    Dictionary,

    /// <summary>A new <c>ILookup&lt;TKey, T&gt;</c>.</summary>
    Lookup,
}
