using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Restriction and projection.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.Where{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public Query<T> Where(Expression<Func<T, bool>> predicate) =>
        Then(nameof(Where), rows => rows.Where(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.Where{TSource}(IEnumerable{TSource}, Func{TSource, int, bool})"/>
    public Query<T> Where(Expression<Func<T, int, bool>> predicate) =>
        Then(nameof(Where), rows => rows.Where(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.Select{TSource, TResult}(IEnumerable{TSource}, Func{TSource, TResult})"/>
    public Query<TResult> Select<TResult>(Expression<Func<T, TResult>> selector) =>
        Then(nameof(Select), rows => rows.Select(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.Select{TSource, TResult}(IEnumerable{TSource}, Func{TSource, int, TResult})"/>
    public Query<TResult> Select<TResult>(Expression<Func<T, int, TResult>> selector) =>
        Then(nameof(Select), rows => rows.Select(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.SelectMany{TSource, TResult}(IEnumerable{TSource}, Func{TSource, IEnumerable{TResult}})"/>
    public Query<TResult> SelectMany<TResult>(Expression<Func<T, IEnumerable<TResult>>> selector) =>
        Then(nameof(SelectMany), rows => rows.SelectMany(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.SelectMany{TSource, TResult}(IEnumerable{TSource}, Func{TSource, int, IEnumerable{TResult}})"/>
    public Query<TResult> SelectMany<TResult>(Expression<Func<T, int, IEnumerable<TResult>>> selector) =>
        Then(nameof(SelectMany), rows => rows.SelectMany(QueryLambda.Compile(selector)), Given(selector));

    /// <inheritdoc cref="Enumerable.SelectMany{TSource, TCollection, TResult}(IEnumerable{TSource}, Func{TSource, IEnumerable{TCollection}}, Func{TSource, TCollection, TResult})"/>
    public Query<TResult> SelectMany<TCollection, TResult>(
        Expression<Func<T, IEnumerable<TCollection>>> collectionSelector, Expression<Func<T, TCollection, TResult>> resultSelector) =>
        Then(nameof(SelectMany), rows => rows.SelectMany(QueryLambda.Compile(collectionSelector), QueryLambda.Compile(resultSelector)), Given(collectionSelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.SelectMany{TSource, TCollection, TResult}(IEnumerable{TSource}, Func{TSource, int, IEnumerable{TCollection}}, Func{TSource, TCollection, TResult})"/>
    public Query<TResult> SelectMany<TCollection, TResult>(
        Expression<Func<T, int, IEnumerable<TCollection>>> collectionSelector, Expression<Func<T, TCollection, TResult>> resultSelector) =>
        Then(nameof(SelectMany), rows => rows.SelectMany(QueryLambda.Compile(collectionSelector), QueryLambda.Compile(resultSelector)), Given(collectionSelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.OfType{TResult}"/>
    public Query<TResult> OfType<TResult>() =>
        Then(nameof(OfType), rows => rows.OfType<TResult>());

    /// <inheritdoc cref="Enumerable.Cast{TResult}"/>
    public Query<TResult> Cast<TResult>() =>
        Then(nameof(Cast), rows => rows.Cast<TResult>());

    /// <inheritdoc cref="Enumerable.Index{TSource}"/>
    public Query<(int Index, T Item)> Index() =>
        Then(nameof(Index), rows => rows.Index());
}
