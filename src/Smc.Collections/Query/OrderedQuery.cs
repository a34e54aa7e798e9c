using System.Linq.Expressions;

namespace Smc.Collections;

/// <summary>A query whose elements are in an order, to which further keys can be added.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
public sealed class OrderedQuery<T> : Query<T>
{
    internal OrderedQuery(RecordedCall call, QueryOptions options, Func<IEnumerable<T>> linq)
        : base(call, options, linq)
    {
    }

    /// <inheritdoc cref="Enumerable.ThenBy{TSource, TKey}(IOrderedEnumerable{TSource}, Func{TSource, TKey})"/>
    public OrderedQuery<T> ThenBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        ThenOrdered(nameof(ThenBy), rows => ((IOrderedEnumerable<T>)rows).ThenBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.ThenBy{TSource, TKey}(IOrderedEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public OrderedQuery<T> ThenBy<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        ThenOrdered(nameof(ThenBy), rows => ((IOrderedEnumerable<T>)rows).ThenBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.ThenByDescending{TSource, TKey}(IOrderedEnumerable{TSource}, Func{TSource, TKey})"/>
    public OrderedQuery<T> ThenByDescending<TKey>(Expression<Func<T, TKey>> keySelector) =>
        ThenOrdered(nameof(ThenByDescending), rows => ((IOrderedEnumerable<T>)rows).ThenByDescending(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.ThenByDescending{TSource, TKey}(IOrderedEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public OrderedQuery<T> ThenByDescending<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        ThenOrdered(nameof(ThenByDescending), rows => ((IOrderedEnumerable<T>)rows).ThenByDescending(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);
}
