using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Order, and parts of a sequence.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.OrderBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public OrderedQuery<T> OrderBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        ThenOrdered(nameof(OrderBy), rows => rows.OrderBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.OrderBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public OrderedQuery<T> OrderBy<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        ThenOrdered(nameof(OrderBy), rows => rows.OrderBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.OrderByDescending{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public OrderedQuery<T> OrderByDescending<TKey>(Expression<Func<T, TKey>> keySelector) =>
        ThenOrdered(nameof(OrderByDescending), rows => rows.OrderByDescending(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.OrderByDescending{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public OrderedQuery<T> OrderByDescending<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        ThenOrdered(nameof(OrderByDescending), rows => rows.OrderByDescending(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.Order{T}(IEnumerable{T})"/>
    public OrderedQuery<T> Order() =>
        ThenOrdered(nameof(Order), rows => rows.Order());

    /// <inheritdoc cref="Enumerable.Order{T}(IEnumerable{T}, IComparer{T}?)"/>
    public OrderedQuery<T> Order(IComparer<T>? comparer) =>
        ThenOrdered(nameof(Order), rows => rows.Order(comparer), [.. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.OrderDescending{T}(IEnumerable{T})"/>
    public OrderedQuery<T> OrderDescending() =>
        ThenOrdered(nameof(OrderDescending), rows => rows.OrderDescending());

    /// <inheritdoc cref="Enumerable.OrderDescending{T}(IEnumerable{T}, IComparer{T}?)"/>
    public OrderedQuery<T> OrderDescending(IComparer<T>? comparer) =>
        ThenOrdered(nameof(OrderDescending), rows => rows.OrderDescending(comparer), [.. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.Reverse{TSource}(IEnumerable{TSource})"/>
    public Query<T> Reverse() =>
        Then(nameof(Reverse), rows => rows.Reverse());

    /// <inheritdoc cref="Enumerable.Take{TSource}(IEnumerable{TSource}, int)"/>
    public Query<T> Take(int count) =>
        Then(nameof(Take), rows => rows.Take(count), Value(count));

    /// <inheritdoc cref="Enumerable.Take{TSource}(IEnumerable{TSource}, Range)"/>
    public Query<T> Take(Range range) =>
        Then(nameof(Take), rows => rows.Take(range), Value(range));

    /// <inheritdoc cref="Enumerable.Skip{TSource}(IEnumerable{TSource}, int)"/>
    public Query<T> Skip(int count) =>
        Then(nameof(Skip), rows => rows.Skip(count), Value(count));

    /// <inheritdoc cref="Enumerable.TakeLast{TSource}(IEnumerable{TSource}, int)"/>
    public Query<T> TakeLast(int count) =>
        Then(nameof(TakeLast), rows => rows.TakeLast(count), Value(count));

    /// <inheritdoc cref="Enumerable.SkipLast{TSource}(IEnumerable{TSource}, int)"/>
    public Query<T> SkipLast(int count) =>
        Then(nameof(SkipLast), rows => rows.SkipLast(count), Value(count));

    /// <inheritdoc cref="Enumerable.TakeWhile{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public Query<T> TakeWhile(Expression<Func<T, bool>> predicate) =>
        Then(nameof(TakeWhile), rows => rows.TakeWhile(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.TakeWhile{TSource}(IEnumerable{TSource}, Func{TSource, int, bool})"/>
    public Query<T> TakeWhile(Expression<Func<T, int, bool>> predicate) =>
        Then(nameof(TakeWhile), rows => rows.TakeWhile(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.SkipWhile{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public Query<T> SkipWhile(Expression<Func<T, bool>> predicate) =>
        Then(nameof(SkipWhile), rows => rows.SkipWhile(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.SkipWhile{TSource}(IEnumerable{TSource}, Func{TSource, int, bool})"/>
    public Query<T> SkipWhile(Expression<Func<T, int, bool>> predicate) =>
        Then(nameof(SkipWhile), rows => rows.SkipWhile(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.Chunk{TSource}"/>
    public Query<T[]> Chunk(int size) =>
        Then(nameof(Chunk), rows => rows.Chunk(size), Value(size));
}
