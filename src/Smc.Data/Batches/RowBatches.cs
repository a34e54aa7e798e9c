using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Data.Batches;

/// <summary>Batches of the rows of collections and of the elements of sequences.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowBatches
{
    /// <summary>The rows of a collection, without the columns that refer to rows. Rows that are removed meanwhile may be left out.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="capacity">The most rows of a batch.</param>
    public static BatchSource Of<T>(Collection<T> collection, int capacity)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        return new CollectionBatches<T>(collection, capacity);
    }

    /// <summary>
    /// The elements of a sequence: rows without the columns that refer to rows, public properties of other objects (fields of tuples), or the elements themselves where they are
    /// numbers, texts or the like.
    /// </summary>
    /// <param name="rows">The sequence.</param>
    /// <param name="capacity">The most elements of a batch: so many are taken ahead.</param>
    public static BatchSource Of<[DynamicallyAccessedMembers(ElementColumns.Members)] T>(IEnumerable<T> rows, int capacity)
    {
        ArgumentNullException.ThrowIfNull(rows);
        return default(T) is ITabular row
            ? new RowSequenceBatches<T>(rows, row.Schema.Transfer, capacity)
            : new ElementBatches<T>(rows, ElementColumns.Of<T>(capacity));
    }

    internal static TabularProperty[] WithoutReferences(RowTransfer transfer)
    {
        TabularProperty[] properties = [.. transfer.Properties.ToArray().Where(property => !property.Traits.IsReference)];
        return properties.Length > 0 ? properties
            : throw new ArgumentException("The rows have no columns but references to other rows. Write a query that selects what stands for them.", nameof(transfer));
    }
}

/// <summary>The rows of a collection, copied block by block.</summary>
internal sealed class CollectionBatches<T>(Collection<T> collection, int capacity) : BatchSource
    where T : unmanaged
{
    private readonly RowBatchReader<T> _reader = new(collection, RowBatches.WithoutReferences(RowTransfer<T>.Instance), capacity);

    public override RowBuffer Rows => _reader.Rows;

    public override int Read() => _reader.Read();
}

/// <summary>Rows that somebody else enumerates: each is copied when its turn comes.</summary>
internal sealed class RowSequenceBatches<T> : BatchSource
{
    private readonly IEnumerable<T> _source;
    private readonly IEnumerator<T> _rows;
    private readonly RowTransfer _transfer;
    private readonly TabularProperty[] _properties;

    public RowSequenceBatches(IEnumerable<T> rows, RowTransfer transfer, int capacity)
    {
        _transfer = transfer;
        _properties = RowBatches.WithoutReferences(transfer);
        Rows = new RowBuffer(Array.ConvertAll(_properties, property => property.CreateBuffer(capacity)));
        _source = rows;
        _rows = rows.GetEnumerator();
    }

    public override RowBuffer Rows { get; }

    public override int Read()
    {
        // Rows that are seen through a snapshot have the values of its moment.
        using SnapshotScope moment = SnapshotScope.Enter(_source);
        int count = 0;
        while (count < Rows.Capacity && _rows.MoveNext())
            _transfer.Copy(_transfer.HandleOf(_rows.Current), _properties, Rows, count++);
        return count;
    }

    protected override void Dispose(bool disposing) => _rows.Dispose();
}

/// <summary>Elements of any other type.</summary>
internal sealed class ElementBatches<T>(IEnumerable<T> rows, ElementColumn<T>[] columns) : BatchSource
{
    private readonly IEnumerator<T> _rows = rows.GetEnumerator();

    public override RowBuffer Rows { get; } = new(Array.ConvertAll(columns, column => column.Buffer));

    public override int Read()
    {
        using SnapshotScope moment = SnapshotScope.Enter(rows);
        int count = 0;
        for (; count < Rows.Capacity && _rows.MoveNext(); count++)
        {
            T element = _rows.Current;
            if (element is null && columns is not [ElementItself<T>])
                throw new InvalidOperationException("An element of the sequence is null, and a row is not.");
            foreach (ElementColumn<T> column in columns)
                column.Copy(ref element, count);
        }

        return count;
    }

    protected override void Dispose(bool disposing) => _rows.Dispose();
}
