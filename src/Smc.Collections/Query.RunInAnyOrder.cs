using System.Runtime.CompilerServices;

#pragma warning disable SMC1001 // The calls below are the fallback.

namespace Smc.Collections;

/// <content>
/// The arities of <c>Run</c> for collections that come after values: two to four arguments, in any order. With more arguments the orders would be hundreds; there collections come first.
/// </content>
public static partial class Query
{
    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, TResult>(T1 arg1, Collection<TRow2> rows2, Func<T1, IEnumerable<TRow2>, TResult> query)
        where TRow2 : unmanaged => Run<T1, IEnumerable<TRow2>, TResult>(arg1, rows2, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, T3, TResult>(T1 arg1, Collection<TRow2> rows2, T3 arg3, Func<T1, IEnumerable<TRow2>, T3, TResult> query)
        where TRow2 : unmanaged => Run<T1, IEnumerable<TRow2>, T3, TResult>(arg1, rows2, arg3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, T2, TRow3, TResult>(T1 arg1, T2 arg2, Collection<TRow3> rows3, Func<T1, T2, IEnumerable<TRow3>, TResult> query)
        where TRow3 : unmanaged => Run<T1, T2, IEnumerable<TRow3>, TResult>(arg1, arg2, rows3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, TRow3, TResult>(Collection<TRow1> rows1, T2 arg2, Collection<TRow3> rows3, Func<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, TResult> query)
        where TRow1 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, TResult>(rows1, arg2, rows3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, TRow3, TResult>(T1 arg1, Collection<TRow2> rows2, Collection<TRow3> rows3, Func<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, TResult> query)
        where TRow2 : unmanaged where TRow3 : unmanaged => Run<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, TResult>(arg1, rows2, rows3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, T3, T4, TResult>(T1 arg1, Collection<TRow2> rows2, T3 arg3, T4 arg4, Func<T1, IEnumerable<TRow2>, T3, T4, TResult> query)
        where TRow2 : unmanaged => Run<T1, IEnumerable<TRow2>, T3, T4, TResult>(arg1, rows2, arg3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, T2, TRow3, T4, TResult>(T1 arg1, T2 arg2, Collection<TRow3> rows3, T4 arg4, Func<T1, T2, IEnumerable<TRow3>, T4, TResult> query)
        where TRow3 : unmanaged => Run<T1, T2, IEnumerable<TRow3>, T4, TResult>(arg1, arg2, rows3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, TRow3, T4, TResult>(Collection<TRow1> rows1, T2 arg2, Collection<TRow3> rows3, T4 arg4, Func<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, T4, TResult> query)
        where TRow1 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, T4, TResult>(rows1, arg2, rows3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, TRow3, T4, TResult>(T1 arg1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, Func<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, TResult> query)
        where TRow2 : unmanaged where TRow3 : unmanaged => Run<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, TResult>(arg1, rows2, rows3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, T2, T3, TRow4, TResult>(T1 arg1, T2 arg2, T3 arg3, Collection<TRow4> rows4, Func<T1, T2, T3, IEnumerable<TRow4>, TResult> query)
        where TRow4 : unmanaged => Run<T1, T2, T3, IEnumerable<TRow4>, TResult>(arg1, arg2, arg3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, TRow4, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, Collection<TRow4> rows4, Func<IEnumerable<TRow1>, T2, T3, IEnumerable<TRow4>, TResult> query)
        where TRow1 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, IEnumerable<TRow4>, TResult>(rows1, arg2, arg3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, T3, TRow4, TResult>(T1 arg1, Collection<TRow2> rows2, T3 arg3, Collection<TRow4> rows4, Func<T1, IEnumerable<TRow2>, T3, IEnumerable<TRow4>, TResult> query)
        where TRow2 : unmanaged where TRow4 : unmanaged => Run<T1, IEnumerable<TRow2>, T3, IEnumerable<TRow4>, TResult>(arg1, rows2, arg3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, TRow4, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, Collection<TRow4> rows4, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, IEnumerable<TRow4>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, IEnumerable<TRow4>, TResult>(rows1, rows2, arg3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, T2, TRow3, TRow4, TResult>(T1 arg1, T2 arg2, Collection<TRow3> rows3, Collection<TRow4> rows4, Func<T1, T2, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult> query)
        where TRow3 : unmanaged where TRow4 : unmanaged => Run<T1, T2, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult>(arg1, arg2, rows3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, TRow3, TRow4, TResult>(Collection<TRow1> rows1, T2 arg2, Collection<TRow3> rows3, Collection<TRow4> rows4, Func<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult> query)
        where TRow1 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, T2, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult>(rows1, arg2, rows3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<T1, TRow2, TRow3, TRow4, TResult>(T1 arg1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Func<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult> query)
        where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<T1, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult>(arg1, rows2, rows3, rows4, query);
}
