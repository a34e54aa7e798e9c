using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <content>The arities of <c>Run</c>: one to sixteen arguments.</content>
public static partial class Query
{
    /// <summary>Runs a query. All its inputs are arguments of this call.</summary>
    /// <remarks>
    /// The generator of this package replaces the call by a loop that it compiled from the lambda. The lambda itself then does not run.
    /// If the query cannot be compiled (the build says why: SMC1001 to SMC1003), or if an argument is not a <see cref="Collection{T}"/> at run time,
    /// the lambda runs as LINQ to Objects. The result is the same.
    /// Pass collections as <see cref="IEnumerable{T}"/>, and everything else that the query needs as further arguments. A
    /// <see langword="static"/> lambda cannot capture variables by mistake, and the call allocates nothing but the result.
    /// <code>
    /// static decimal Revenue(IEnumerable&lt;Sale&gt; items, DateOnly since) =&gt;
    ///     Query.Run(items, since, static (items, since) =&gt;
    ///         (from s in items where s.Date &gt;= since select s.Price * s.Discount).Sum());
    /// </code>
    /// </remarks>
    /// <typeparam name="T">The type of the argument.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="arg">The argument: a collection.</param>
    /// <param name="query">The query, a lambda written in place.</param>
    /// <returns>The result of the query.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="query"/> is null.</exception>
    /// <exception cref="RowRemovedException">The query reads a row that was removed.</exception>
    public static TResult Run<T, TResult>(T arg, Func<T, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg);
        return query(arg);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, TResult>(T1 arg1, T2 arg2, Func<T1, T2, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2);
        return query(arg1, arg2);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, TResult>(T1 arg1, T2 arg2, T3 arg3, Func<T1, T2, T3, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3);
        return query(arg1, arg2, arg3);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, TResult>(T1 arg1, T2 arg2, T3 arg3, T4 arg4, Func<T1, T2, T3, T4, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4);
        return query(arg1, arg2, arg3, arg4);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5,
        Func<T1, T2, T3, T4, T5, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5);
        return query(arg1, arg2, arg3, arg4, arg5);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6,
        Func<T1, T2, T3, T4, T5, T6, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6);
        return query(arg1, arg2, arg3, arg4, arg5, arg6);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7,
        Func<T1, T2, T3, T4, T5, T6, T7, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11, T12 arg12,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11, T12 arg12, T13 arg13,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11, T12 arg12, T13 arg13, T14 arg14,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11, T12 arg12, T13 arg13, T14 arg14, T15 arg15,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15);
    }

    /// <inheritdoc cref="Run{T, TResult}(T, Func{T, TResult})"/>
    public static TResult Run<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, TResult>(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10, T11 arg11, T12 arg12, T13 arg13, T14 arg14, T15 arg15, T16 arg16,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, TResult> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        QueryMeter.CountFallback();
        using SnapshotScope view = SnapshotScope.Enter(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15, arg16);
        return query(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15, arg16);
    }
}
