using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <summary>
/// A LINQ query on a collection. Each operator only records its arguments; the call that ends the query (<c>ToList</c>, <c>Sum</c>, <c>First</c>,
/// <c>foreach</c>, …) runs it. Captured variables have the values of that moment. Queries are immutable, so parts can be shared and extended.
/// </summary>
/// <remarks>
/// <para>Thread safety: any number of threads may use one query at once. A query is not a snapshot: while it runs, other threads go on, and it sees rows as <see cref="Collection{T}"/> says. For one
/// moment of one or several collections, query through <see cref="Snapshot.Of{T}"/>.</para>
/// <code>
/// var late = orders.Where(o =&gt; o.Date &lt; cutoff &amp;&amp; o.IsLarge).OrderBy(o =&gt; o.Date).Take(10).ToList();
///
/// Query&lt;Order&gt; found = orders;
/// if (customer != null) found = found.Where(o =&gt; o.Customer == customer);
/// </code>
/// A query is compiled when the project is built if its parts are in one expression, in one method as above, or in methods that this one calls. A query with parts elsewhere is
/// compiled at run time if the package <c>Smc.QueryCompiler.Runtime</c> is enabled; otherwise it runs as LINQ to Objects. The result is the same in all three cases.
/// The lambdas are expression trees, in which C# does not allow statements, patterns, <c>?.</c> or tuple literals. <see cref="Query.Run{T, TResult}(T, Func{T, TResult})"/>
/// allows all of them. Operators that are not here are those of <c>System.Linq</c>. Default comparers and those of <see cref="StringComparer"/> are compiled.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public partial class Query<T> : IRecordedQuery, IEnumerable<T>
{
    private readonly Func<IEnumerable<T>>? _linq;

    // The tree of 'a < b' over decimals or strings names no method: System.Linq.Expressions finds the operator by reflection, when it has not been trimmed.
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicMethods, typeof(decimal))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicMethods, typeof(string))]
    private protected Query()
    {
    }

    private protected Query(RecordedCall call, QueryOptions options, Func<IEnumerable<T>> linq)
    {
        Call = call;
        Options = options;
        _linq = linq;
    }

    /// <inheritdoc/>
    Type IRecordedQuery.ElementType => typeof(T);

    /// <inheritdoc/>
    RecordedCall? IRecordedQuery.Call => Call;

    /// <inheritdoc/>
    QueryOptions IRecordedQuery.Options => Options;

    private protected RecordedCall? Call { get; }

    private protected QueryOptions Options { get; } = QueryOptions.Default;

    /// <summary>Returns the same query with other options, which replace those that it had.</summary>
    /// <param name="options">The options, for the whole query.</param>
    public Query<T> WithOptions(QueryOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new Query<T>(new RecordedCall(nameof(WithOptions), this, [], typeof(IEnumerable<T>)), options, Rows);
    }

    /// <summary>Returns the same query with a cancellation token. After cancellation it throws <see cref="OperationCanceledException"/> within one block of rows.</summary>
    public Query<T> WithCancellation(CancellationToken cancellationToken) => WithOptions(Options with { CancellationToken = cancellationToken });

    /// <summary>Returns the same query for up to <paramref name="degree"/> threads. The result and its order are those of one thread.</summary>
    /// <remarks>
    /// The caller and thread-pool threads share scans: filters, look-ups in joins, and collecting elements for joins, groups, aggregates, orders and lists; then loops over groups, distinct
    /// and sorted elements. Another thread joins only if there are enough rows for it (<see cref="QueryOptions.MinRowsPerThread"/>). One thread runs everything else: operators that may
    /// stop early (<c>First</c>, <c>Any</c>, <c>Take</c>), results that depend on the order of additions (sums of <c>double</c>, <c>Aggregate</c> with a function), sorting itself, and
    /// LINQ to Objects. Your methods in the query are called from several threads at once.
    /// </remarks>
    /// <param name="degree">The number of threads, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is not positive.</exception>
    public Query<T> WithDegreeOfParallelism(int degree)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(degree);
        return WithOptions(Options with { DegreeOfParallelism = degree });
    }

    /// <summary>
    /// Returns the plan of the query. If the query was compiled when the project was built, the plan also shows the methods that its kernel uses; otherwise the C# that the run-time
    /// compiler generates follows, or the reason why the query runs as LINQ to Objects. The query is not run.
    /// </summary>
    public string Explain() => QueryExplanation.Of(ToListCall);

    /// <summary>
    /// Runs the query as <c>ToList()</c> would, on one thread, and returns its plan with the number of elements that each operator passed on, the methods it chose
    /// and the time of its scans. If the query runs as LINQ to Objects, returns the reason and runs nothing.
    /// </summary>
    /// <remarks>
    /// The query is compiled for this call (a few hundred milliseconds) and, if it has no side effects, run twice, so that the time is not that of the first run. Counting takes
    /// time, too: <c>ExplainAnalyze</c> shows where the time goes, not how fast the query is.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The query was cancelled.</exception>
    public string ExplainAnalyze() => QueryExplanation.OfRun(ToListCall);

    private RecordedCall ToListCall => new(nameof(ToList), this, [], typeof(List<T>));

    /// <summary>Returns the elements for operators of <c>System.Linq</c>. The query runs when they are enumerated.</summary>
    public IEnumerable<T> AsEnumerable() => this;

    /// <summary>Runs the query.</summary>
    IEnumerator<T> IEnumerable<T>.GetEnumerator()
    {
        using KernelOptions.Scope scope = KernelOptions.Use(Options);
        RecordedCall call = ToListCall;
        using SnapshotScope view = SnapshotScope.OfCall(call);
        if (QueryProvider.Current is { } provider && provider.TryRun<List<T>>(call, out List<T>? elements))
            return elements.GetEnumerator();
        IEnumerator<T> rows = CountedRows().GetEnumerator();
        return SnapshotScope.Of(this) is { } snapshot ? SnapshotRows.Through(snapshot, rows) : rows;
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<T>)this).GetEnumerator();

    /// <summary>The query as LINQ to Objects.</summary>
    private protected virtual IEnumerable<T> Rows() => _linq!();

    /// <summary>The query as LINQ to Objects, because it was not compiled.</summary>
    private IEnumerable<T> CountedRows()
    {
        QueryMeter.CountFallback();
        return Rows();
    }

    /// <summary>Records an operator.</summary>
    private Query<TResult> Then<TResult>(string name, Func<IEnumerable<T>, IEnumerable<TResult>> linq, params RecordedArgument[] arguments) =>
        new(new RecordedCall(name, this, arguments, typeof(IEnumerable<TResult>)), Options, () => linq(Rows()));

    private protected OrderedQuery<T> ThenOrdered(string name, Func<IEnumerable<T>, IEnumerable<T>> linq, params RecordedArgument[] arguments) =>
        new(new RecordedCall(name, this, arguments, typeof(IOrderedEnumerable<T>)), Options, () => linq(Rows()));

    /// <summary>Ends the query: runs it compiled or as LINQ to Objects.</summary>
    private protected TResult End<TResult>(string name, Func<IEnumerable<T>, TResult> linq, params RecordedArgument[] arguments)
    {
        using KernelOptions.Scope scope = KernelOptions.Use(Options);
        RecordedCall call = new(name, this, arguments, typeof(TResult));
        // LINQ to Objects reads rows through their properties.
        using SnapshotScope view = SnapshotScope.OfCall(call);
        return QueryProvider.Current is { } provider && provider.TryRun<TResult>(call, out TResult? result)
            ? result
            : linq(CountedRows());
    }

    internal TResult Ends<TResult>(string name, Func<IEnumerable<T>, TResult> linq) => End(name, linq);

    private protected static RecordedArgument Given(LambdaExpression? lambda, [CallerArgumentExpression(nameof(lambda))] string name = "")
    {
        ArgumentNullException.ThrowIfNull(lambda, name);
        return new RecordedArgument(name, lambda);
    }

    private static RecordedArgument GivenRows<TOther>(IEnumerable<TOther>? rows, [CallerArgumentExpression(nameof(rows))] string name = "")
    {
        ArgumentNullException.ThrowIfNull(rows, name);
        return new RecordedArgument(name, Expression.Constant(rows, typeof(IEnumerable<TOther>)));
    }

    /// <summary>A comparer as a kernel knows it: none for the default one, by its name for one of <see cref="StringComparer"/>, else the object, which keeps the query from being compiled.</summary>
    private protected static IEnumerable<RecordedArgument> Comparing<TKey>(IEqualityComparer<TKey>? comparer, [CallerArgumentExpression(nameof(comparer))] string name = "") =>
        comparer is null || comparer.Equals(EqualityComparer<TKey>.Default) ? [] : [new RecordedArgument(name, KnownComparer.Of(comparer) ?? Expression.Constant(comparer, typeof(IEqualityComparer<TKey>)))];

    /// <inheritdoc cref="Comparing{TKey}(IEqualityComparer{TKey}?, string)"/>
    private protected static IEnumerable<RecordedArgument> Ordering<TKey>(IComparer<TKey>? comparer, [CallerArgumentExpression(nameof(comparer))] string name = "") =>
        comparer is null || comparer.Equals(Comparer<TKey>.Default) ? [] : [new RecordedArgument(name, KnownComparer.Of(comparer) ?? Expression.Constant(comparer, typeof(IComparer<TKey>)))];

    private static RecordedArgument Value<TValue>(TValue value, [CallerArgumentExpression(nameof(value))] string name = "") =>
        new(name, Expression.Constant(value, typeof(TValue)));
}
