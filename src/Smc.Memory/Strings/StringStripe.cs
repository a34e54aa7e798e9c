using Smc.Memory.Platform;

namespace Smc.Memory.Strings;

/// <summary>
/// One of several independent parts of a string heap: segments to cut chunks from, their free chunks and counters, under one lock that is held
/// for a few instructions.
/// </summary>
internal sealed class StringStripe
{
    // For every class the segments that have free chunks of it. One that leaves stays here until it comes to the top.
    private readonly Stack<StringSegment>?[] _withFree = new Stack<StringSegment>?[SizeClass.Count];
    private readonly Stack<StringSegment> _uncut = new();
    private readonly Queue<RetiredChunk> _retired = new();
    private readonly Lock _lock = new();
    private StringSegment? _current;
    private long _live;
    private long _retiredBytes;

    /// <summary>Held by a thread that frees retired chunks of this stripe.</summary>
    public Lock Freeing { get; } = new();

    private readonly record struct RetiredChunk(long Stamp, ulong Word, long Bytes);

    public long LiveBytes => Volatile.Read(ref _live);

    public long RetiredBytes => Volatile.Read(ref _retiredBytes);

    /// <summary>Takes a chunk from a free list, else cuts it from the current segment.</summary>
    /// <returns>None if the stripe has none.</returns>
    public TextChunk TryTake(int sizeClass)
    {
        lock (_lock)
        {
            TextChunk chunk = PopFree(sizeClass);
            if (chunk.IsNone) chunk = Cut(sizeClass);
            if (!chunk.IsNone) _live += SizeClass.BytesOf(sizeClass);
            return chunk;
        }
    }

    /// <summary>Takes chunks that lie one after the other, cut from the current segment.</summary>
    /// <param name="bytes">Bytes of all of them.</param>
    /// <returns>The first; none if the segment has no room for all.</returns>
    public TextChunk TryTakePiece(int bytes)
    {
        lock (_lock)
        {
            TextChunk piece = _current?.TryCutPiece(bytes) ?? default;
            if (!piece.IsNone) _live += bytes;
            return piece;
        }
    }

    /// <summary>Takes a chunk from a free list only.</summary>
    public TextChunk TryTakeFree(int sizeClass)
    {
        lock (_lock)
        {
            TextChunk chunk = PopFree(sizeClass);
            if (!chunk.IsNone) _live += SizeClass.BytesOf(sizeClass);
            return chunk;
        }
    }

    /// <summary>Makes a new segment the one that chunks are cut from; the rest of the old one goes to the free lists.</summary>
    public void AddSegment(StringSegment segment)
    {
        lock (_lock)
        {
            // Whoever empties segments may have found this one, empty as it is, before it got here; then it is unmapped soon.
            if (segment.IsLeaving) return;
            KeepRest();
            _current = segment;
        }
    }

    /// <summary>Adds a segment to be used after the current one.</summary>
    public void AddUncut(StringSegment segment)
    {
        lock (_lock) _uncut.Push(segment);
    }

    /// <summary>Frees a chunk of one of this stripe's segments.</summary>
    /// <returns>True if nobody needs the segment any more: it left, and this was its last chunk.</returns>
    public bool Free(StringSegment segment, TextChunk chunk, int sizeClass)
    {
        lock (_lock)
        {
            chunk.Poison(sizeClass);
            Push(segment, chunk, sizeClass);
            _live -= SizeClass.BytesOf(sizeClass);
            return segment.IsFinished;
        }
    }

    /// <summary>Counts a chunk of this stripe's segments as moved: it waits for readers until <see cref="ForgetMoved"/>.</summary>
    public void MoveOut(StringSegment segment, long bytes)
    {
        lock (_lock)
        {
            segment.MoveOut(bytes);
            _live -= bytes;
            _retiredBytes += bytes;
        }
    }

    /// <summary>Says that no reader is at a chunk any more that was moved out of a segment.</summary>
    /// <param name="segment">A leaving segment of this stripe.</param>
    /// <param name="stay">True to use it again if it still has chunks.</param>
    /// <returns>True if nobody needs it any more.</returns>
    public bool ForgetMoved(StringSegment segment, bool stay)
    {
        lock (_lock)
        {
            _retiredBytes -= segment.ForgetMoved();
            if (stay && segment.Live > 0) Rejoin(segment);
            return segment.IsFinished;
        }
    }

    /// <summary>Lets a segment leave if no more than a share of it belongs to rows; true if it leaves already.</summary>
    /// <param name="segment">A segment of this stripe.</param>
    /// <param name="share">Largest share.</param>
    /// <param name="live">Its live bytes without those of dead rows.</param>
    public bool TryLeave(StringSegment segment, double share, out long live)
    {
        lock (_lock)
        {
            live = Math.Max(0, segment.Live - segment.Dead);
            if (segment.IsLeaving) return true;
            if (live > segment.Bytes * share) return false;
            segment.IsLeaving = true;
            if (_current == segment) _current = null;
            return true;
        }
    }

    /// <summary>Lets a segment leave that nobody needs.</summary>
    /// <returns>False if somebody does. Live bytes include chunks that wait for readers.</returns>
    public bool TryTakeEmpty(StringSegment segment)
    {
        lock (_lock)
        {
            if (segment.Live != 0 || segment.GoneWaiting != 0) return false;
            segment.IsLeaving = true;
            if (_current == segment) _current = null;
            return true;
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

    /// <summary>Stamp of the chunk that waits longest, or -1 if none does.</summary>
    public long OldestRetired
    {
        get
        {
            lock (_lock) return _retired.TryPeek(out RetiredChunk oldest) ? oldest.Stamp : -1;
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

    private TextChunk PopFree(int sizeClass)
    {
        Stack<StringSegment>? sources = _withFree[sizeClass];
        while (sources is not null && sources.TryPeek(out StringSegment? segment))
        {
            TextChunk chunk = segment.IsLeaving || !segment.HasFree(sizeClass) ? default : segment.PopFree(sizeClass);
            if (chunk.IsNone || !segment.HasFree(sizeClass)) sources.Pop();
            if (!chunk.IsNone) return chunk;
        }
        return default;
    }

    private void Push(StringSegment segment, TextChunk chunk, int sizeClass)
    {
        if (!segment.HasFree(sizeClass) && !segment.IsLeaving) (_withFree[sizeClass] ??= new()).Push(segment);
        segment.PushFree(chunk, sizeClass);
    }

    private TextChunk Cut(int sizeClass)
    {
        while (true)
        {
            TextChunk chunk = _current?.TryCut(sizeClass) ?? default;
            if (!chunk.IsNone || !_uncut.TryPop(out StringSegment? next)) return chunk;
            if (next.IsLeaving) continue;
            KeepRest();
            _current = next;
        }
    }

    // Its free lists are as they were; only the stack may have dropped it.
    private void Rejoin(StringSegment segment)
    {
        segment.IsLeaving = false;
        for (int sizeClass = 0; sizeClass < SizeClass.Count; sizeClass++)
        {
            if (segment.HasFree(sizeClass)) (_withFree[sizeClass] ??= new()).Push(segment);
        }
        _uncut.Push(segment);
    }

    private void KeepRest()
    {
        if (_current is not { } segment) return;
        while (segment.Bytes - segment.Used >= SizeClass.Smallest)
        {
            int sizeClass = SizeClass.Of((int)Math.Min(segment.Bytes - segment.Used, SizeClass.LongestShort) / SizeClass.Alignment * SizeClass.Alignment);
            Push(segment, segment.TryCut(sizeClass), sizeClass);
        }
    }
}
