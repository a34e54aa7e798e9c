using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>From a collection to the memory behind it, for generated code and query kernels.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CollectionAccess
{
    /// <summary>The memory context of a collection.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MemoryContext Context<T>(Collection<T> collection)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        return collection.OpenContext();
    }

    /// <summary>The rows of a collection at this moment.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public static long Rows<T>(Collection<T> collection)
        where T : unmanaged => collection is { Snapshot: { } snapshot } ? snapshot.RowsOf(Context(collection)) : SnapshotView.RowsOf(Context(collection));

    /// <summary>
    /// Whether kernels may scan a collection: a query that runs because <c>AddRange</c> reads its elements does not see the rows that this call has added, and that is for enumerations to know.
    /// </summary>
    public static bool CanScan(IRecordedQuery rows) => rows is not IRowOwner owner || !BulkAddition.HidesRowsOf(owner.Context);

    /// <summary>Ends <see cref="Collection{T}.RemoveWhere(System.Linq.Expressions.Expression{Func{T, bool}})"/>, whose rows a kernel found.</summary>
    public static long Remove<T>(Collection<T> collection, List<T> found)
        where T : unmanaged => collection.RemoveFound(found);

    /// <summary>Ends <see cref="Collection{T}.Update(System.Linq.Expressions.Expression{Func{T, bool}}, Action{T})"/>, whose rows a kernel found.</summary>
    public static long Update<T>(Collection<T> collection, List<T> found, Action<T> update)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(update);
        return Collection<T>.UpdateFound(found, update);
    }

    /// <summary>As <see cref="Context{T}(Collection{T})"/>, for a kernel that was compiled for a layout.</summary>
    /// <exception cref="InvalidOperationException">The row type was compiled with another layout since.</exception>
    public static MemoryContext Context<T>(Collection<T> collection, ulong layoutHash)
        where T : unmanaged
    {
        MemoryContext context = Context(collection);
        if (context.Layout.Hash != layoutHash)
            throw new InvalidOperationException($"The query was compiled against another version of {typeof(T).Name}. Rebuild the assembly that contains the query.");
        return context;
    }
}
