using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>One moment of one or several collections. Queries through it see the rows as they were, while other threads continue to write.</summary>
/// <remarks>
/// <code>
/// using var s = Snapshot.Take(accounts, entries);
/// decimal total = s.Of(accounts).Sum(a =&gt; a.Balance);
/// </code>
/// <para>A snapshot sees a single write (one property, one <c>Set</c>, one <c>Add</c>, one <c>Remove</c>) completely or not at all. The same holds for all writes of a <see cref="WriteGroup"/>.
/// References to collections that are not listed are followed to the row as it is now. A row that a query returns is an ordinary handle: <see cref="Read{T, TResult}"/> reads it as it was.</para>
/// <para>While a snapshot is open, the first write to each block of its collections copies the block, and rows are not compacted. Dispose it when it is read.</para>
/// <para>All members are thread-safe.</para>
/// </remarks>
public sealed class Snapshot : IDisposable
{
    private readonly MemorySnapshot _memory;

    private Snapshot(MemorySnapshot memory) => _memory = memory;

    /// <summary>The time of the moment, which lies within the call of <c>Take</c>.</summary>
    public DateTimeOffset Moment => _memory.Moment;

    /// <summary>Bytes of blocks and strings that have been kept since the snapshot was taken, for it and for other open snapshots.</summary>
    public long Bytes => _memory.Bytes;

    /// <summary>True once the snapshot was given up because writers needed its memory; see <see cref="SnapshotOptions.MaxBytes"/>.</summary>
    public bool IsLost => _memory.IsLost;

    /// <summary>Fixes one moment of some collections.</summary>
    /// <remarks>Takes some microseconds, and waits for the write groups that are open.</remarks>
    /// <param name="collections">The collections.</param>
    /// <exception cref="ArgumentException">There is no collection, or one is itself seen through a snapshot.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a <see cref="WriteGroup"/>.</exception>
    /// <exception cref="ObjectDisposedException">A collection has been disposed.</exception>
    /// <exception cref="TimeoutException">A write group did not end within <see cref="SnapshotOptions.TimeLimit"/>; the message names the thread.</exception>
    public static Snapshot Take(params ReadOnlySpan<ISnapshotSource> collections) => Take(new SnapshotOptions(), collections);

    /// <summary>Fixes one moment of some collections.</summary>
    /// <param name="options">How long to wait, and how much may be kept.</param>
    /// <param name="collections">The collections.</param>
    /// <inheritdoc cref="Take(ReadOnlySpan{ISnapshotSource})" path="/remarks|/exception"/>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Snapshot Take(SnapshotOptions options, params ReadOnlySpan<ISnapshotSource> collections)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.TimeLimit < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(options), options.TimeLimit, "TimeLimit is not negative.");
        if (options.MaxBytes is < 0)
            throw new ArgumentOutOfRangeException(nameof(options), options.MaxBytes, "MaxBytes is a number of bytes, or null.");
        if (collections.IsEmpty)
            throw new ArgumentException("A snapshot has at least one collection.", nameof(collections));
        MemoryContext[] contexts = new MemoryContext[collections.Length];
        for (int i = 0; i < contexts.Length; i++)
        {
            if (collections[i] is not IRowOwner { Snapshot: null } owner)
                throw new ArgumentException($"Collection {i} is null, or seen through a snapshot. Pass the collections themselves.", nameof(collections));
            owner.Context.ThrowIfDisposed();
            contexts[i] = owner.Context;
        }

        options.Cancellation.ThrowIfCancellationRequested();
        return new Snapshot(MemorySnapshot.Take(contexts, options.TimeLimit, options.MaxBytes, options.Cancellation));
    }

    /// <summary>The rows of a collection as they were, for queries and <see langword="foreach"/>.</summary>
    /// <remarks>
    /// Queries read the values of the moment. <see langword="foreach"/> returns the rows of the moment as ordinary handles: in its body a property has the value of now, and
    /// <see cref="Read{T, TResult}"/> reads that of the moment. Works wherever a collection does: chains, <see cref="Query.Run{T, TResult}(T, Func{T, TResult})"/>, <c>Query.Compile</c>, <c>[CompiledQuery]</c>. Indexes are not consulted.
    /// </remarks>
    /// <param name="collection">One of the snapshot's collections.</param>
    /// <exception cref="ArgumentException">The collection is not one of the snapshot's.</exception>
    /// <exception cref="ObjectDisposedException">The snapshot has been disposed.</exception>
    public Query<T> Of<T>(Collection<T> collection)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        ObjectDisposedException.ThrowIf(_memory.IsDisposed, this);
        MemoryContext context = collection.OpenContext();
        if (_memory.BlocksOf(context) is null)
            throw new ArgumentException($"Collection '{context.Name}' is not one of the snapshot's. Pass it to Snapshot.Take.", nameof(collection));
        return new Collection<T>(context, _memory);
    }

    /// <summary>Reads a row as it was: inside <paramref name="read"/>, properties of this row and of rows that it refers to have the values of the moment.</summary>
    /// <param name="row">The row, alive or removed since.</param>
    /// <param name="read">Reads it, on this thread and before it returns.</param>
    /// <exception cref="RowRemovedException">The row was not there at the moment.</exception>
    /// <exception cref="SnapshotLostException">The snapshot was given up.</exception>
    /// <exception cref="ObjectDisposedException">The snapshot has been disposed.</exception>
    public TResult Read<T, TResult>(T row, Func<T, TResult> read)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(read);
        using SnapshotScope view = SnapshotScope.Enter(_memory);
        return read(row);
    }

    /// <summary>Ends the snapshot. Does not wait: queries that run on it keep what they need until they end.</summary>
    public void Dispose() => _memory.Dispose();

    /// <summary>For those who read blocks themselves.</summary>
    internal MemorySnapshot Memory => _memory;
}
