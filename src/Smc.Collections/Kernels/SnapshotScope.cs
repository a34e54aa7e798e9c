using System.ComponentModel;
using System.Linq.Expressions;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>While it lasts, the calling thread reads through a snapshot. For kernels, for the ends of queries, and for <see cref="Snapshot.Read{T, TResult}"/>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct SnapshotScope : IDisposable
{
    private readonly MemorySnapshot? _snapshot;
    private readonly MemorySnapshot? _before;

    private SnapshotScope(MemorySnapshot snapshot)
    {
        ObjectDisposedException.ThrowIf(!snapshot.TryUse(), typeof(Snapshot));
        _snapshot = snapshot;
        _before = SnapshotView.Exchange(snapshot);
    }

    /// <summary>Enters the snapshot through which one of the sources is seen; without one nothing happens.</summary>
    /// <param name="sources">Collections, queries, anything.</param>
    /// <exception cref="InvalidOperationException">The sources are seen through different snapshots, or one of them through a snapshot and as it is now.</exception>
    /// <exception cref="ObjectDisposedException">The snapshot has been disposed.</exception>
    public static SnapshotScope Enter(params ReadOnlySpan<object?> sources)
    {
        MemorySnapshot? snapshot = null;
        foreach (object? source in sources)
            Find(source as IRecordedQuery, ref snapshot);
        if (snapshot is null)
            return default;
        foreach (object? source in sources)
        {
            if (source is IRowOwner { Snapshot: null } owner && snapshot.BlocksOf(owner.Context) is not null)
                throw new InvalidOperationException($"The query reads '{owner.Context.Name}' through a snapshot and as it is now. Run two queries, and compare their results.");
        }

        return new SnapshotScope(snapshot);
    }

    /// <summary>Reads as before.</summary>
    /// <exception cref="SnapshotLostException">The snapshot was lost before everything was read.</exception>
    public void Dispose()
    {
        if (_snapshot is null)
            return;
        SnapshotView.Exchange(_before);
        try
        {
            SnapshotLostException.ThrowIfLost(_snapshot);
        }
        finally
        {
            _snapshot.EndUse();
        }
    }

    /// <summary>The blocks of a collection that the calling thread scans.</summary>
    /// <exception cref="SnapshotLostException">The thread reads through a snapshot that was lost: its blocks may be gone.</exception>
    /// <safety>The caller is inside the critical section in which it uses the blocks.</safety>
    internal static BlockList BlocksOf(MemoryContext context)
    {
        if (SnapshotView.Current is not { } snapshot || snapshot.BlocksOf(context) is not { } blocks)
            return context.Blocks;
        // Inside the section: what is lost from here on is freed after it.
        SnapshotLostException.ThrowIfLost(snapshot);
        return blocks;
    }

    /// <summary>As <see cref="Enter(ReadOnlySpan{object?})"/>, for the call that ends a query.</summary>
    internal static SnapshotScope OfCall(RecordedCall call)
    {
        MemorySnapshot? snapshot = null;
        Find(call.Source, ref snapshot);
        FindIn(call, ref snapshot);
        return snapshot is null ? default : new SnapshotScope(snapshot);
    }

    internal static SnapshotScope Enter(MemorySnapshot snapshot)
    {
        SnapshotLostException.ThrowIfLost(snapshot);
        return new SnapshotScope(snapshot);
    }

    /// <summary>The snapshot through which a query or one in its arguments is seen; null for none.</summary>
    internal static MemorySnapshot? Of(IRecordedQuery query)
    {
        MemorySnapshot? snapshot = null;
        Find(query, ref snapshot);
        return snapshot;
    }

    private static void Find(IRecordedQuery? query, ref MemorySnapshot? snapshot)
    {
        for (; query is not null; query = query.Call?.Source)
        {
            if (query is IRowOwner { Snapshot: { } found })
            {
                if (snapshot is not null && snapshot != found)
                    throw new InvalidOperationException("The query reads through different snapshots. Take one snapshot of all its collections.");
                snapshot = found;
            }

            if (query.Call is { } call)
                FindIn(call, ref snapshot);
        }
    }

    private static void FindIn(RecordedCall call, ref MemorySnapshot? snapshot)
    {
        foreach (RecordedArgument argument in call.Arguments)
        {
            if (argument.Value is ConstantExpression { Value: IRecordedQuery other })
                Find(other, ref snapshot);
        }
    }
}
