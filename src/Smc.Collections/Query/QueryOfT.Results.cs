using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Whole results.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.ToList{TSource}"/>
    public List<T> ToList() =>
        End(nameof(ToList), rows => rows.ToList());

    /// <inheritdoc cref="Enumerable.ToArray{TSource}"/>
    public T[] ToArray() =>
        End(nameof(ToArray), rows => rows.ToArray());

    /// <inheritdoc cref="Enumerable.ToHashSet{TSource}(IEnumerable{TSource})"/>
    public HashSet<T> ToHashSet() =>
        End(nameof(ToHashSet), rows => rows.ToHashSet());

    /// <inheritdoc cref="Enumerable.ToHashSet{TSource}(IEnumerable{TSource}, IEqualityComparer{TSource}?)"/>
    public HashSet<T> ToHashSet(IEqualityComparer<T>? comparer) =>
        End(nameof(ToHashSet), rows => rows.ToHashSet(comparer), [.. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.ToDictionary{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public Dictionary<TKey, T> ToDictionary<TKey>(Expression<Func<T, TKey>> keySelector)
        where TKey : notnull =>
        End(nameof(ToDictionary), rows => rows.ToDictionary(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.ToDictionary{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public Dictionary<TKey, T> ToDictionary<TKey>(Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer)
        where TKey : notnull =>
        End(nameof(ToDictionary), rows => rows.ToDictionary(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.ToDictionary{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement})"/>
    public Dictionary<TKey, TElement> ToDictionary<TKey, TElement>(Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector)
        where TKey : notnull =>
        End(nameof(ToDictionary), rows => rows.ToDictionary(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector)), Given(keySelector), Given(elementSelector));

    /// <inheritdoc cref="Enumerable.ToDictionary{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement}, IEqualityComparer{TKey}?)"/>
    public Dictionary<TKey, TElement> ToDictionary<TKey, TElement>(
        Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector, IEqualityComparer<TKey>? comparer)
        where TKey : notnull =>
        End(nameof(ToDictionary), rows => rows.ToDictionary(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector), comparer), [Given(keySelector), Given(elementSelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.ToLookup{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey})"/>
    public ILookup<TKey, T> ToLookup<TKey>(Expression<Func<T, TKey>> keySelector) =>
        End(nameof(ToLookup), rows => rows.ToLookup(QueryLambda.Compile(keySelector)), Given(keySelector));

    /// <inheritdoc cref="Enumerable.ToLookup{TSource, TKey}(IEnumerable{TSource}, Func{TSource, TKey}, IEqualityComparer{TKey}?)"/>
    public ILookup<TKey, T> ToLookup<TKey>(Expression<Func<T, TKey>> keySelector, IEqualityComparer<TKey>? comparer) =>
        End(nameof(ToLookup), rows => rows.ToLookup(QueryLambda.Compile(keySelector), comparer), [Given(keySelector), .. Comparing(comparer)]);

    /// <inheritdoc cref="Enumerable.ToLookup{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement})"/>
    public ILookup<TKey, TElement> ToLookup<TKey, TElement>(Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector) =>
        End(nameof(ToLookup), rows => rows.ToLookup(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector)), Given(keySelector), Given(elementSelector));

    /// <inheritdoc cref="Enumerable.ToLookup{TSource, TKey, TElement}(IEnumerable{TSource}, Func{TSource, TKey}, Func{TSource, TElement}, IEqualityComparer{TKey}?)"/>
    public ILookup<TKey, TElement> ToLookup<TKey, TElement>(
        Expression<Func<T, TKey>> keySelector, Expression<Func<T, TElement>> elementSelector, IEqualityComparer<TKey>? comparer) =>
        End(nameof(ToLookup), rows => rows.ToLookup(QueryLambda.Compile(keySelector), QueryLambda.Compile(elementSelector), comparer), [Given(keySelector), Given(elementSelector), .. Comparing(comparer)]);
}
