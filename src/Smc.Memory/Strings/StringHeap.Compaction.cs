using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <content>Segments coming together and going.</content>
/// <remarks>
/// <code>
///           TryLeave             MoveOut, chunk by chunk          two epochs later
///  in use ------------> leaving --------------------------> empty ----------------> unmapped
///     ^                    |
///     +------ Stay --------+   (cancelled, or the memory for the target is refused)
/// </code>
/// </remarks>
public sealed partial class StringHeap
{
    /// <summary>Segments with at most this share of live bytes are emptied: moving costs less than what it gives back.</summary>
    private const double SparseShare = 0.5;

    /// <summary>Unmaps segments without a chunk.</summary>
    internal void TrimExcess()
    {
        foreach (StringSegment segment in Volatile.Read(ref _segments).All)
        {
            if (segment.Owner.TryTakeEmpty(segment)) Unmap(segment);
        }
    }

    /// <summary>Begins to give the shared chunks of a collection back that has just been cleared.</summary>
    internal void ResetInterning(StringCompaction compaction) => _interned.BeginReset(compaction);

    /// <summary>Begins to count what dead rows hold; see <see cref="CountDead"/>.</summary>
    internal void BeginCount()
    {
        foreach (StringSegment segment in Volatile.Read(ref _segments).All) segment.Dead = 0;
    }

    /// <summary>Counts a chunk of a dead row. The chunk may be gone, so its size is that of the length in the word: too small for long texts.</summary>
    internal void CountDead(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return;
        StringSegment? segment = Volatile.Read(ref _segments).Find(word & StringWord.AddressMask);
        if (segment is not null) segment.Dead += SizeClass.BytesOf(SizeClass.Of((byte)(word >> 48)));
    }

    /// <summary>Lets sparse segments leave and reserves the memory for what is in them.</summary>
    /// <returns>The segments to empty; none if that would not give memory back or there is no memory to move to.</returns>
    internal IReadOnlyList<StringSegment> BeginEvacuation()
    {
        List<StringSegment> leaving = [];
        long live = 0, bytes = 0;
        foreach (StringSegment segment in Volatile.Read(ref _segments).All)
        {
            if (!segment.Owner.TryLeave(segment, SparseShare, out long liveHere)) continue;
            leaving.Add(segment);
            live += liveHere;
            bytes += segment.Bytes;
        }
        if (leaving.Count == 0) return leaving;
        if (TargetBytes(live) < bytes && TryReserveTarget(live)) return leaving;
        foreach (StringSegment segment in leaving) End(segment, stay: true);
        return [];
    }

    /// <summary>Copies a chunk out of a leaving segment.</summary>
    /// <returns>The word of the copy, which holds the same text.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    /// <safety>The caller read the word in its critical section from a row that was alive in it.</safety>
    internal ulong CopyOut(ulong word)
    {
        ReadOnlySpan<byte> text = StringWord.Bytes(in word);
        int sizeClass = SizeClass.Of(text.Length);
        ulong chunk = _target.TryTake(sizeClass);
        while (chunk == 0)
        {
            // The ends of segments did not fit.
            long bytes = Math.Max(_firstSegment, VirtualMemory.RoundUp(SizeClass.BytesOf(sizeClass), VirtualMemory.PageSize));
            lock (_segmentLock) _target.AddUncut(MapSegment(_target, bytes));
            chunk = _target.TryTake(sizeClass);
        }
        // SAFETY: the chunk has room for as many bytes and is nobody else's.
        text.CopyTo(StringWord.TextIn(chunk, text.Length));
        return StringWord.At(word, chunk, text.Length);
    }

    /// <summary>The leaving segment that the chunk of a word lies in, or null.</summary>
    internal StringSegment? LeavingSegment(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return null;
        StringSegment? segment = Volatile.Read(ref _segments).Find(word & StringWord.AddressMask);
        return segment is { IsLeaving: true } ? segment : null;
    }

    /// <summary>Gives up a chunk that was copied and that no row holds any more.</summary>
    /// <returns>Its bytes.</returns>
    internal long MoveOut(StringSegment segment, ulong word)
    {
        long bytes = SizeClass.BytesOf(SizeClass.Of(StringWord.ByteLength(word)));
        segment.Owner.MoveOut(segment, bytes);
        return bytes;
    }

    /// <summary>Unmaps what was emptied, two epochs after this call.</summary>
    /// <param name="leaving">Segments of <see cref="BeginEvacuation"/>.</param>
    /// <param name="stay">True to use again what still has chunks; false to let it go on leaving.</param>
    /// <returns>What is still to be done; done when it has run.</returns>
    internal Evacuation EndEvacuation(IReadOnlyList<StringSegment> leaving, bool stay)
    {
        Evacuation evacuation = new(this, leaving, stay);
        Reclaimer.Retire(evacuation);
        return evacuation;
    }

    // True if the segment was unmapped.
    private bool End(StringSegment segment, bool stay)
    {
        if (!segment.Owner.ForgetMoved(segment, stay)) return false;
        Unmap(segment);
        return true;
    }

    private long TargetBytes(long live)
    {
        long last = live % _largestSegment;
        long lastSegment = last == 0 ? 0 : Math.Max(_firstSegment, (long)System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)last));
        return live - last + lastSegment;
    }

    // All of it before the first chunk is moved, so that a refusal comes when nothing has changed yet.
    private bool TryReserveTarget(long live)
    {
        try
        {
            for (long reserved = 0; reserved < live;)
            {
                long bytes = Math.Min(TargetBytes(live - reserved), _largestSegment);
                lock (_segmentLock)
                {
                    // Disposed and given back meanwhile: a segment that is mapped now would stay for ever.
                    if (_released) return false;
                    _target.AddUncut(MapSegment(_target, bytes));
                }
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
    internal sealed class Evacuation(StringHeap heap, IReadOnlyList<StringSegment> leaving, bool stay) : Retired
    {
        private bool _isDone;

        public bool IsDone => Volatile.Read(ref _isDone);

        /// <summary>Bytes unmapped.</summary>
        public long BytesFreed { get; private set; }

        /// <summary>True if segments are left that still have chunks.</summary>
        public bool HasRest { get; private set; }

        public override void Release()
        {
            if (!Volatile.Read(ref heap._released))
            {
                foreach (StringSegment segment in leaving)
                {
                    if (heap.End(segment, stay)) BytesFreed += segment.Bytes;
                    else HasRest = true;
                }
            }
            Volatile.Write(ref _isDone, true);
        }
    }
}
