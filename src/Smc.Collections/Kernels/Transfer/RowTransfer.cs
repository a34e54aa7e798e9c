using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What generated code offers for moving rows of a tabular type in and out many at a time.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RowTransfer
{
    private readonly TabularProperty[] _properties;

    private protected RowTransfer(TabularProperty[] properties) => _properties = properties;

    /// <summary>The stored properties as declared.</summary>
    public ReadOnlySpan<TabularProperty> Properties => _properties;

    /// <summary>The detached record of the type.</summary>
    public RowRecord? Record { get; init; }

    /// <summary>Makes room for rows, with a column for each property.</summary>
    public RowBuffer CreateBuffer(int capacity) => new(Array.ConvertAll(_properties, property => property.CreateBuffer(capacity)));

    /// <summary>Makes an empty collection, whose declared indexes its maker builds later.</summary>
    internal abstract IRowOwner CreateCollection(CollectionOptions options);

    /// <summary>Adds a row with the defaults of all properties to a collection of the type.</summary>
    internal abstract ulong AddDefault(IRowOwner collection);

    /// <summary>The handle of a row of the type.</summary>
    /// <exception cref="ArgumentException"><typeparamref name="TRow"/> is another type.</exception>
    public abstract ulong HandleOf<TRow>(TRow row);

    /// <summary>Copies some properties of a row, all in one critical section, to an index of a buffer that has a column for each.</summary>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    /// <exception cref="RowRemovedException">The row has been removed.</exception>
    public abstract void Copy(ulong handle, ReadOnlySpan<TabularProperty> properties, RowBuffer rows, int index);
}

/// <inheritdoc/>
/// <typeparam name="T">The tabular type.</typeparam>
/// <param name="add">Adds a row.</param>
/// <param name="properties">The stored properties as declared.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowTransfer<T>(RowAdder<T> add, params TabularProperty[] properties) : RowTransfer(properties)
    where T : unmanaged
{
    /// <summary>That of the row type.</summary>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not a tabular type.</exception>
    public static RowTransfer<T> Instance { get; } = (RowTransfer<T>)TabularSchema.Of<T>().Transfer;

    /// <summary>Adds the row whose values are at an index of the buffer.</summary>
    internal T Add(Collection<T> collection, RowBuffer rows, int index) => add(collection, rows, index);

    /// <inheritdoc/>
    internal override IRowOwner CreateCollection(CollectionOptions options) => new Collection<T>(options, hasDeclaredIndexes: false);

    /// <inheritdoc/>
    internal override ulong AddDefault(IRowOwner collection) => RowHandle.ToBits(((Collection<T>)collection).AddNew(static _ => { }));

    /// <inheritdoc/>
    public override ulong HandleOf<TRow>(TRow row) => row is T same ? RowHandle.ToBits(same) : throw new ArgumentException($"The row is a {typeof(TRow).Name}, not a {typeof(T).Name}.", nameof(row));

    /// <inheritdoc/>
    public override void Copy(ulong handle, ReadOnlySpan<TabularProperty> properties, RowBuffer rows, int index)
    {
        ArgumentNullException.ThrowIfNull(rows);
        using OpenRow open = OpenRow.Enter<T>(handle);
        for (int i = 0; i < properties.Length; i++)
            properties[i].Copy(in open, rows.Columns[i], index);
    }
}

/// <summary>Adds the row whose values are at an index of the buffer.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate T RowAdder<T>(Collection<T> collection, RowBuffer rows, int index)
    where T : unmanaged;
