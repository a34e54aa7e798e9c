using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Smc.Collections;
using Smc.Data.Batches;
using Smc.Data.Loading;

namespace Smc.Data;

/// <summary>Loads data into collections, and reads collections and results as a <see cref="DbDataReader"/>.</summary>
public static class CollectionDataExtensions
{
    // Some cache lines of each column.
    private const int BatchRows = 1024;

    /// <summary>Adds a row for each row of a reader, or none at all: when one is refused, those before it are removed again.</summary>
    /// <remarks>
    /// Columns become the properties of their names (<see cref="LoadOptions{T}"/>). Numbers convert where nothing is lost, texts are parsed in their invariant form, as CSV needs it.
    /// The reader is read on the calling thread and is not closed; another thread adds the rows meanwhile. Other threads see rows before the load is complete; the reader itself, if it reads
    /// the collection, does not. O(rows), some hundred nanoseconds for each, and 8 bytes for each row until the load is complete.
    /// </remarks>
    /// <param name="collection">The collection.</param>
    /// <param name="reader">The source, before its first row. Its columns are read in the order of the properties, so it must not be opened for sequential access.</param>
    /// <param name="options">How columns become properties, or null for columns of the properties' names.</param>
    /// <param name="progress">Receives the number of rows added so far, after each batch and at the end.</param>
    /// <param name="cancellationToken">Gives up: the rows added so far are removed again.</param>
    /// <returns>The number of rows.</returns>
    /// <exception cref="DataLoadException">A column is missing, or a row cannot be loaded; it says which row and column.</exception>
    /// <exception cref="ArgumentException">The options leave out a property that has no default.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up; nothing was added.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public static long AddRange<T>(
        this Collection<T> collection, DbDataReader reader, LoadOptions<T>? options = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        ArgumentNullException.ThrowIfNull(reader);
        cancellationToken.ThrowIfCancellationRequested();
        using RowLoader<T> loader = new(collection, reader, options ?? new LoadOptions<T>(), progress, cancellationToken);
        return loader.Load();
    }

    /// <summary>As <see cref="AddRange{T}"/>; while the reader waits for its source, no thread is kept.</summary>
    /// <inheritdoc cref="AddRange{T}" path="/remarks|/param|/returns|/exception"/>
    public static async Task<long> AddRangeAsync<T>(
        this Collection<T> collection, DbDataReader reader, LoadOptions<T>? options = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        ArgumentNullException.ThrowIfNull(reader);
        cancellationToken.ThrowIfCancellationRequested();
        using RowLoader<T> loader = new(collection, reader, options ?? new LoadOptions<T>(), progress, cancellationToken);
        return await loader.LoadAsync().ConfigureAwait(false);
    }

    /// <summary>Reads the rows of a collection as a <see cref="DbDataReader"/>: for <c>DataTable.Load</c>, bulk copies into databases, mappers and reports.</summary>
    /// <remarks>
    /// Columns are the stored properties, except those that refer to rows: write a query that selects the keys that stand for them. Rows are copied in batches, so the reader holds nothing back
    /// while it waits. Rows that stay are read once; rows that are added or removed meanwhile may be read or not.
    /// </remarks>
    /// <param name="collection">The collection.</param>
    /// <exception cref="ObjectDisposedException">The collection has been disposed; also later, from <c>Read</c>.</exception>
    public static BatchDataReader AsDataReader<T>(this Collection<T> collection)
        where T : unmanaged => new(RowBatches.Of(collection, BatchRows));

    /// <summary>Reads the elements of a sequence, such as the result of a query, as a <see cref="DbDataReader"/>.</summary>
    /// <remarks>
    /// Columns are the public properties of the elements, with their names: anonymous objects, records and other types. Elements of value tuples have the columns <c>Item1</c>, <c>Item2</c>, …; numbers, texts and the
    /// like are one column named <c>Value</c>. Rows are as those of <see cref="AsDataReader{T}(Collection{T})"/>. The sequence is enumerated as the reader is read, one element for each <c>Read</c>.
    /// </remarks>
    /// <param name="rows">The elements.</param>
    /// <exception cref="NotSupportedException">The elements have no public properties.</exception>
    /// <exception cref="RowRemovedException">From <c>Read</c>: a row of the sequence has been removed.</exception>
    public static BatchDataReader AsDataReader<[DynamicallyAccessedMembers(ElementColumns.Members)] T>(this IEnumerable<T> rows) => new(RowBatches.Of(rows, capacity: 1));
}
