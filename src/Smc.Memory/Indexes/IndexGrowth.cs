using System.Buffers;

namespace Smc.Memory.Indexes;

/// <summary>Makes the segments of an index: the first, and those that take the place of a full one, which are larger, or two.</summary>
/// <remarks>Invariants: a segment that was made is its maker's until the directory shows it. One that is replaced keeps its words as they are, for look-ups that found it before.</remarks>
/// <param name="memory">Where segments lie.</param>
/// <param name="name">The collection, for messages.</param>
internal sealed class IndexGrowth(IndexMemory memory, string name)
{
    private const int MaxDepth = 32;

    // Buckets of the segments, chosen so that header and buckets fill units of memory.
    private static readonly int[] s_sizes = [63, 255, 383];

    /// <summary>Makes the segment of an empty index.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public SegmentRef MakeFirst() => Make(prefix: 0, depth: 0, s_sizes[0]);

    /// <summary>Copies the words of a segment to one with more room, or to two.</summary>
    /// <exception cref="OffHeapMemoryException">There is no memory; nothing has changed.</exception>
    /// <safety>The caller holds the segment's latch.</safety>
    public unsafe List<SegmentRef> MakeSuccessors(IndexSegment* segment)
    {
        int capacity = segment->Buckets * IndexSegment.WordsPerBucket;
        ulong[] rows = ArrayPool<ulong>.Shared.Rent(capacity);
        ulong[] hashes = ArrayPool<ulong>.Shared.Rent(capacity);
        List<SegmentRef> made = [];
        try
        {
            int count = 0;
            for (int i = 0; i < capacity; i++)
            {
                ulong* word = IndexSegment.Bucket((ulong)segment, 0) + i;
                if (!IndexWord.HasRow(*word)) continue;
                hashes[count] = IndexSegment.WholeHash((ulong)segment, word);
                rows[count++] = *word & IndexWord.RowMask;
            }
            // Without its tombstones a segment may do as it is; otherwise a larger one, also if only one chain is full.
            int least = segment->Tombstones > capacity / 8 ? segment->Buckets : segment->Buckets + 1;
            Fill(made, segment->Prefix, segment->Depth, hashes.AsSpan(0, count), rows.AsSpan(0, count), least);
            return made;
        }
        catch
        {
            Free(made);
            throw;
        }
        finally
        {
            ArrayPool<ulong>.Shared.Return(rows);
            ArrayPool<ulong>.Shared.Return(hashes);
        }
    }

    /// <summary>Takes segments back that nobody else has seen.</summary>
    public void Free(List<SegmentRef> made)
    {
        foreach (SegmentRef segment in made) Free(segment);
    }

    private void Free(SegmentRef segment) => memory.Free(segment.Address, IndexSegment.BytesOf(segment.Buckets, segment.Depth));

    /// <summary>Makes the segments for words with one prefix: the smallest with at least so many buckets that leaves an eighth of its limit, or two.</summary>
    private void Fill(List<SegmentRef> made, ulong prefix, int depth, Span<ulong> hashes, Span<ulong> rows, int least)
    {
        foreach (int buckets in s_sizes)
        {
            if (buckets < least || hashes.Length > IndexSegment.LimitOf(buckets) * 7 / 8) continue;
            SegmentRef segment = Make(prefix, depth, buckets);
            if (TryFill(segment, hashes, rows))
            {
                made.Add(segment);
                return;
            }
            Free(segment);
        }
        if (depth == MaxDepth) throw new OffHeapMemoryException($"{name}: an index has too many keys with nearly the same hash.");
        ulong bit = 1UL << (IndexPlace.HashBits - depth - 1);
        int zeros = 0;
        for (int i = 0; i < hashes.Length; i++)
        {
            if ((hashes[i] & bit) != 0) continue;
            (hashes[i], hashes[zeros]) = (hashes[zeros], hashes[i]);
            (rows[i], rows[zeros]) = (rows[zeros], rows[i]);
            zeros++;
        }
        Fill(made, prefix << 1, depth + 1, hashes[..zeros], rows[..zeros], s_sizes[1]);
        Fill(made, prefix << 1 | 1, depth + 1, hashes[zeros..], rows[zeros..], s_sizes[1]);
    }

    private static unsafe bool TryFill(SegmentRef segment, ReadOnlySpan<ulong> hashes, ReadOnlySpan<ulong> rows)
    {
        Span<byte> counts = stackalloc byte[s_sizes[^1]];
        counts.Clear();
        for (int i = 0; i < hashes.Length; i++)
        {
            if (!IndexSegment.TryFill(segment.Address, hashes[i], rows[i], counts)) return false;
        }
        ((IndexSegment*)segment.Address)->Used = hashes.Length; // SAFETY: no other thread has the segment.
        return true;
    }

    private unsafe SegmentRef Make(ulong prefix, int depth, int buckets)
    {
        ulong address = memory.Allocate(IndexSegment.BytesOf(buckets, depth));
        // SAFETY: no other thread has the segment.
        IndexSegment* segment = (IndexSegment*)address;
        segment->Prefix = prefix;
        segment->Depth = depth;
        segment->Buckets = buckets;
        return new SegmentRef(address, depth, buckets);
    }
}
