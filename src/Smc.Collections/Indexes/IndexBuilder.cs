using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Fills an index with the rows that are there, while others write.</summary>
/// <remarks>
/// <para>First every write maintains the index (two epochs pass until all do). Then the rows are walked in batches: under its stripe each row gets a word unless a writer gave it one meanwhile.
/// Duplicates are noted until the walk is over; then they are refused, and when two more epochs have passed all that were not refused are known.</para>
/// <para>Between its reading and its turn a row may change its key, move, go or be retired: what it is counts when it is added. The words of a hash table lie anywhere, so its rows stay in the
/// order in which they were read, and their words are asked for ahead. In an ordered index rows are added in the order of their keys: words are neighbours then, and the rows are asked for ahead.</para>
/// </remarks>
/// <param name="index">The index.</param>
/// <param name="threads">How many threads add rows, the calling one among them.</param>
/// <param name="progress">Receives the number of rows, from one thread at a time.</param>
/// <param name="cancellationToken">Ends it early.</param>
internal sealed class IndexBuilder(KeyedIndex index, int threads, IProgress<long>? progress, CancellationToken cancellationToken)
{
    private const int RowsPerSection = 4096;

    private readonly MemoryContext _context = index.Context;
    private readonly SortedIndex? _sorted = index as SortedIndex;
    private readonly Lock _lock = new();
    private BlockRoute _route;
    private long _rows;

    /// <summary>Builds the index.</summary>
    /// <exception cref="DuplicateKeyException">Two rows have one key. The index is dropped.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. The index is dropped.</exception>
    public void Build()
    {
        try
        {
            _context.Indexes.Add(index);
            IndexSet.AwaitGrace(cancellationToken);
            _route = new BlockRoute(_context);
            new TurnTakers<IndexBatch>(TryCollect, Add).Run(threads);
            index.BecomeStrict();
            IndexSet.AwaitGrace(cancellationToken);
            ThrowIfFailed();
            index.BecomeComplete();
            progress?.Report(_rows);
        }
        catch
        {
            index.End();
            throw;
        }
    }

    /// <summary>Collects the next rows, in several critical sections.</summary>
    /// <returns>False if there are no more.</returns>
    private bool TryCollect(IndexBatch batch)
    {
        batch.Clear();
        bool isAnyLeft = true;
        while (isAnyLeft && !batch.IsFull)
        {
            using CriticalSection section = CriticalSection.Enter();
            _context.ThrowIfDisposed();
            isAnyLeft = TryCollectSection(batch);
        }

        return !batch.Handles.IsEmpty;
    }

    /// <returns>False at the end of the route.</returns>
    private bool TryCollectSection(IndexBatch batch)
    {
        for (int slots = RowsPerSection; slots > 0;)
        {
            if (!_route.TryFind(out BlockRef block, out int from, out int to))
                return false;
            to = Math.Min(to, from + slots);
            slots -= to - from;
            for (int slot = from; slot < to; slot++)
            {
                RowLocation location = new(block, slot);
                if (location.IsVisible && block.HandleAt(slot) is not 0 and ulong handle)
                    batch.Add(handle, _sorted?.PlaceOf(location) ?? 0);
            }

            _route.Pass(to);
        }

        return true;
    }

    private void Add(IndexBatch batch)
    {
        if (_sorted is not null)
            batch.SortByPlace();
        for (ReadOnlySpan<ulong> left = batch.Handles; !left.IsEmpty;)
        {
            ReadOnlySpan<ulong> next = left[..Math.Min(RowsPerSection, left.Length)];
            int added = AddSection(next);
            ThrowIfFailed();
            Report(added);
            cancellationToken.ThrowIfCancellationRequested();
            left = left[next.Length..];
        }
    }

    /// <returns>How many rows have a key.</returns>
    private int AddSection(ReadOnlySpan<ulong> handles)
    {
        using CriticalSection section = CriticalSection.Enter();
        _context.ThrowIfDisposed();
        int added = 0;
        while (!handles.IsEmpty)
        {
            ReadOnlySpan<ulong> next = handles[..Math.Min(OrderedSearches.Most, handles.Length)];
            Prefetch(next);
            foreach (ulong handle in next)
            {
                if (TryAdd(handle))
                    added++;
            }

            handles = handles[next.Length..];
        }

        return added;
    }

    private void Prefetch(ReadOnlySpan<ulong> handles)
    {
        if (_sorted is null)
        {
            _context.Indexes.Prefetch(index, handles);
            return;
        }

        foreach (ulong handle in handles)
        {
            if (Handle.TryLocate(handle, out RowLocation location))
                index.PrefetchKeyColumns(location);
        }
    }

    private bool TryAdd(ulong handle)
    {
        uint id = _context.Indexes.Enter(handle);
        try
        {
            // Under the stripe: the row stays, is not retired, and keeps its key. A draft gets its words when it is shown.
            if (!Handle.TryLocate(handle, out RowLocation location) || !location.IsVisible || !index.TryHash(location, out _))
                return false;
            // In an ordered index a word is one, however often it is stored.
            if (_sorted is null && index.Holds(location, id))
                return true;
            if (index.TryClaim(location, id, Handle.Incarnation(handle), out ClaimedWord claimed))
                index.Settle(claimed, id);
            else
                index.Fail(index.Duplicate(location));
            return true;
        }
        finally
        {
            _context.Indexes.Exit(id);
        }
    }

    private void Report(int added)
    {
        lock (_lock)
        {
            _rows += added;
            progress?.Report(_rows);
        }
    }

    private void ThrowIfFailed()
    {
        if (index.Failure is { } failure)
            throw failure;
    }
}
