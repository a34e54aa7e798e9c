using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <content>Changes of all rows that match a condition.</content>
public sealed partial class Collection<T>
{
    /// <summary>Removes the rows that match a condition: <c>orders.RemoveWhere(o =&gt; o.Date &lt; cutoff)</c>.</summary>
    /// <remarks>
    /// First a query finds the rows; it is compiled as <c>Where(match).ToList()</c> is. Then they are removed, one by one: other threads may see some rows gone and others not yet. A row that another
    /// thread changes in between is removed all the same; one that another thread adds meanwhile may be removed or not. O(rows) time, 8 bytes for each row that matches. Where C# does not allow a construct in the condition, which is an expression
    /// tree, convert the lambda to <c>Func&lt;T, bool&gt;</c>: then it is called row by row.
    /// </remarks>
    /// <param name="match">The condition.</param>
    /// <returns>The number of rows of this collection that this call removed; those that went with others (<see cref="RemoveBehavior.Cascade"/>) are counted, too.</returns>
    /// <exception cref="RowReferencedException">A row refers to one of them in a property with <see cref="RemoveBehavior.Restrict"/>. Rows that were removed by then stay removed.</exception>
    /// <exception cref="OperationCanceledException">The token of <see cref="Query.Use"/> was cancelled. Rows that were removed by then stay removed.</exception>
    [OverloadResolutionPriority(1)]
    public long RemoveWhere(Expression<Func<T, bool>> match)
    {
        ArgumentNullException.ThrowIfNull(match);
        OpenContext();
        return RemoveFound(Found(match));
    }

    /// <summary>Removes the rows for which <paramref name="match"/> returns true, one by one. If <paramref name="match"/> reads the collection, it no longer finds the rows removed so far.</summary>
    /// <remarks>The condition is called row by row, not compiled. Other threads may see some rows gone and others not yet; rows that they add meanwhile may be removed or not.</remarks>
    /// <param name="match">The condition.</param>
    /// <returns>The number of rows of this collection that this call removed; those that went with others (<see cref="RemoveBehavior.Cascade"/>) are counted, too.</returns>
    /// <exception cref="RowReferencedException">A row refers to one of them in a property with <see cref="RemoveBehavior.Restrict"/>. Rows that were removed by then stay removed.</exception>
    /// <exception cref="OperationCanceledException">As for every enumeration in a scope of <see cref="Query.Use"/>. Rows that were removed by then stay removed.</exception>
    public long RemoveWhere(Func<T, bool> match)
    {
        ArgumentNullException.ThrowIfNull(match);
        MemoryContext context = OpenContext();
        return EndWhere(match, handle => RemoveOwn(context, handle));
    }

    /// <summary>Removes rows, one by one: other threads may see some rows gone and others not yet. Takes less time than a call of <see cref="Remove"/> for each, most of all if the collection has indexes.</summary>
    /// <param name="rows">The rows. Null handles, and rows that are removed already, are left out.</param>
    /// <returns>The number of rows of this collection that this call removed; those that went with others (<see cref="RemoveBehavior.Cascade"/>) are counted, too.</returns>
    /// <exception cref="ArgumentException">A row belongs to another collection. Nothing has changed.</exception>
    /// <exception cref="RowReferencedException">A row refers to one of them in a property with <see cref="RemoveBehavior.Restrict"/>. Rows that were removed by then stay removed.</exception>
    /// <exception cref="OperationCanceledException">The token of <see cref="Query.Use"/> was cancelled. Rows that were removed by then stay removed.</exception>
    public long RemoveRange(ReadOnlySpan<T> rows)
    {
        MemoryContext context = OpenContext();
        foreach (T row in rows)
            HandleOfOwn(context, row);
        return RemoveOwn(context, rows);
    }

    /// <summary>Changes the rows that match a condition: <c>orders.Update(o =&gt; o.Status == open, o =&gt; o.Set(status: closed))</c>.</summary>
    /// <remarks>
    /// First a query finds the rows; it is compiled as <c>Where(match).ToList()</c> is. Then <paramref name="update"/> is called for each. Other threads see some rows
    /// changed and others not yet. A row that another thread removes in between is left out; one that another thread changes in between is updated all the same.
    /// O(rows) time, 8 bytes for each row that matches.
    /// </remarks>
    /// <param name="match">The condition.</param>
    /// <param name="update">Changes a row, through its setters or <c>Set</c>. If it throws, the rows before stay changed.</param>
    /// <returns>The number of rows that were changed.</returns>
    /// <exception cref="OperationCanceledException">The token of <see cref="Query.Use"/> was cancelled. Rows that were changed by then stay changed.</exception>
    [OverloadResolutionPriority(1)]
    public long Update(Expression<Func<T, bool>> match, Action<T> update)
    {
        ArgumentNullException.ThrowIfNull(match);
        ArgumentNullException.ThrowIfNull(update);
        OpenContext();
        return UpdateFound(Found(match), update);
    }

    /// <summary>Changes the rows for which <paramref name="match"/> returns true, one by one. The condition is called row by row, not compiled.</summary>
    /// <remarks>Other threads see some rows changed and others not yet; rows that they add meanwhile may be changed or not, and those that they remove are left out.</remarks>
    /// <inheritdoc cref="Update(Expression{Func{T, bool}}, Action{T})" path="/param|/returns|/exception"/>
    public long Update(Func<T, bool> match, Action<T> update)
    {
        ArgumentNullException.ThrowIfNull(match);
        ArgumentNullException.ThrowIfNull(update);
        OpenContext();
        long updated = 0;
        foreach (T row in this)
        {
            try
            {
                if (!match(row))
                    continue;
                update(row);
                updated++;
            }
            catch (RowRemovedException) when (!Handle.IsAlive(RowHandle.ToBits(row)))
            {
                // Another thread removed the row before its turn.
            }
        }

        return updated;
    }

    /// <summary>Removes or retires the rows that match, one by one, and says how many.</summary>
    private long EndWhere(Func<T, bool> match, Func<ulong, long> end)
    {
        long ended = 0;
        foreach (T row in this)
        {
            if (match(row))
                ended += end(RowHandle.ToBits(row));
        }

        return ended;
    }

    /// <summary>The rows that match, where no kernel was compiled with the call.</summary>
#pragma warning disable SMC1006 // The condition is written by the caller: the run-time compiler or LINQ to Objects finds the rows.
    private List<T> Found(Expression<Func<T, bool>> match) => Where(match).ToList();
#pragma warning restore SMC1006

    /// <summary>Removes rows of this collection.</summary>
    internal long RemoveFound(List<T> rows) => RemoveOwn(OpenContext(), CollectionsMarshal.AsSpan(rows));

    /// <summary>Removes rows of this collection, and what their removals take along.</summary>
    private long RemoveOwn(MemoryContext context, ReadOnlySpan<T> rows)
    {
        CancellationToken cancellationToken = KernelOptions.Current.CancellationToken;
        long removed = 0;
        while (!rows.IsEmpty)
        {
            cancellationToken.ThrowIfCancellationRequested();
            // A collection whose rows refer to these may come meanwhile.
            ReadOnlySpan<T> some = rows[..(_referrers?.Indexes is null ? Math.Min(OrderedSearches.Most, rows.Length) : 1)];
            if (some.Length > 1)
                removed += context.Removal.Remove(MemoryMarshal.Cast<T, ulong>(some), cancellationToken);
            else if (HandleOfOwn(context, some[0]) is not 0 and ulong handle)
                removed += RemoveOwn(context, handle);
            rows = rows[some.Length..];
        }

        return removed;
    }

    /// <summary>Changes rows of this collection, as far as they are still there.</summary>
    internal static long UpdateFound(List<T> rows, Action<T> update)
    {
        CancellationToken cancellationToken = KernelOptions.Current.CancellationToken;
        long updated = 0;
        foreach (T row in rows)
        {
            cancellationToken.ThrowIfCancellationRequested();
            try
            {
                if (!Handle.IsAlive(RowHandle.ToBits(row)))
                    continue;
                update(row);
                updated++;
            }
            catch (RowRemovedException) when (!Handle.IsAlive(RowHandle.ToBits(row)))
            {
                // Another thread removed the row before its turn.
            }
        }

        return updated;
    }
}
