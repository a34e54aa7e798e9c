using Smc.Memory.Platform;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Strings;

/// <summary>Gives the memory of sparse segments back: their chunks are copied to new ones, in the order of the rows.</summary>
/// <remarks>
/// <code>
///           TryLeave             MoveOut, chunk by chunk          two epochs later
///  in use ------------> leaving --------------------------> empty ----------------> unmapped
///     ^                    |
///     +------ Stay --------+   (cancelled, or the memory for the target is refused)
/// </code>
/// Invariants: a leaving segment gives out no chunk. All memory to move to is there before the first chunk is moved. One thread evacuates at a time: it is inside the compaction gate.
/// </remarks>
internal sealed class StringEvacuation(StringSegments segments, Reclaimer reclaimer)
{
    /// <summary>Segments with at most this share of live bytes are emptied: moving costs less than what it gives back.</summary>
    private const double SparseShare = 0.5;

    private readonly StringSegments _segments = segments;

    /// <summary>Where chunks are copied to.</summary>
    public StringStripe Target { get; } = new();

    /// <summary>Unmaps segments without a chunk.</summary>
    public void TrimExcess()
    {
        foreach (StringSegment segment in _segments.All)
        {
            if (segment.Owner.TryTakeEmpty(segment)) _segments.Unmap(segment);
        }
    }

    /// <summary>Begins to count what dead rows hold; see <see cref="CountDead"/>.</summary>
    public void BeginCount()
    {
        foreach (StringSegment segment in _segments.All) segment.Dead = 0;
    }

    /// <summary>Counts a chunk of a dead row. The chunk may be gone, so its size is that of the length in the word: too small for long texts.</summary>
    public void CountDead(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return;
        StringSegment? segment = _segments.Find(StringWord.ChunkOf(word));
        if (segment is not null) segment.Dead += SizeClass.BytesOf(SizeClass.Of((byte)(word >> 48)));
    }

    /// <summary>Lets sparse segments leave and reserves the memory for what is in them.</summary>
    /// <returns>The segments to empty; none if that would not give memory back or there is no memory to move to.</returns>
    public IReadOnlyList<StringSegment> Begin()
    {
        List<StringSegment> leaving = [];
        long live = 0, bytes = 0;
        foreach (StringSegment segment in _segments.All)
        {
            if (!segment.Owner.TryLeave(segment, SparseShare, out long liveHere)) continue;
            leaving.Add(segment);
            live += liveHere;
            bytes += segment.Bytes;
        }
        if (leaving.Count == 0) return leaving;
        if (_segments.BytesFor(live) < bytes && TryReserveTarget(live)) return leaving;
        foreach (StringSegment segment in leaving) TryEnd(segment, stay: true);
        return [];
    }

    /// <summary>Copies a chunk out of a leaving segment.</summary>
    /// <returns>The word of the copy, which holds the same text.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    /// <safety>The caller read the word in its critical section from a row that was alive in it.</safety>
    public ulong CopyOut(ulong word)
    {
        ReadOnlySpan<byte> text = StringWord.Bytes(in word);
        int sizeClass = SizeClass.Of(text.Length);
        TextChunk chunk = Target.TryTake(sizeClass);
        while (chunk.IsNone)
        {
            // The ends of segments did not fit. The memory is not given back in the caller's section.
            _segments.TryAddUncut(Target, Math.Max(_segments.First, VirtualMemory.RoundUp(SizeClass.BytesOf(sizeClass), VirtualMemory.PageSize)));
            chunk = Target.TryTake(sizeClass);
        }
        // SAFETY: the chunk has room for as many bytes and is nobody else's.
        text.CopyTo(chunk.Text(text.Length));
        return chunk.SealAs(word, text.Length);
    }

    /// <summary>The leaving segment that the chunk of a word lies in, or null.</summary>
    public StringSegment? LeavingSegment(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return null;
        StringSegment? segment = _segments.Find(StringWord.ChunkOf(word));
        return segment is { IsLeaving: true } ? segment : null;
    }

    /// <summary>Gives up a chunk that was copied and that no row holds any more.</summary>
    /// <returns>Its bytes.</returns>
    public long MoveOut(StringSegment segment, ulong word)
    {
        long bytes = SizeClass.BytesOf(SizeClass.Of(StringWord.ByteLength(word)));
        segment.Owner.MoveOut(segment, bytes);
        return bytes;
    }

    /// <summary>Unmaps what was emptied, two epochs after this call.</summary>
    /// <param name="leaving">Segments of <see cref="Begin"/>.</param>
    /// <param name="stay">True to use again what still has chunks; false to let it go on leaving.</param>
    /// <returns>What is still to be done; done when it has run.</returns>
    public Rest End(IReadOnlyList<StringSegment> leaving, bool stay)
    {
        Rest rest = new(this, leaving, stay);
        reclaimer.Retire(rest);
        return rest;
    }

    // True if the segment was unmapped.
    private bool TryEnd(StringSegment segment, bool stay)
    {
        if (!segment.Owner.ForgetMoved(segment, stay)) return false;
        _segments.Unmap(segment);
        return true;
    }

    // All of it before the first chunk is moved, so that a refusal comes when nothing has changed yet.
    private bool TryReserveTarget(long live)
    {
        try
        {
            for (long reserved = 0; reserved < live;)
            {
                long bytes = Math.Min(_segments.BytesFor(live - reserved), _segments.Largest);
                if (!_segments.TryAddUncut(Target, bytes)) return false;
                reserved += bytes;
            }
            return true;
        }
        catch (OffHeapMemoryException)
        {
            TrimExcess();
            return false;
        }
    }

    /// <summary>The end of moving chunks: runs when the readers that may be at the old ones are through.</summary>
    internal sealed class Rest(StringEvacuation evacuation, IReadOnlyList<StringSegment> leaving, bool stay) : Retired
    {
        private bool _isDone;

        public bool IsDone => Volatile.Read(ref _isDone);

        /// <summary>Bytes unmapped.</summary>
        public long BytesFreed { get; private set; }

        /// <summary>True if segments are left that still have chunks.</summary>
        public bool HasRest { get; private set; }

        public override void Release()
        {
            if (!evacuation._segments.IsReleased)
            {
                foreach (StringSegment segment in leaving)
                {
                    if (evacuation.TryEnd(segment, stay)) BytesFreed += segment.Bytes;
                    else HasRest = true;
                }
            }
            Volatile.Write(ref _isDone, true);
        }
    }
}
