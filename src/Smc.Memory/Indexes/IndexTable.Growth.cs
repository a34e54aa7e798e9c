using System.Buffers;
using System.Numerics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indexes;

namespace Smc.Memory;

/// <content>Growth: a segment that is full is replaced by a larger one or by two.</content>
public sealed partial class IndexTable
{
    /// <summary>Replaces a segment, whose latch the caller holds, by one with more room, or by two.</summary>
    private unsafe void Grow(ulong segment)
    {
        // SAFETY: the caller holds the latch.
        IndexSegment* header = (IndexSegment*)segment;
        int capacity = header->Buckets * IndexSegment.WordsPerBucket;
        ulong[] rows = ArrayPool<ulong>.Shared.Rent(capacity);
        ulong[] hashes = ArrayPool<ulong>.Shared.Rent(capacity);
        List<ulong> made = [];
        try
        {
            int count = 0;
            for (int i = 0; i < capacity; i++)
            {
                ulong* word = IndexSegment.Bucket(segment, 0) + i;
                if (!IndexWord.HasRow(*word)) continue;
                hashes[count] = IndexSegment.WholeHash(segment, word);
                rows[count++] = *word & IndexWord.RowMask;
            }
            // Without its tombstones a segment may do as it is; otherwise a larger one, also if only one chain is full.
            int least = header->Tombstones > capacity / 8 ? header->Buckets : header->Buckets + 1;
            Make(made, header->Prefix, header->Depth, hashes.AsSpan(0, count), rows.AsSpan(0, count), least);
            ProtocolSteps.Reach(ProtocolStep.IndexCopied);
            Show(made);
        }
        catch
        {
            foreach (ulong entry in made) FreeSegment(entry & SegmentMask);
            throw;
        }
        finally
        {
            ArrayPool<ulong>.Shared.Return(rows);
            ArrayPool<ulong>.Shared.Return(hashes);
        }
        header->IsReplaced = true;
        _memory.Retire(segment, IndexSegment.BytesOf(header->Buckets, header->Depth));
    }

    /// <summary>Makes the segments for words with one prefix: the smallest with at least so many buckets that leaves an eighth of its limit, or two.</summary>
    private unsafe void Make(List<ulong> made, ulong prefix, int depth, Span<ulong> hashes, Span<ulong> rows, int least)
    {
        foreach (int buckets in s_sizes)
        {
            if (buckets < least || hashes.Length > IndexSegment.LimitOf(buckets) * 7 / 8) continue;
            ulong entry = MakeSegment(prefix, depth, buckets);
            if (TryFill(entry & SegmentMask, hashes, rows))
            {
                made.Add(entry);
                return;
            }
            FreeSegment(entry & SegmentMask);
        }
        if (depth == MaxDepth) throw new OffHeapMemoryException($"{_context.Name}: an index has too many keys with nearly the same hash.");
        ulong bit = 1UL << (IndexPlace.HashBits - depth - 1);
        int zeros = 0;
        for (int i = 0; i < hashes.Length; i++)
        {
            if ((hashes[i] & bit) != 0) continue;
            (hashes[i], hashes[zeros]) = (hashes[zeros], hashes[i]);
            (rows[i], rows[zeros]) = (rows[zeros], rows[i]);
            zeros++;
        }
        Make(made, prefix << 1, depth + 1, hashes[..zeros], rows[..zeros], s_sizes[1]);
        Make(made, prefix << 1 | 1, depth + 1, hashes[zeros..], rows[zeros..], s_sizes[1]);
    }

    private static unsafe bool TryFill(ulong segment, ReadOnlySpan<ulong> hashes, ReadOnlySpan<ulong> rows)
    {
        Span<byte> counts = stackalloc byte[s_sizes[^1]];
        counts.Clear();
        for (int i = 0; i < hashes.Length; i++)
        {
            if (!IndexSegment.TryFill(segment, hashes[i], rows[i], counts)) return false;
        }
        ((IndexSegment*)segment)->Used = hashes.Length; // SAFETY: no other thread has the segment.
        return true;
    }

    /// <summary>Makes an empty segment.</summary>
    /// <returns>Its word for the directory.</returns>
    private unsafe ulong MakeSegment(ulong prefix, int depth, int buckets)
    {
        ulong segment = _memory.Allocate(IndexSegment.BytesOf(buckets, depth));
        // SAFETY: no other thread has the segment.
        IndexSegment* header = (IndexSegment*)segment;
        header->Prefix = prefix;
        header->Depth = depth;
        header->Buckets = buckets;
        return segment | (ulong)depth << DepthShift | (uint)buckets;
    }

    private unsafe void FreeSegment(ulong segment)
    {
        // SAFETY: no other thread has the segment.
        IndexSegment* header = (IndexSegment*)segment;
        _memory.Free(segment, IndexSegment.BytesOf(header->Buckets, header->Depth));
    }

    /// <summary>Puts new segments into the directory, which doubles until it is deep enough.</summary>
    private unsafe void Show(List<ulong> made)
    {
        lock (_directoryLock)
        {
            ulong[] directory = _directory;
            int depth = BitOperations.Log2((uint)directory.Length);
            int wanted = Math.Max(depth, made.Max(static entry => (int)(entry >> DepthShift)));
            if (wanted > depth)
            {
                ulong[] larger = new ulong[1 << wanted];
                for (int i = 0; i < larger.Length; i++) larger[i] = directory[i >> (wanted - depth)];
                directory = larger;
            }
            foreach (ulong entry in made)
            {
                int missing = wanted - (int)(entry >> DepthShift);
                // SAFETY: made by the caller, and not freed.
                ulong first = ((IndexSegment*)(entry & SegmentMask))->Prefix << missing;
                // Release: the segment's words before its address.
                for (ulong i = 0; i < 1UL << missing; i++) Volatile.Write(ref directory[first + i], entry);
            }
            Volatile.Write(ref _directory, directory);
        }
    }
}
