using System.Runtime.CompilerServices;

#pragma warning disable SMC1001 // The calls below are the fallback.

namespace Smc.Collections;

/// <content>
/// The arities of <c>Run</c> for arguments that are declared as <see cref="Collection{T}"/>: the collections come first, then the values; one to eight arguments.
/// The lambda gets each collection as <see cref="IEnumerable{T}"/>, whose operators take delegates, so that all of C# is allowed in it.
/// </content>
public static partial class Query
{
    /// <summary>Runs a query. All its inputs are arguments of this call: the collections first, or in any order of up to four arguments.</summary>
    /// <remarks>
    /// The generator of this package replaces the call by a loop that it compiled from the lambda. The lambda itself then does not run.
    /// If the query cannot be compiled (the build says why: SMC1001 to SMC1003), or if the generator is turned off, the lambda runs as LINQ to Objects, also
    /// where <c>Smc.QueryCompiler.Runtime</c> is enabled. The result is the same.
    /// The lambda gets an <see cref="IEnumerable{T}"/>, so all of C# is allowed in it: statements, patterns, <c>?.</c>, tuples. Members of
    /// <see cref="Collection{T}"/> or <see cref="Query{T}"/> that <see cref="IEnumerable{T}"/> does not have (<c>WithOptions</c>) can be used, too; C# then
    /// treats the operators behind them as expression trees, with fewer constructs.
    /// <code>
    /// decimal revenue = Query.Run(items, since, static (items, since) =&gt;
    ///     (from s in items where s.Date &gt;= since select s.Price * s.Discount).Sum());
    /// </code>
    /// </remarks>
    /// <typeparam name="TRow">The row type.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="rows">The collection.</param>
    /// <param name="query">The query, a lambda written in place.</param>
    /// <returns>The result of the query.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="query"/> is null.</exception>
    /// <exception cref="RowRemovedException">The query reads a row that was removed.</exception>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow, TResult>(Collection<TRow> rows, Func<IEnumerable<TRow>, TResult> query)
        where TRow : unmanaged => Run<IEnumerable<TRow>, TResult>(rows, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, TResult>(Collection<TRow1> rows1, T2 arg2, Func<IEnumerable<TRow1>, T2, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, TResult>(rows1, arg2, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, TResult>(rows1, rows2, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, Func<IEnumerable<TRow1>, T2, T3, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, TResult>(rows1, arg2, arg3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, TResult>(rows1, rows2, arg3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, TResult>(rows1, rows2, rows3, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, T4, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, T4 arg4, Func<IEnumerable<TRow1>, T2, T3, T4, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, T4, TResult>(rows1, arg2, arg3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, T4, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, T4 arg4, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, TResult>(rows1, rows2, arg3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, T4, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, TResult>(rows1, rows2, rows3, arg4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, TResult>(rows1, rows2, rows3, rows4, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, T4, T5, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, Func<IEnumerable<TRow1>, T2, T3, T4, T5, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, T4, T5, TResult>(rows1, arg2, arg3, arg4, arg5, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, T4, T5, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, T4 arg4, T5 arg5, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, TResult>(rows1, rows2, arg3, arg4, arg5, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, T4, T5, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, T5 arg5, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, TResult>(rows1, rows2, rows3, arg4, arg5, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, T5, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, T5 arg5, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, TResult>(rows1, rows2, rows3, rows4, arg5, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, TResult>(rows1, rows2, rows3, rows4, rows5, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, T4, T5, T6, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, Func<IEnumerable<TRow1>, T2, T3, T4, T5, T6, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, T4, T5, T6, TResult>(rows1, arg2, arg3, arg4, arg5, arg6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, T4, T5, T6, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, TResult>(rows1, rows2, arg3, arg4, arg5, arg6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, T4, T5, T6, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, T5 arg5, T6 arg6, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, TResult>(rows1, rows2, rows3, arg4, arg5, arg6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, T5, T6, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, T5 arg5, T6 arg6, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, TResult>(rows1, rows2, rows3, rows4, arg5, arg6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, T6, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, T6 arg6, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, TResult>(rows1, rows2, rows3, rows4, rows5, arg6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, T4, T5, T6, T7, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, Func<IEnumerable<TRow1>, T2, T3, T4, T5, T6, T7, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, T4, T5, T6, T7, TResult>(rows1, arg2, arg3, arg4, arg5, arg6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, T4, T5, T6, T7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, T7, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, T7, TResult>(rows1, rows2, arg3, arg4, arg5, arg6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, T4, T5, T6, T7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, T7, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, T7, TResult>(rows1, rows2, rows3, arg4, arg5, arg6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, T5, T6, T7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, T5 arg5, T6 arg6, T7 arg7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, T7, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, T7, TResult>(rows1, rows2, rows3, rows4, arg5, arg6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, T6, T7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, T6 arg6, T7 arg7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, T7, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, T7, TResult>(rows1, rows2, rows3, rows4, rows5, arg6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, T7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, T7 arg7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, T7, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, T7, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, arg7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, TRow7, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, Collection<TRow7> rows7, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged where TRow7 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, rows7, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, T2, T3, T4, T5, T6, T7, T8, TResult>(Collection<TRow1> rows1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, T2, T3, T4, T5, T6, T7, T8, TResult> query)
        where TRow1 : unmanaged => Run<IEnumerable<TRow1>, T2, T3, T4, T5, T6, T7, T8, TResult>(rows1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, T3, T4, T5, T6, T7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, T7, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, T3, T4, T5, T6, T7, T8, TResult>(rows1, rows2, arg3, arg4, arg5, arg6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, T4, T5, T6, T7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, T7, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, T4, T5, T6, T7, T8, TResult>(rows1, rows2, rows3, arg4, arg5, arg6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, T5, T6, T7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, T7, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, T5, T6, T7, T8, TResult>(rows1, rows2, rows3, rows4, arg5, arg6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, T6, T7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, T6 arg6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, T7, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, T6, T7, T8, TResult>(rows1, rows2, rows3, rows4, rows5, arg6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, T7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, T7 arg7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, T7, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, T7, T8, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, arg7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, TRow7, T8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, Collection<TRow7> rows7, T8 arg8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, T8, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged where TRow7 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, T8, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, rows7, arg8, query);

    /// <inheritdoc cref="Run{TRow, TResult}(Collection{TRow}, Func{IEnumerable{TRow}, TResult})"/>
    [OverloadResolutionPriority(1)]
    public static TResult Run<TRow1, TRow2, TRow3, TRow4, TRow5, TRow6, TRow7, TRow8, TResult>(Collection<TRow1> rows1, Collection<TRow2> rows2, Collection<TRow3> rows3, Collection<TRow4> rows4, Collection<TRow5> rows5, Collection<TRow6> rows6, Collection<TRow7> rows7, Collection<TRow8> rows8, Func<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, IEnumerable<TRow8>, TResult> query)
        where TRow1 : unmanaged where TRow2 : unmanaged where TRow3 : unmanaged where TRow4 : unmanaged where TRow5 : unmanaged where TRow6 : unmanaged where TRow7 : unmanaged where TRow8 : unmanaged => Run<IEnumerable<TRow1>, IEnumerable<TRow2>, IEnumerable<TRow3>, IEnumerable<TRow4>, IEnumerable<TRow5>, IEnumerable<TRow6>, IEnumerable<TRow7>, IEnumerable<TRow8>, TResult>(rows1, rows2, rows3, rows4, rows5, rows6, rows7, rows8, query);
}
