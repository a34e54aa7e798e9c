namespace Smc.Collections;

/// <content>The arities of <c>Compile</c>: one to sixteen parameters.</content>
public static partial class Query
{
    /// <summary>Returns a delegate that runs a query, to be called many times.</summary>
    /// <remarks>
    /// The generator of this package replaces the call, so that the delegate runs a loop compiled from the lambda. Keep the delegate
    /// in a <see langword="static"/> <see langword="readonly"/> field. If the query cannot be compiled (the build says why: SMC1001 to SMC1003),
    /// the delegate is the lambda itself and runs as LINQ to Objects. Calls with an argument that is not a <see cref="Collection{T}"/> do the same.
    /// <code>
    /// static readonly Func&lt;IEnumerable&lt;Sale&gt;, DateOnly, decimal&gt; Revenue = Query.Compile(
    ///     (IEnumerable&lt;Sale&gt; items, DateOnly since) =&gt; items.Where(s =&gt; s.Date &gt;= since).Sum(s =&gt; s.Price * s.Discount));
    /// </code>
    /// </remarks>
    /// <typeparam name="T">The type of the parameter.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="query">The query, a lambda written in place.</param>
    /// <returns>A delegate that runs the query.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="query"/> is null.</exception>
    public static Func<T, TResult> Compile<T, TResult>(Func<T, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, TResult> Compile<T1, T2, TResult>(Func<T1, T2, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, TResult> Compile<T1, T2, T3, TResult>(Func<T1, T2, T3, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, TResult> Compile<T1, T2, T3, T4, TResult>(Func<T1, T2, T3, T4, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, TResult> Compile<T1, T2, T3, T4, T5, TResult>(Func<T1, T2, T3, T4, T5, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, TResult> Compile<T1, T2, T3, T4, T5, T6, TResult>(
        Func<T1, T2, T3, T4, T5, T6, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }

    /// <inheritdoc cref="Compile{T, TResult}(Func{T, TResult})"/>
    public static Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, TResult> Compile<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, TResult>(
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query;
    }
}
