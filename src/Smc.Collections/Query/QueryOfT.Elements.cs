using System.Linq.Expressions;

namespace Smc.Collections;

/// <content>Single elements.</content>
public partial class Query<T>
{
    /// <inheritdoc cref="Enumerable.First{TSource}(IEnumerable{TSource})"/>
    public T First() =>
        End(nameof(First), rows => rows.First());

    /// <inheritdoc cref="Enumerable.First{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T First(Expression<Func<T, bool>> predicate) =>
        End(nameof(First), rows => rows.First(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.FirstOrDefault{TSource}(IEnumerable{TSource})"/>
    public T? FirstOrDefault() =>
        End(nameof(FirstOrDefault), rows => rows.FirstOrDefault());

    /// <inheritdoc cref="Enumerable.FirstOrDefault{TSource}(IEnumerable{TSource}, TSource)"/>
    public T FirstOrDefault(T defaultValue) =>
        End(nameof(FirstOrDefault), rows => rows.FirstOrDefault(defaultValue), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.FirstOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T? FirstOrDefault(Expression<Func<T, bool>> predicate) =>
        End(nameof(FirstOrDefault), rows => rows.FirstOrDefault(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.FirstOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool}, TSource)"/>
    public T FirstOrDefault(Expression<Func<T, bool>> predicate, T defaultValue) =>
        End(nameof(FirstOrDefault), rows => rows.FirstOrDefault(QueryLambda.Compile(predicate), defaultValue), Given(predicate), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.Last{TSource}(IEnumerable{TSource})"/>
    public T Last() =>
        End(nameof(Last), rows => rows.Last());

    /// <inheritdoc cref="Enumerable.Last{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T Last(Expression<Func<T, bool>> predicate) =>
        End(nameof(Last), rows => rows.Last(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.LastOrDefault{TSource}(IEnumerable{TSource})"/>
    public T? LastOrDefault() =>
        End(nameof(LastOrDefault), rows => rows.LastOrDefault());

    /// <inheritdoc cref="Enumerable.LastOrDefault{TSource}(IEnumerable{TSource}, TSource)"/>
    public T LastOrDefault(T defaultValue) =>
        End(nameof(LastOrDefault), rows => rows.LastOrDefault(defaultValue), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.LastOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T? LastOrDefault(Expression<Func<T, bool>> predicate) =>
        End(nameof(LastOrDefault), rows => rows.LastOrDefault(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.LastOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool}, TSource)"/>
    public T LastOrDefault(Expression<Func<T, bool>> predicate, T defaultValue) =>
        End(nameof(LastOrDefault), rows => rows.LastOrDefault(QueryLambda.Compile(predicate), defaultValue), Given(predicate), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.Single{TSource}(IEnumerable{TSource})"/>
    public T Single() =>
        End(nameof(Single), rows => rows.Single());

    /// <inheritdoc cref="Enumerable.Single{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T Single(Expression<Func<T, bool>> predicate) =>
        End(nameof(Single), rows => rows.Single(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.SingleOrDefault{TSource}(IEnumerable{TSource})"/>
    public T? SingleOrDefault() =>
        End(nameof(SingleOrDefault), rows => rows.SingleOrDefault());

    /// <inheritdoc cref="Enumerable.SingleOrDefault{TSource}(IEnumerable{TSource}, TSource)"/>
    public T SingleOrDefault(T defaultValue) =>
        End(nameof(SingleOrDefault), rows => rows.SingleOrDefault(defaultValue), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.SingleOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool})"/>
    public T? SingleOrDefault(Expression<Func<T, bool>> predicate) =>
        End(nameof(SingleOrDefault), rows => rows.SingleOrDefault(QueryLambda.Compile(predicate)), Given(predicate));

    /// <inheritdoc cref="Enumerable.SingleOrDefault{TSource}(IEnumerable{TSource}, Func{TSource, bool}, TSource)"/>
    public T SingleOrDefault(Expression<Func<T, bool>> predicate, T defaultValue) =>
        End(nameof(SingleOrDefault), rows => rows.SingleOrDefault(QueryLambda.Compile(predicate), defaultValue), Given(predicate), Value(defaultValue));

    /// <inheritdoc cref="Enumerable.ElementAt{TSource}(IEnumerable{TSource}, int)"/>
    public T ElementAt(int index) =>
        End(nameof(ElementAt), rows => rows.ElementAt(index), Value(index));

    /// <inheritdoc cref="Enumerable.ElementAt{TSource}(IEnumerable{TSource}, Index)"/>
    public T ElementAt(Index index) =>
        End(nameof(ElementAt), rows => rows.ElementAt(index), Value(index));

    /// <inheritdoc cref="Enumerable.ElementAtOrDefault{TSource}(IEnumerable{TSource}, int)"/>
    public T? ElementAtOrDefault(int index) =>
        End(nameof(ElementAtOrDefault), rows => rows.ElementAtOrDefault(index), Value(index));

    /// <inheritdoc cref="Enumerable.ElementAtOrDefault{TSource}(IEnumerable{TSource}, Index)"/>
    public T? ElementAtOrDefault(Index index) =>
        End(nameof(ElementAtOrDefault), rows => rows.ElementAtOrDefault(index), Value(index));
}
