using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Grouping.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public Query<IGrouping<TKey, T>> GroupBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Query<IGrouping<TKey, T>> GroupBy<TKey>(Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement})"/>
    public Query<IGrouping<TKey, TElement>> GroupBy<TKey, TElement>(Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector)), Given(keySelector), Given(elementSelector));

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement}, IEqualityComparer{TKey}?)"/>
    public Query<IGrouping<TKey, TElement>> GroupBy<TKey, TElement>(
        Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector), comparer), [Given(keySelector), Given(elementSelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TResult}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TKey, IEnumerable{TSource}, TResult})"/>
    public Query<TResult> GroupBy<TKey, TResult>(Expression<Func<T, TKey>> keySelector, Expression<Func<TKey, IEnumerable<T>, TResult>> resultSelector) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(resultSelector)), Given(keySelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TResult}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TKey, IEnumerable{TSource}, TResult}, IEqualityComparer{TKey}?)"/>
    public Query<TResult> GroupBy<TKey, TResult>(
        Expression<Func<T, TKey>> keySelector, Expression<Func<TKey, IEnumerable<T>, TResult>> resultSelector, IEqualityComparer<TKey>? comparer) =>
        Then(nameof(GroupBy), rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(resultSelector), comparer), [Given(keySelector), Given(resultSelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TElement, TResult}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement}, Func{TKey, IEnumerable{TElement}, TResult})"/>
    public Query<TResult> GroupBy<TKey, TElement, TResult>(
        Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector, Expression<Func<TKey, IEnumerable<TElement>, TResult>> resultSelector) => Then(
            nameof(GroupBy),
            rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector), QueryLambda.Compile(resultSelector)),
            Given(keySelector), Given(elementSelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.GroupBy{TSource, TKey, TElement, TResult}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement}, Func{TKey, IEnumerable{TElement}, TResult}, IEqualityComparer{TKey}?)"/>
    public Query<TResult> GroupBy<TKey, TElement, TResult>(
        Expression<Func<T, TKey>> keySelector,
        Expression<Func<T, TElement>> elementSelector,
        Expression<Func<TKey, IEnumerable<TElement>, TResult>> resultSelector,
        IEqualityComparer<TKey>? comparer) => Then(
            nameof(GroupBy),
            rows => rows.GroupBy(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector), QueryLambda.Compile(resultSelector), comparer),
            [Given(keySelector), Given(elementSelector), Given(resultSelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.CountBy{TSource, TKey}"/>
    public Query<KeyValuePair<TKey, int>> CountBy<TKey>(Expression<Func<T, TKey>> keySelector)
        where TKey : notnull =>
        Then(nameof(CountBy), rows => rows.CountBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.CountBy{TSource, TKey}"/>
    public Query<KeyValuePair<TKey, int>> CountBy<TKey>(Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? keyComparer)
        where TKey : notnull =>
        Then(nameof(CountBy), rows => rows.CountBy(QueryLambda.Compile(keySelector), keyComparer), [Given(keySelector), .. Comparing(keyComparer)]);

    /// <inheritdoc cref="Enumerable.AggregateBy{TSource, TKey, TAccumulate}(IEnumerable{TSource}, Func{TSource, TKey}, TAccumulate, Func{TAccumulate, TSource, TAccumulate}, IEqualityComparer{TKey}?)"/>
    public Query<KeyValuePair<TKey, TAccumulate>> AggregateBy<TKey, TAccumulate>(
        Expression<Func<T, TKey>> keySelector, TAccumulate seed, Expression<Func<TAccumulate, T, TAccumulate>> func)
        where TKey : notnull =>
        Then(nameof(AggregateBy), rows => rows.AggregateBy(QueryLambda.Compile(keySelector), seed, QueryLambda.Compile(func)), Given(keySelector), Value(seed), Given(func));

    /// <inheritdoc cref="Enumerable.AggregateBy{TSource, TKey, TAccumulate}(IEnumerable{TSource}, Func{TSource, TKey}, TAccumulate, Func{TAccumulate, TSource, TAccumulate}, IEqualityComparer{TKey}?)"/>
    public Query<KeyValuePair<TKey, TAccumulate>> AggregateBy<TKey, TAccumulate>(
        Expression<Func<T, TKey>> keySelector, TAccumulate seed, Expression<Func<TAccumulate, T, TAccumulate>> func, IEqualityComparer<TKey>? keyComparer)
        where TKey : notnull => Then(
            nameof(AggregateBy),
            rows => rows.AggregateBy(QueryLambda.Compile(keySelector), seed, QueryLambda.Compile(func), keyComparer),
            [Given(keySelector), Value(seed), Given(func), .. Comparing(keyComparer)]);
}
