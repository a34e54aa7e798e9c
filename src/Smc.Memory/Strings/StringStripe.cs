using Smc.Memory.Platform;

namespace Smc.Memory.Strings;

/// <summary>
/// One of several independent parts of a string heap: a segment to cut chunks from, free lists and counters, under one lock that is held
/// for a few instructions.
/// </summary>
internal sealed class StringStripe
{
    private readonly ulong[] _free = new ulong[SizeClass.Count];
    private readonly Queue<RetiredChunk> _retired = new();
    private readonly Lock _lock = new();
    private ulong _next;
    private ulong _end;
    private long _live;
    private long _retiredBytes;

    private readonly record struct RetiredChunk(long Stamp, ulong Word, long Bytes);

    public long LiveBytes => Volatile.Read(ref _live);

    public long RetiredBytes => Volatile.Read(ref _retiredBytes);

    /// <summary>Takes a chunk from the free list, else from the segment.</summary>
    /// <returns>Its address, or 0 if the stripe has none.</returns>
    public ulong TryTake(int sizeClass)
    {
        lock (_lock)
        {
            int bytes = SizeClass.BytesOf(sizeClass);
            ulong chunk = Pop(sizeClass);
            if (chunk == 0)
            {
                if (_end - _next < (ulong)bytes) return 0;
                chunk = _next;
                _next += (uint)bytes;
            }
            _live += bytes;
            return chunk;
        }
    }

    /// <summary>Takes a chunk from the free list only.</summary>
    public ulong TryTakeFree(int sizeClass)
    {
        lock (_lock)
        {
            ulong chunk = Pop(sizeClass);
            if (chunk != 0) _live += SizeClass.BytesOf(sizeClass);
            return chunk;
        }
    }

    /// <summary>Makes a new segment the one that chunks are cut from; the rest of the old one goes to the free lists.</summary>
    public void AddSegment(ulong address, long bytes)
    {
        lock (_lock)
        {
            KeepRest();
            _next = address;
            _end = address + (ulong)bytes;
        }
    }

    public void Free(ulong chunk, int sizeClass)
    {
        lock (_lock)
        {
            GuardMode.Poison(chunk, SizeClass.BytesOf(sizeClass));
            Push(chunk, sizeClass);
            _live -= SizeClass.BytesOf(sizeClass);
        }
    }

    /// <summary>Counts a chunk that has a mapping of its own; negative when it goes.</summary>
    public void CountLarge(long bytes)
    {
        lock (_lock) _live += bytes;
    }

    /// <summary>Keeps a chunk until readers are through.</summary>
    /// <returns>True if it is the only one that waits: somebody has to come back for it.</returns>
    public bool Retire(ulong word, long bytes, long stamp)
    {
        lock (_lock)
        {
            _live -= bytes;
            _retiredBytes += bytes;
            _retired.Enqueue(new RetiredChunk(stamp, word, bytes));
            return _retired.Count == 1;
        }
    }

    /// <summary>Takes out the oldest retired chunk if two epochs have passed; it counts as live again until it is freed.</summary>
    /// <param name="word">The chunk's word.</param>
    /// <param name="oldestStamp">If false is returned: stamp of the chunk that waits longest, or -1 if none does.</param>
    public bool TryTakeRetired(out ulong word, out long oldestStamp)
    {
        lock (_lock)
        {
            word = 0;
            oldestStamp = -1;
            if (!_retired.TryPeek(out RetiredChunk oldest)) return false;
            oldestStamp = oldest.Stamp;
            if (!Epoch.HasPassed(oldest.Stamp)) return false;
            _retired.Dequeue();
            _retiredBytes -= oldest.Bytes;
            _live += oldest.Bytes;
            word = oldest.Word;
            return true;
        }
    }

    private unsafe ulong Pop(int sizeClass)
    {
        ulong chunk = _free[sizeClass];
        // SAFETY: a free chunk's first word links to the next; chunks are at least 8 bytes and belong to this heap.
        if (chunk != 0) _free[sizeClass] = *(ulong*)chunk;
        return chunk;
    }

    private unsafe void Push(ulong chunk, int sizeClass)
    {
        // SAFETY: as in Pop.
        *(ulong*)chunk = _free[sizeClass];
        _free[sizeClass] = chunk;
    }

    private void KeepRest()
    {
        while (_end - _next >= 16)
        {
            int bytes = (int)Math.Min(_end - _next, 256);
            Push(_next, bytes / 8);
            _next += (uint)bytes;
        }
    }
}
