using System.ComponentModel;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Adds rows batch by batch, or none of them: what is not completed is taken back. Code that runs in the same asynchronous flow meanwhile does not see the rows.</summary>
/// <typeparam name="T">The tabular type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class BulkLoad<T> : IDisposable
    where T : unmanaged
{
    private readonly Collection<T> _collection;
    private readonly MemoryContext _context;
    private readonly RowTransfer<T> _transfer = RowTransfer<T>.Instance;
    private readonly BulkAddition<T> _added;
    private bool _isComplete;

    /// <summary>Begins.</summary>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public BulkLoad(Collection<T> collection)
    {
        _context = CollectionAccess.Context(collection);
        _collection = collection;
        _added = new BulkAddition<T>(_context);
    }

    /// <summary>The rows added so far: where <see cref="Add"/> threw, the number of the row that was refused.</summary>
    public int Count => _added.Count;

    /// <summary>Adds the first rows of a buffer.</summary>
    /// <exception cref="ArgumentException">A value cannot be stored exactly. The rows before it are added.</exception>
    /// <exception cref="OverflowException">A decimal has too many digits.</exception>
    /// <exception cref="DuplicateKeyException">Another row has its key of a unique index.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up.</exception>
    public void Add(RowBuffer rows, int count)
    {
        ArgumentNullException.ThrowIfNull(rows);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, rows.Capacity);
        CriticalSection section = _context.AdditionGate.Enter();
        try
        {
            _added.Add(_collection, rows, count, _transfer);
        }
        finally
        {
            section.Dispose();
        }
    }

    /// <summary>Tells which column of a row made <see cref="Add"/> throw.</summary>
    /// <returns>Its number, or -1 where none can be named.</returns>
    public int ColumnOf(Exception refusal, RowBuffer rows, int index)
    {
        ArgumentNullException.ThrowIfNull(rows);
        return refusal switch
        {
            DuplicateKeyException duplicate => ColumnOf(KeyOf(duplicate.IndexName)),
            ArgumentException { ParamName: { } property } => ColumnOf(property),
            OverflowException => ColumnWithTooManyDigits(rows, index),
            _ => -1,
        };
    }

    /// <summary>Keeps the rows.</summary>
    public void Complete() => _isComplete = true;

    /// <summary>Takes the rows back unless they are to be kept.</summary>
    public void Dispose()
    {
        using (_added)
        {
            if (_isComplete || _context.IsDisposed)
                return;
            _collection.TakeBack(_added.Rows);
        }
    }

    private string? KeyOf(string? indexName)
    {
        foreach (RowIndex index in _context.Indexes.All ?? [])
        {
            if (index is KeyedIndex keyed && string.Equals(keyed.Name, indexName, StringComparison.Ordinal))
                return keyed.Parts[0].Name;
        }

        return null;
    }

    private int ColumnOf(string? property)
    {
        ReadOnlySpan<TabularProperty> properties = _transfer.Properties;
        for (int i = 0; i < properties.Length; i++)
        {
            if (string.Equals(properties[i].Traits.Name, property, StringComparison.Ordinal))
                return i;
        }

        return -1;
    }

    private static int ColumnWithTooManyDigits(RowBuffer rows, int index)
    {
        for (int i = 0; i < rows.Columns.Length; i++)
        {
            ColumnTraits traits = rows.Columns[i].Traits;
            if (traits.Precision > 0 && rows.Columns[i].ValueAt(index) is decimal value
                && Math.Abs(traits.Rounds ? decimal.Round(value, traits.Scale) : value) >= (decimal)ScaledDecimal.PowerOfTen(traits.Precision - traits.Scale))
            {
                return i;
            }
        }

        return -1;
    }
}
