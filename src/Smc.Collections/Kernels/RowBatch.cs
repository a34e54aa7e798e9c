using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Adds many rows, or none: what the generated <c>AddRange</c> methods call.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowBatch
{
    // The sections of the single rows nest in one around them, which is renewed so that memory can be re-used meanwhile.
    private const int RowsPerSection = 1024;

    /// <summary>Adds a row for each element.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="rows">The elements.</param>
    /// <param name="added">Takes the new rows in the order of the elements; empty when nobody wants them.</param>
    /// <param name="add">Adds one.</param>
    /// <exception cref="ArgumentException"><paramref name="added"/> is not empty and shorter than <paramref name="rows"/>.</exception>
    public static void AddRange<T, TData>(Collection<T> collection, ReadOnlySpan<TData> rows, Span<T> added, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        MemoryContext context = CollectionAccess.Context(collection);
        if (!added.IsEmpty && added.Length < rows.Length)
            throw new ArgumentException($"There is room for {added.Length} rows, but {rows.Length} are added.", nameof(added));
        T[]? own = added.IsEmpty ? new T[rows.Length] : null;
        Span<T> handles = own ?? added;
        context.Reserve(rows.Length);
        int count = 0;
        CriticalSection section = context.EnterToAdd();
        try
        {
            for (; count < rows.Length; count++)
            {
                if (count % RowsPerSection == 0)
                    section.Renew();
                handles[count] = add(collection, NotNull(rows[count], count));
            }
        }
        catch
        {
            RemoveAgain(context, handles[..count]);
            throw;
        }
        finally
        {
            section.Dispose();
        }
    }

    /// <summary>Adds a row for each element of an array.</summary>
    /// <inheritdoc cref="AddRange{T,TData}(Collection{T}, ReadOnlySpan{TData}, Span{T}, Func{Collection{T}, TData, T})"/>
    public static void AddRange<T, TData>(Collection<T> collection, TData[] rows, Span<T> added, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        ArgumentNullException.ThrowIfNull(rows);
        AddRange(collection, (ReadOnlySpan<TData>)rows, added, add);
    }

    /// <summary>Adds a row for each element of a sequence, which may be of any length and is read once. Where the sequence reads the collection itself, it does not see the rows that are added here.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="rows">The elements.</param>
    /// <param name="add">Adds one.</param>
    public static void AddRange<T, TData>(Collection<T> collection, IEnumerable<TData> rows, Func<Collection<T>, TData, T> add)
        where T : unmanaged
        where TData : class
    {
        MemoryContext context = CollectionAccess.Context(collection);
        ArgumentNullException.ThrowIfNull(rows);
        using BulkAddition<T> added = new(context);
        if (rows.TryGetNonEnumeratedCount(out int expected))
        {
            added.Reserve(expected);
            context.Reserve(expected);
        }

        try
        {
            foreach (TData row in rows)
                added.Add(collection, NotNull(row, added.Count), add);
        }
        catch
        {
            RemoveAgain(context, added.Rows);
            throw;
        }
    }

    private static void RemoveAgain<T>(MemoryContext context, ReadOnlySpan<T> rows)
        where T : unmanaged
    {
        foreach (T row in rows)
            context.TryRemove(RowHandle.ToBits(row));
    }

    private static TData NotNull<TData>(TData? row, int index)
        where TData : class => row ?? throw new ArgumentNullException(nameof(row), $"Element {index} of the rows to add is null.");
}
