using System.Collections.Concurrent;
using Smc.Memory.Epochs;
using Smc.Memory.Timelines;

namespace Smc.Memory.Reclamation;

/// <summary>Retired items in the order in which they were added. One thread at a time frees items of a lane.</summary>
/// <remarks>
/// An item leaves the queue before it is released, and a thread that is releasing an item frees nothing else until it is done: releasing may
/// retire other items and advance the epoch, and the thread then comes back here.
/// </remarks>
internal sealed class ReclamationLane
{
    [ThreadStatic]
    private static bool t_isFreeing;

    private readonly ConcurrentQueue<RetiredParts> _items = new();
    private readonly Lock _lock = new();
    private RetiredParts? _unfinished;
    private long _nothingDueIn;

    /// <summary>Items that wait, without the one that is being released.</summary>
    public int Count => _items.Count + (Volatile.Read(ref _unfinished) is null ? 0 : 1);

    /// <summary>True if the lane was searched in this epoch and nothing more was due. Nothing becomes due while the epoch stays.</summary>
    public bool IsSearched => Volatile.Read(ref _nothingDueIn) == GlobalEpoch.Now;

    /// <summary>True if something is left that was due in the last epoch already. A look without the lock, so an estimate.</summary>
    public bool IsBehind => (Volatile.Read(ref _unfinished) ?? (_items.TryPeek(out RetiredParts? next) ? next : null)) is { } item && Epoch.HasPassed(item.Stamp + 1);

    /// <summary>Adds an item whose stamp is set.</summary>
    public void Add(RetiredParts item) => _items.Enqueue(item);

    /// <summary>Frees up to <paramref name="pieces"/> pieces of what is due. Does nothing if the calling thread is freeing an item.</summary>
    /// <param name="pieces">The most pieces; <see cref="int.MaxValue"/> for everything that is due.</param>
    /// <param name="waits">True to wait for a thread that frees items of this lane; false to leave the lane to it.</param>
    public void Free(int pieces, bool waits)
    {
        if (t_isFreeing) return;
        if (waits) _lock.Enter();
        else if (!_lock.TryEnter()) return;
        t_isFreeing = true;
        long begin = TimelineRecorder.Begin();
        int allowed = pieces;
        try
        {
            long epoch = GlobalEpoch.Now;
            while (pieces > 0)
            {
                if (TryFree(ref pieces)) continue;
                Volatile.Write(ref _nothingDueIn, epoch);
                return;
            }
        }
        finally
        {
            t_isFreeing = false;
            _lock.Exit();
            if (begin != 0 && pieces < allowed) TimelineRecorder.End(TimelineKind.Free, begin, allowed - pieces);
        }
    }

    /// <returns>False if nothing more is due.</returns>
    private bool TryFree(ref int pieces)
    {
        // Stamps are nearly in order. An item with a later stamp delays the items behind it; no item is freed too early.
        RetiredParts? item = _unfinished;
        if (item is null && !_items.TryPeek(out item) || !IsDue(item)) return false;
        Take();
        // If this throws, the item is not released again: what is left of it leaks, which is better than freeing something twice.
        bool isDone = item.ReleaseSome(ref pieces);
        if (isDone) return true;
        // With pieces left, the rest of the item is younger, and the items behind it need not wait for it.
        if (pieces > 0) _items.Enqueue(item);
        else Volatile.Write(ref _unfinished, item);
        return true;
    }

    private void Take()
    {
        if (_unfinished is null) _items.TryDequeue(out _);
        else Volatile.Write(ref _unfinished, null);
    }

    /// <summary>True when no reader can reach the item any more.</summary>
    private static bool IsDue(RetiredParts item) => Epoch.HasPassed(item.Stamp);
}
