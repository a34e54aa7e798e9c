using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Rows on their way into an index that is built: collected in the order of the collection, added in that of the index if it has one.</summary>
/// <remarks>
/// Between the two, and outside of the row's stripe, others change, move, retire and remove rows: the order is only what makes additions fast, and what a row is counts when it is added. The
/// words of a hash table lie anywhere, so its rows stay in the order in which they are read and their words are asked for ahead. The words of neighbours in an ordered index are
/// neighbours, and the rows are asked for ahead.
/// </remarks>
internal sealed class IndexBatch(KeyedIndex index)
{
    private const int RowsPerSection = 4096;
    private const int MostRows = 1 << 18;

    private readonly MemoryContext _context = index.Context;
    private readonly SortedIndex? _sorted = index as SortedIndex;
    private ulong[] _handles = new ulong[RowsPerSection];
    private ulong[] _places = [];
    private int _count;
    private int _done;

    public bool IsEmpty => _done == _count;

    /// <summary>Collects the next rows, in several critical sections.</summary>
    /// <returns>False if there are no more.</returns>
    public bool TryCollect(ref BlockRoute route)
    {
        _count = _done = 0;
        bool isAnyLeft = true;
        while (isAnyLeft && _count < MostRows)
        {
            using CriticalSection section = CriticalSection.Enter();
            _context.ThrowIfDisposed();
            isAnyLeft = TryCollectSome(ref route);
        }

        return _count > 0;
    }

    /// <summary>Sorts the rows by where they go. O(n log n) in an ordered index.</summary>
    public void Sort()
    {
        if (_sorted is not null)
            _places.AsSpan(0, _count).Sort(_handles.AsSpan(0, _count));
    }

    /// <summary>Adds some thousand rows to the index, in one critical section.</summary>
    /// <returns>How many of them have a key.</returns>
    public int AddSome()
    {
        using CriticalSection section = CriticalSection.Enter();
        _context.ThrowIfDisposed();
        int added = 0;
        for (int end = Math.Min(_count, _done + RowsPerSection); _done < end;)
        {
            ReadOnlySpan<ulong> next = _handles.AsSpan(_done, Math.Min(OrderedSearches.Most, end - _done));
            Prefetch(next);
            foreach (ulong handle in next)
            {
                if (TryAdd(handle))
                    added++;
            }

            _done += next.Length;
        }

        return added;
    }

    /// <returns>False at the end of the route.</returns>
    private bool TryCollectSome(ref BlockRoute route)
    {
        for (int slots = RowsPerSection; slots > 0;)
        {
            if (!route.TryFind(out BlockRef block, out int from, out int to))
                return false;
            to = Math.Min(to, from + slots);
            slots -= to - from;
            for (int slot = from; slot < to; slot++)
            {
                RowLocation location = new(block, slot);
                if (location.IsVisible && block.HandleAt(slot) is not 0 and ulong handle)
                    Collect(handle, location);
            }

            route.Pass(to);
        }

        return true;
    }

    private void Collect(ulong handle, RowLocation location)
    {
        if (_count == _handles.Length)
            Array.Resize(ref _handles, 2 * _count);
        _handles[_count] = handle;
        if (_sorted is not null)
        {
            if (_places.Length < _handles.Length)
                Array.Resize(ref _places, _handles.Length);
            _places[_count] = _sorted.PlaceOf(location);
        }

        _count++;
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
}
