using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Set operations, and sequences put together.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.Distinct{TSource}(IEnumerable{TSource})"/>
    public Query<T> Distinct() =>
        Then(nameof(Distinct), rows => rows.Distinct());

    /// <inheritdoc cref="Enumerable.Distinct{TSource}(IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public Query<T> Distinct(IEqualityComparer<T>? comparer) =>
        Then(nameof(Distinct), rows => rows.Distinct(comparer), [.. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.DistinctBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public Query<T> DistinctBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        Then(nameof(DistinctBy), rows => rows.DistinctBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.DistinctBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Query<T> DistinctBy<TKey>(Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(DistinctBy), rows => rows.DistinctBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Union{TSource}(IEnumerable{TSource}, IEnumerable{TSource})"/>
    public Query<T> Union(IEnumerable<T> second) =>
        Then(nameof(Union), rows => rows.Union(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.Union{TSource}(IEnumerable{TSource}, IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public Query<T> Union(IEnumerable<T> second, IEqualityComparer<T>? comparer) =>
        Then(nameof(Union), rows => rows.Union(second, comparer), [GivenRows(second), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Intersect{TSource}(IEnumerable{TSource}, IEnumerable{TSource})"/>
    public Query<T> Intersect(IEnumerable<T> second) =>
        Then(nameof(Intersect), rows => rows.Intersect(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.Intersect{TSource}(IEnumerable{TSource}, IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public Query<T> Intersect(IEnumerable<T> second, IEqualityComparer<T>? comparer) =>
        Then(nameof(Intersect), rows => rows.Intersect(second, comparer), [GivenRows(second), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Except{TSource}(IEnumerable{TSource}, IEnumerable{TSource})"/>
    public Query<T> Except(IEnumerable<T> second) =>
        Then(nameof(Except), rows => rows.Except(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.Except{TSource}(IEnumerable{TSource}, IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public Query<T> Except(IEnumerable<T> second, IEqualityComparer<T>? comparer) =>
        Then(nameof(Except), rows => rows.Except(second, comparer), [GivenRows(second), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Concat{TSource}(IEnumerable{TSource}, IEnumerable{TSource})"/>
    public Query<T> Concat(IEnumerable<T> second) =>
        Then(nameof(Concat), rows => rows.Concat(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.UnionBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TSource}, Func{TSource, TKey})"/>
    public Query<T> UnionBy<TKey>(IEnumerable<T> second, Expression<Func<T, TKey>> keySelector) =>
        Then(nameof(UnionBy), rows => rows.UnionBy(second, QueryLambda.Compile(keySelector)), GivenRows(second), Given(keySelector));

    /// <inheritdoc cref="Enumerable.UnionBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TSource}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Query<T> UnionBy<TKey>(IEnumerable<T> second, Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(UnionBy), rows => rows.UnionBy(second, QueryLambda.Compile(keySelector), comparer), [GivenRows(second), Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.IntersectBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TKey}, Func{TSource, TKey})"/>
    public Query<T> IntersectBy<TKey>(IEnumerable<TKey> second, Expression<Func<T, TKey>> keySelector) =>
        Then(nameof(IntersectBy), rows => rows.IntersectBy(second, QueryLambda.Compile(keySelector)), GivenRows(second), Given(keySelector));

    /// <inheritdoc cref="Enumerable.IntersectBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TKey}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Query<T> IntersectBy<TKey>(IEnumerable<TKey> second, Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(IntersectBy), rows => rows.IntersectBy(second, QueryLambda.Compile(keySelector), comparer), [GivenRows(second), Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.ExceptBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TKey}, Func{TSource, TKey})"/>
    public Query<T> ExceptBy<TKey>(IEnumerable<TKey> second, Expression<Func<T, TKey>> keySelector) =>
        Then(nameof(ExceptBy), rows => rows.ExceptBy(second, QueryLambda.Compile(keySelector)), GivenRows(second), Given(keySelector));

    /// <inheritdoc cref="Enumerable.ExceptBy{TSource, TKey}(IEnumerable{TSource}, IEnumerable{TKey}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Query<T> ExceptBy<TKey>(IEnumerable<TKey> second, Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(ExceptBy), rows => rows.ExceptBy(second, QueryLambda.Compile(keySelector), comparer), [GivenRows(second), Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Zip{TFirst, TSecond}(IEnumerable{TFirst}, IEnumerable{TSecond})"/>
    public Query<(T First, TSecond Second)> Zip<TSecond>(IEnumerable<TSecond> second) =>
        Then(nameof(Zip), rows => rows.Zip(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.Zip{TFirst, TSecond, TResult}(IEnumerable{TFirst}, IEnumerable{TSecond}, Func{TFirst, TSecond, TResult})"/>
    public Query<TResult> Zip<TSecond, TResult>(IEnumerable<TSecond> second, Expression<Func<T, TSecond, TResult>> resultSelector) =>
        Then(nameof(Zip), rows => rows.Zip(second, QueryLambda.Compile(resultSelector)), GivenRows(second), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.Append{TSource}"/>
    public Query<T> Append(T element) =>
        Then(nameof(Append), rows => rows.Append(element), Value(element));

    /// <inheritdoc cref="Enumerable.Prepend{TSource}"/>
    public Query<T> Prepend(T element) =>
        Then(nameof(Prepend), rows => rows.Prepend(element), Value(element));

    /// <inheritdoc cref="Enumerable.DefaultIfEmpty{TSource}(IEnumerable{TSource})"/>
    public Query<T?> DefaultIfEmpty() =>
        Then(nameof(DefaultIfEmpty), rows => rows.DefaultIfEmpty());

    /// <inheritdoc cref="Enumerable.DefaultIfEmpty{TSource}(IEnumerable{TSource}, TSource)"/>
    public Query<T> DefaultIfEmpty(T defaultValue) =>
        Then(nameof(DefaultIfEmpty), rows => rows.DefaultIfEmpty(defaultValue), Value(defaultValue));
}
