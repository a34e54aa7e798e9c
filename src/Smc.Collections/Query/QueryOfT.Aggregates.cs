using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Aggregates and questions.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.Count{TSource}(IEnumerable{TSource})"/>
    public int Count() =>
        End(nameof(Count), rows => rows.Count());

    /// <inheritdoc cref="Enumerable.Count{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public int Count(Expression<Func<T, bool>> predicate) =>
        End(nameof(Count), rows => rows.Count(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.LongCount{TSource}(IEnumerable{TSource})"/>
    public long LongCount() =>
        End(nameof(LongCount), rows => rows.LongCount());

    /// <inheritdoc cref="Enumerable.LongCount{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public long LongCount(Expression<Func<T, bool>> predicate) =>
        End(nameof(LongCount), rows => rows.LongCount(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.Any{TSource}(IEnumerable{TSource})"/>
    public bool Any() =>
        End(nameof(Any), rows => rows.Any());

    /// <inheritdoc cref="Enumerable.Any{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public bool Any(Expression<Func<T, bool>> predicate) =>
        End(nameof(Any), rows => rows.Any(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.All{TSource}"/>
    public bool All(Expression<Func<T, bool>> predicate) =>
        End(nameof(All), rows => rows.All(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.Contains{TSource}(IEnumerable{TSource}, TSource)"/>
    public bool Contains(T value) =>
        End(nameof(Contains), rows => rows.Contains(value), Value(value));

    /// <inheritdoc cref="Enumerable.Contains{TSource}(IEnumerable{TSource}, TSource, IEqualityComparer{TSource}?)"/>
    public bool Contains(T value, IEqualityComparer<T>? comparer) =>
        End(nameof(Contains), rows => rows.Contains(value, comparer), [Value(value), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.SequenceEqual{TSource}(IEnumerable{TSource}, IEnumerable{TSource})"/>
    public bool SequenceEqual(IEnumerable<T> second) =>
        End(nameof(SequenceEqual), rows => rows.SequenceEqual(second), GivenRows(second));

    /// <inheritdoc cref="Enumerable.SequenceEqual{TSource}(IEnumerable{TSource}, IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public bool SequenceEqual(IEnumerable<T> second, IEqualityComparer<T>? comparer) =>
        End(nameof(SequenceEqual), rows => rows.SequenceEqual(second, comparer), [GivenRows(second), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.Min{TSource}(IEnumerable{TSource})"/>
    public T? Min() =>
        End(nameof(Min), rows => rows.Min());

    /// <inheritdoc cref="Enumerable.Min{TSource, TResult}(IEnumerable{TSource}, Func{TSource, TResult})"/>
    public TResult? Min<TResult>(Expression<Func<T, TResult>> selector) =>
        End(nameof(Min), rows => rows.Min(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.MinBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public T? MinBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        End(nameof(MinBy), rows => rows.MinBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.MinBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public T? MinBy<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        End(nameof(MinBy), rows => rows.MinBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.Max{TSource}(IEnumerable{TSource})"/>
    public T? Max() =>
        End(nameof(Max), rows => rows.Max());

    /// <inheritdoc cref="Enumerable.Max{TSource, TResult}(IEnumerable{TSource}, Func{TSource, TResult})"/>
    public TResult? Max<TResult>(Expression<Func<T, TResult>> selector) =>
        End(nameof(Max), rows => rows.Max(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.MaxBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public T? MaxBy<TKey>(Expression<Func<T, TKey>> keySelector) =>
        End(nameof(MaxBy), rows => rows.MaxBy(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.MaxBy{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IComparer{TKey}?)"/>
    public T? MaxBy<TKey>(Expression<Func<T, TKey>> keySelector, IComparer<TKey>? comparer) =>
        End(nameof(MaxBy), rows => rows.MaxBy(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Ordering(comparer)]);

    /// <inheritdoc cref="Enumerable.Aggregate{TSource}(IEnumerable{TSource}, Func{TSource, TSource, TSource})"/>
    public T Aggregate(Expression<Func<T, T, T>> func) =>
        End(nameof(Aggregate), rows => rows.Aggregate(QueryLambda.Compile(func)), Given(func));

    /// <inheritdoc cref="Enumerable.Aggregate{TSource, TAccumulate}(IEnumerable{TSource}, TAccumulate, Func{TAccumulate, TSource, TAccumulate})"/>
    public TAccumulate Aggregate<TAccumulate>(TAccumulate seed, Expression<Func<TAccumulate, T, TAccumulate>> func) =>
        End(nameof(Aggregate), rows => rows.Aggregate(seed, QueryLambda.Compile(func)), Value(seed), Given(func));

    /// <inheritdoc cref="Enumerable.Aggregate{TSource, TAccumulate, TResult}(IEnumerable{TSource}, TAccumulate, Func{TAccumulate, TSource, TAccumulate}, Func{TAccumulate, TResult})"/>
    public TResult Aggregate<TAccumulate, TResult>(
        TAccumulate seed, Expression<Func<TAccumulate, T, TAccumulate>> func, Expression<Func<TAccumulate, TResult>> resultSelector) =>
        End(nameof(Aggregate), rows => rows.Aggregate(seed, QueryLambda.Compile(func), QueryLambda.Compile(resultSelector)), Value(seed), Given(func), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, int})"/>
    public int Sum(Expression<Func<T, int>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, int?})"/>
    public int? Sum(Expression<Func<T, int?>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, long})"/>
    public long Sum(Expression<Func<T, long>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, long?})"/>
    public long? Sum(Expression<Func<T, long?>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, float})"/>
    public float Sum(Expression<Func<T, float>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, float?})"/>
    public float? Sum(Expression<Func<T, float?>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, double})"/>
    public double Sum(Expression<Func<T, double>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, double?})"/>
    public double? Sum(Expression<Func<T, double?>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, decimal})"/>
    public decimal Sum(Expression<Func<T, decimal>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Sum{TSource}(IEnumerable{TSource}, Func{TSource, decimal?})"/>
    public decimal? Sum(Expression<Func<T, decimal?>> selector) =>
        End(nameof(Sum), rows => rows.Sum(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, int})"/>
    public double Average(Expression<Func<T, int>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, int?})"/>
    public double? Average(Expression<Func<T, int?>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, long})"/>
    public double Average(Expression<Func<T, long>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, long?})"/>
    public double? Average(Expression<Func<T, long?>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, float})"/>
    public float Average(Expression<Func<T, float>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, float?})"/>
    public float? Average(Expression<Func<T, float?>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, double})"/>
    public double Average(Expression<Func<T, double>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, double?})"/>
    public double? Average(Expression<Func<T, double?>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, decimal})"/>
    public decimal Average(Expression<Func<T, decimal>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Average{TSource}(IEnumerable{TSource}, Func{TSource, decimal?})"/>
    public decimal? Average(Expression<Func<T, decimal?>> selector) =>
        End(nameof(Average), rows => rows.Average(QueryLambda.Compile(selector)), Given(selector));
}
