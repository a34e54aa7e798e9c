using System.Linq.Expressions;
using Smc.Collections;
using Smc.Data.Loading;

namespace Smc.Data;

/// <summary>How the columns of a source become the properties of rows. Without options each property takes the column of its name, in upper or lower case.</summary>
/// <remarks>
/// A property that has neither a column nor a word here is refused before the first row is read, so that no misspelt header leaves a property empty. Columns that no property
/// takes are ignored. Methods return the options themselves, for chains. Not for several threads at once while it is changed.
/// <code>
/// lines.AddRange(reader, new LoadOptions&lt;Line>()
///     .Reference(l => l.Order, ordersByKey, "l_orderkey")
///     .Column(l => l.Quantity, "l_quantity")
///     .Omit(l => l.Comment));
/// </code>
/// </remarks>
/// <typeparam name="T">The row type.</typeparam>
public sealed class LoadOptions<T>
    where T : unmanaged
{
    internal Dictionary<string, ColumnMapping> Mappings { get; } = new(StringComparer.Ordinal);

    internal Func<string, string>? Naming { get; private set; }

    /// <summary>
    /// The number of fields of the row that the source is at, if the source can tell and rows may have fewer or more than the header; null if not.
    /// For Sylvan's CSV reader: <c>() => csv.RowFieldCount</c>. A row with another number of fields than the header is refused.
    /// </summary>
    public Func<int>? FieldsInRow { get; set; }

    /// <summary>The rows that are read before they are added. Larger batches need more memory and are not faster.</summary>
    public int BatchSize
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            field = value;
        }
    } = 2048;

    /// <summary>Names the columns of properties that have no mapping of their own: <c>.Columns(property => "l_" + property)</c>.</summary>
    /// <param name="columnOf">From a property's name to a column's name, in upper or lower case.</param>
    public LoadOptions<T> Columns(Func<string, string> columnOf)
    {
        ArgumentNullException.ThrowIfNull(columnOf);
        Naming = columnOf;
        return this;
    }

    /// <summary>Takes a property from a column of another name.</summary>
    /// <param name="property">The property, <c>l => l.Quantity</c>.</param>
    /// <param name="column">The column's name, in upper or lower case.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Column<TValue>(Expression<Func<T, TValue>> property, string column)
    {
        ArgumentNullException.ThrowIfNull(column);
        return With(property, new NamedColumn(column));
    }

    /// <summary>Leaves a property at its default: what <c>Add</c> gives it when the argument is left out.</summary>
    /// <param name="property">The property, <c>l => l.Comment</c>.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Omit<TValue>(Expression<Func<T, TValue>> property) => With(property, new OmittedColumn());

    /// <summary>Finds the row that a property refers to by its key. A key that no row has is an error; a key that is null is no row.</summary>
    /// <param name="property">The property, <c>l => l.Order</c>.</param>
    /// <param name="index">The index over the other collection.</param>
    /// <param name="column">The name of the column with the key, in upper or lower case.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Reference<TTarget, TKey>(Expression<Func<T, TTarget>> property, UniqueIndex<TTarget, TKey> index, string column)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumn<TTarget, TKey>(Required(index), column));

    /// <inheritdoc cref="Reference{TTarget, TKey}(Expression{Func{T, TTarget}}, UniqueIndex{TTarget, TKey}, string)"/>
    public LoadOptions<T> Reference<TTarget, TKey>(Expression<Func<T, TTarget?>> property, UniqueIndex<TTarget, TKey> index, string column)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumn<TTarget, TKey>(Required(index), column));

    /// <summary>Finds the row that a property refers to by its key of two columns.</summary>
    /// <param name="property">The property, <c>o => o.Customer</c>.</param>
    /// <param name="index">The index over the other collection.</param>
    /// <param name="column1">The name of the column with the first part of the key.</param>
    /// <param name="column2">The name of the column with the second part.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2>(
        Expression<Func<T, TTarget>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2>> index, string column1, string column2)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2>(Required(index), column1, column2));

    /// <inheritdoc cref="Reference{TTarget, TKey1, TKey2}(Expression{Func{T, TTarget}}, UniqueIndex{TTarget, ValueTuple{TKey1, TKey2}}, string, string)"/>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2>(
        Expression<Func<T, TTarget?>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2>> index, string column1, string column2)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2>(Required(index), column1, column2));

    /// <summary>Finds the row that a property refers to by its key of three columns.</summary>
    /// <param name="property">The property, <c>o => o.Customer</c>.</param>
    /// <param name="index">The index over the other collection.</param>
    /// <param name="column1">The name of the column with the first part of the key.</param>
    /// <param name="column2">The name of the column with the second part.</param>
    /// <param name="column3">The name of the column with the third part.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2, TKey3>(
        Expression<Func<T, TTarget>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3>> index, string column1, string column2, string column3)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2, TKey3>(Required(index), column1, column2, column3));

    /// <inheritdoc cref="Reference{TTarget, TKey1, TKey2, TKey3}(Expression{Func{T, TTarget}}, UniqueIndex{TTarget, ValueTuple{TKey1, TKey2, TKey3}}, string, string, string)"/>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2, TKey3>(
        Expression<Func<T, TTarget?>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3>> index, string column1, string column2, string column3)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2, TKey3>(Required(index), column1, column2, column3));

    /// <summary>Finds the row that a property refers to by its key of four columns.</summary>
    /// <param name="property">The property, <c>o => o.Customer</c>.</param>
    /// <param name="index">The index over the other collection.</param>
    /// <param name="column1">The name of the column with the first part of the key.</param>
    /// <param name="column2">The name of the column with the second part.</param>
    /// <param name="column3">The name of the column with the third part.</param>
    /// <param name="column4">The name of the column with the fourth part.</param>
    /// <exception cref="ArgumentException">The expression is no property of the row.</exception>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2, TKey3, TKey4>(
        Expression<Func<T, TTarget>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index, string column1, string column2, string column3, string column4)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2, TKey3, TKey4>(Required(index), column1, column2, column3, column4));

    /// <inheritdoc cref="Reference{TTarget, TKey1, TKey2, TKey3, TKey4}(Expression{Func{T, TTarget}}, UniqueIndex{TTarget, ValueTuple{TKey1, TKey2, TKey3, TKey4}}, string, string, string, string)"/>
    public LoadOptions<T> Reference<TTarget, TKey1, TKey2, TKey3, TKey4>(
        Expression<Func<T, TTarget?>> property, UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index, string column1, string column2, string column3, string column4)
        where TTarget : unmanaged =>
        With(property, new ReferenceColumns<TTarget, TKey1, TKey2, TKey3, TKey4>(Required(index), column1, column2, column3, column4));

    private static UniqueIndex<TTarget, TKey> Required<TTarget, TKey>(UniqueIndex<TTarget, TKey> index)
        where TTarget : unmanaged
    {
        ArgumentNullException.ThrowIfNull(index);
        return index;
    }

    private LoadOptions<T> With(LambdaExpression property, ColumnMapping mapping)
    {
        ArgumentNullException.ThrowIfNull(property);
        if (property.Body is not MemberExpression { Member.Name: var name } member || member.Expression != property.Parameters[0])
            throw new ArgumentException($"'{property}' is not a property of {typeof(T).Name}. Write 'row => row.Property'.", nameof(property));
        Mappings[name] = mapping;
        return this;
    }
}
