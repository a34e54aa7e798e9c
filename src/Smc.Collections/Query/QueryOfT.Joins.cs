using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Joins. The other side may be a collection, another query, or any sequence.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.Join{TOuter, TInner, TKey, TResult}(IEnumerable{TOuter}, IEnumerable{TInner}, Func{TOuter, TKey}, Func{TInner, TKey}, Func{TOuter, TInner, TResult})"/>
    public Query<TResult> Join<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T, TInner, TResult>> resultSelector) => Then(
            nameof(Join),
            rows => rows.Join(inner, QueryLambda.Compile(outerKeySelector), QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(resultSelector)),
            GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.Join{TOuter, TInner, TKey, TResult}(IEnumerable{TOuter}, IEnumerable{TInner}, Func{TOuter, TKey}, Func{TInner, TKey}, Func{TOuter, TInner, TResult}, IEqualityComparer{TKey}?)"/>
    public Query<TResult> Join<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T, TInner, TResult>> resultSelector,
        IEqualityComparer<TKey>? comparer) => Then(
            nameof(Join),
            rows => rows.Join(inner, QueryLambda.Compile(outerKeySelector), QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(resultSelector), comparer),
            [GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector), .. Comparing(comparer)]);

    /// <summary>Pairs with elements of another sequence that have an equal key; elements without a partner come once, with the default of <typeparamref name="TInner"/>.</summary>
    /// <typeparam name="TInner">The elements of the other sequence.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TResult">The elements of the result.</typeparam>
    /// <param name="inner">The other sequence.</param>
    /// <param name="outerKeySelector">The key of an element of this query; a null key has no partner.</param>
    /// <param name="innerKeySelector">The key of an element of the other sequence.</param>
    /// <param name="resultSelector">What a pair becomes.</param>
    public Query<TResult> LeftJoin<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T, TInner?, TResult>> resultSelector) => Then(
            nameof(LeftJoin),
            rows => OuterJoin(rows, inner, QueryLambda.Compile(outerKeySelector), QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(resultSelector)),
            GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector));

    /// <summary>Pairs with elements of another sequence that have an equal key; those of the other sequence without a partner come once, with the default of <typeparamref name="T"/>.</summary>
    /// <inheritdoc cref="LeftJoin{TInner, TKey, TResult}" path="/typeparam|/param"/>
    public Query<TResult> RightJoin<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T?, TInner, TResult>> resultSelector) => Then(
            nameof(RightJoin),
            rows =>
            {
                Func<T?, TInner, TResult> result = QueryLambda.Compile(resultSelector);
                return OuterJoin(inner, rows, QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(outerKeySelector), (right, left) => result(left, right));
            },
            GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.GroupJoin{TOuter, TInner, TKey, TResult}(IEnumerable{TOuter}, IEnumerable{TInner}, Func{TOuter, TKey}, Func{TInner, TKey}, Func{TOuter, IEnumerable{TInner}, TResult})"/>
    public Query<TResult> GroupJoin<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T, IEnumerable<TInner>, TResult>> resultSelector) => Then(
            nameof(GroupJoin),
            rows => rows.GroupJoin(inner, QueryLambda.Compile(outerKeySelector), QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(resultSelector)),
            GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector));

    /// <inheritdoc cref="Enumerable.GroupJoin{TOuter, TInner, TKey, TResult}(IEnumerable{TOuter}, IEnumerable{TInner}, Func{TOuter, TKey}, Func{TInner, TKey}, Func{TOuter, IEnumerable{TInner}, TResult}, IEqualityComparer{TKey}?)"/>
    public Query<TResult> GroupJoin<TInner, TKey, TResult>(
        IEnumerable<TInner> inner,
        Expression<Func<T, TKey>> outerKeySelector,
        Expression<Func<TInner, TKey>> innerKeySelector,
        Expression<Func<T, IEnumerable<TInner>, TResult>> resultSelector,
        IEqualityComparer<TKey>? comparer) => Then(
            nameof(GroupJoin),
            rows => rows.GroupJoin(inner, QueryLambda.Compile(outerKeySelector), QueryLambda.Compile(innerKeySelector), QueryLambda.Compile(resultSelector), comparer),
            [GivenRows(inner), Given(outerKeySelector), Given(innerKeySelector), Given(resultSelector), .. Comparing(comparer)]);

    // Enumerable has LeftJoin since .NET 10 only.
    private static IEnumerable<TResult> OuterJoin<TOuter, TInner, TKey, TResult>(
        IEnumerable<TOuter> outer, IEnumerable<TInner> inner, Func<TOuter, TKey> outerKey, Func<TInner, TKey> innerKey, Func<TOuter, TInner?, TResult> result) =>
        outer.GroupJoin(inner, outerKey, innerKey, (element, partners) => (element, partners))
            .SelectMany(group => group.partners.DefaultIfEmpty(), (group, partner) => result(group.element, partner));
}
