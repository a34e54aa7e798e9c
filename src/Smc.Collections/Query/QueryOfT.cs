using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <summary>
/// Ordinary LINQ on a collection: each operator records what was asked, and the call that ends the query (<c>ToList</c>, <c>Sum</c>, <c>First</c>,
/// <c>foreach</c>, …) runs it. Variables that the lambdas capture have the values of that moment. Immutable, so parts can be shared and built upon.
/// </summary>
/// <remarks>
/// <code>
/// var late = orders.Where(o =&gt; o.Date &lt; cutoff &amp;&amp; o.IsLarge).OrderBy(o =&gt; o.Date).Take(10).ToList();
///
/// Query&lt;Order&gt; found = orders;
/// if (customer != null) found = found.Where(o =&gt; o.Customer == customer);
/// </code>
/// A query that is written as one chain is compiled when the project is built. One that is put together at run time is compiled at run time when
/// the package <c>Smc.QueryCompiler.Runtime</c> is there, else it runs as LINQ to Objects. The answer is the same in all three.
/// The lambdas are expression trees, so C# permits no statements, patterns, <c>?.</c> or tuple literals in them; <see cref="Query.Run{T, TResult}(T, Func{T, TResult})"/>
/// permits them all. Operators and overloads that are not here are those of <c>System.Linq</c>. Of comparers, the default ones and those of <see cref="StringComparer"/> are compiled.
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

    /// <summary>The same query with other options in place of those that it had.</summary>
    /// <param name="options">The options; they hold for the whole query when it runs.</param>
    public Query<T> WithOptions(QueryOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new Query<T>(new RecordedCall(nameof(WithOptions), this, [], typeof(IEnumerable<T>)), options, Rows);
    }

    /// <summary>The same query, which ends with <see cref="OperationCanceledException"/> soon after the token is cancelled: a block of rows later.</summary>
    public Query<T> WithCancellation(CancellationToken cancellationToken) => WithOptions(Options with { CancellationToken = cancellationToken });

    /// <summary>The same query on up to that many threads. Results and their order are those of one thread.</summary>
    /// <remarks>
    /// Compiled queries share the scans of collections of at least eight blocks among the caller and threads of the pool: filters, look-ups in joins,
    /// and what is collected for joins, groups, aggregates, orders and lists. One thread does what comes after that, what may end early
    /// (<c>First</c>, <c>Any</c>, <c>Take</c>) and what depends on the order of additions (sums of <c>double</c>, <c>Aggregate</c> with a function). LINQ to Objects has one thread.
    /// Methods of yours that the query calls are called from several threads at once.
    /// </remarks>
    /// <param name="degree">The number of threads, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is not positive.</exception>
    public Query<T> WithDegreeOfParallelism(int degree)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(degree);
        return WithOptions(Options with { DegreeOfParallelism = degree });
    }

    /// <summary>What the run-time compiler makes of the query, as text: its plan and the C# of its kernel, or why it is LINQ to Objects. Runs nothing.</summary>
    /// <remarks>A chain that was compiled with the project has its kernel among the generated files; without a run-time compiler this does not know of it.</remarks>
    public string Explain() => QueryExplanation.Of(ToListCall);

    /// <summary>
    /// Runs the query as <c>ToList()</c> would, on one thread, with a kernel that counts, and says what it did: the plan with the elements that each operator passed on, how it went about it,
    /// and the time of its scans. Or why the query is LINQ to Objects; then nothing runs.
    /// </summary>
    /// <remarks>
    /// The kernel is compiled for this call (a few hundred milliseconds) and, where the query has no effects, run twice, so that the time is not that of the first run. Counting costs
    /// some time, too: times of <c>ExplainAnalyze</c> say where a query's time goes, not how fast it is.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The query was cancelled.</exception>
    public string ExplainAnalyze() => QueryExplanation.OfRun(ToListCall);

    private RecordedCall ToListCall => new(nameof(ToList), this, [], typeof(List<T>));

    /// <summary>The elements for operators of <c>System.Linq</c> and of others. The query runs when they are enumerated.</summary>
    public IEnumerable<T> AsEnumerable() => this;

    /// <summary>Runs the query.</summary>
    IEnumerator<T> IEnumerable<T>.GetEnumerator()
    {
        using KernelOptions.Scope scope = KernelOptions.Use(Options);
        return QueryProvider.Current is { } provider && provider.TryRun<List<T>>(new RecordedCall(nameof(ToList), this, [], typeof(List<T>)), out List<T>? elements)
            ? elements.GetEnumerator()
            : Rows().GetEnumerator();
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<T>)this).GetEnumerator();

    /// <summary>The query as LINQ to Objects.</summary>
    private protected virtual IEnumerable<T> Rows() => _linq!();

    /// <summary>Records an operator.</summary>
    private Query<TResult> Then<TResult>(string name, Func<IEnumerable<T>, IEnumerable<TResult>> linq, params RecordedArgument[] arguments) =>
        new(new RecordedCall(name, this, arguments, typeof(IEnumerable<TResult>)), Options, () => linq(Rows()));

    private protected OrderedQuery<T> ThenOrdered(string name, Func<IEnumerable<T>, IEnumerable<T>> linq, params RecordedArgument[] arguments) =>
        new(new RecordedCall(name, this, arguments, typeof(IOrderedEnumerable<T>)), Options, () => linq(Rows()));

    /// <summary>Ends the query: runs it compiled or as LINQ to Objects.</summary>
    private protected TResult End<TResult>(string name, Func<IEnumerable<T>, TResult> linq, params RecordedArgument[] arguments)
    {
        using KernelOptions.Scope scope = KernelOptions.Use(Options);
        return QueryProvider.Current is { } provider && provider.TryRun<TResult>(new RecordedCall(name, this, arguments, typeof(TResult)), out TResult? result)
            ? result
            : linq(Rows());
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
