using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Adds many rows, or none: what the generated <c>AddRange</c> methods call.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowBatch
{
    // The sections of the single rows nest in one around them, which ends so that memory can be re-used meanwhile. Progress is reported outside of it.
    private const int RowsPerSection = 1024;

    /// <summary>Adds a row for each element.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="rows">The elements.</param>
    /// <param name="added">Takes the new rows in the order of the elements; empty when nobody wants them.</param>
    /// <param name="progress">Receives the number of rows added so far, or null.</param>
    /// <param name="cancellationToken">Gives up; the rows added so far are removed again.</param>
    /// <param name="add">Adds one.</param>
    /// <exception cref="ArgumentException"><paramref name="added"/> is not empty and shorter than <paramref name="rows"/>.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void AddRange<T, TData>(
        Collection<T> collection, ReadOnlySpan<TData> rows, Span<T> added, IProgress<long>? progress, CancellationToken cancellationToken, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        MemoryContext context = CollectionAccess.Context(collection);
        if (!added.IsEmpty && added.Length < rows.Length)
            throw new ArgumentException($"There is room for {added.Length} rows, but {rows.Length} are added.", nameof(added));
        T[]? own = added.IsEmpty ? new T[rows.Length] : null;
        Span<T> handles = own ?? added;
        context.Allocator.Reserve(rows.Length);
        int count = 0;
        try
        {
            while (count < rows.Length)
            {
                cancellationToken.ThrowIfCancellationRequested();
                AddSome(context, collection, rows, handles, add, ref count);
                progress?.Report(count);
            }
        }
        catch
        {
            collection.TakeBack(handles[..count]);
            throw;
        }
    }

    /// <summary>Adds a row for each element of an array.</summary>
    /// <inheritdoc cref="AddRange{T,TData}(Collection{T}, ReadOnlySpan{TData}, Span{T}, IProgress{long}?, CancellationToken, Func{Collection{T}, TData, T})"/>
    public static void AddRange<T, TData>(
        Collection<T> collection, TData[] rows, Span<T> added, IProgress<long>? progress, CancellationToken cancellationToken, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        ArgumentNullException.ThrowIfNull(rows);
        AddRange(collection, (ReadOnlySpan<TData>)rows, added, progress, cancellationToken, add);
    }

    /// <summary>Adds a row for each element of a sequence, which may be of any length and is read once. Where the sequence reads the collection itself, it does not see the rows that are added here.</summary>
    /// <inheritdoc cref="AddRange{T,TData}(Collection{T}, ReadOnlySpan{TData}, Span{T}, IProgress{long}?, CancellationToken, Func{Collection{T}, TData, T})" path="/param"/>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void AddRange<T, TData>(
        Collection<T> collection, IEnumerable<TData> rows, IProgress<long>? progress, CancellationToken cancellationToken, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        MemoryContext context = CollectionAccess.Context(collection);
        ArgumentNullException.ThrowIfNull(rows);
        using BulkAddition<T> added = new(context);
        if (rows.TryGetNonEnumeratedCount(out int expected))
        {
            added.Reserve(expected);
            context.Allocator.Reserve(expected);
        }

        try
        {
            foreach (TData row in rows)
                AddNext(collection, added, row, progress, cancellationToken, add);
            ReportEnd(added.Count, progress, cancellationToken);
        }
        catch
        {
            collection.TakeBack(added.Rows);
            throw;
        }
    }

    /// <summary>Adds a row for each element of a sequence that is waited for. The sequence does not see the rows that are added here.</summary>
    /// <inheritdoc cref="AddRange{T,TData}(Collection{T}, IEnumerable{TData}, IProgress{long}?, CancellationToken, Func{Collection{T}, TData, T})"/>
    /// <returns>The number of rows.</returns>
    public static Task<long> AddRangeAsync<T, TData>(
        Collection<T> collection, IAsyncEnumerable<TData> rows, IProgress<long>? progress, CancellationToken cancellationToken, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        MemoryContext context = CollectionAccess.Context(collection);
        ArgumentNullException.ThrowIfNull(rows);
        return Run();

        async Task<long> Run()
        {
            using BulkAddition<T> added = new(context);
            try
            {
                await foreach (TData row in rows.WithCancellation(cancellationToken).ConfigureAwait(false))
                    AddNext(collection, added, row, progress, cancellationToken, add);
                ReportEnd(added.Count, progress, cancellationToken);
                return added.Count;
            }
            catch
            {
                collection.TakeBack(added.Rows);
                throw;
            }
        }
    }

    private static void AddSome<T, TData>(
        MemoryContext context, Collection<T> collection, ReadOnlySpan<TData> rows, Span<T> handles, Func<Collection<T>, TData, T> add, ref int count)
        where T : unmanaged
        where TData : class
    {
        CriticalSection section = context.AdditionGate.Enter();
        try
        {
            for (int end = Math.Min(rows.Length, count + RowsPerSection); count < end; count++)
                handles[count] = add(collection, NotNull(rows[count], count));
        }
        finally
        {
            section.Dispose();
        }
    }

    private static void AddNext<T, TData>(
        Collection<T> collection, BulkAddition<T> added, TData row, IProgress<long>? progress, CancellationToken cancellationToken, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        if (added.Count % RowsPerSection == 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (added.Count > 0)
                progress?.Report(added.Count);
        }

        added.Add(collection, NotNull(row, added.Count), add);
    }

    private static void ReportEnd(int count, IProgress<long>? progress, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        progress?.Report(count);
    }

    private static TData NotNull<TData>(TData? row, int index)
        where TData : class => row ?? throw new ArgumentNullException(nameof(row), $"Element {index} of the rows to add is null.");
}
