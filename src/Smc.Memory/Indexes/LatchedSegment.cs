using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Indexes;

/// <summary>A segment whose latch the caller holds: what the owners of rows do to their words in it. Every store is a release; partner: <see cref="IndexTable.Find"/>.</summary>
/// <remarks>
/// Invariants: under the latch a word without M belongs to a row that is alive and keeps its key: whoever changes that sets M first. No chain of words passes a bucket that has a word 0.
/// It is good inside the critical section in which it was entered, which keeps the segment; <see cref="Exit"/> follows.
/// </remarks>
internal readonly unsafe ref struct LatchedSegment
{
    // SAFETY, here and below: the latch is held, and the caller's section keeps the segment.
    private readonly IndexSegment* _header;

    private LatchedSegment(IndexSegment* header) => _header = header;

    /// <summary>What a try to claim a key came to.</summary>
    public enum ClaimStep
    {
        Done,
        Refused,
        Wait,
        Full,
    }

    /// <summary>The segment itself.</summary>
    public IndexSegment* Header => _header;

    /// <summary>Takes the latch of the segment that has a hash now.</summary>
    public static LatchedSegment Enter(in IndexDirectory directory, ulong hash)
    {
        ProtocolSteps.Reach(ProtocolStep.IndexEntered);
        while (true)
        {
            LatchedSegment segment = Enter((IndexSegment*)directory.Find(hash).Address);
            if (!segment._header->IsReplaced) return segment;
            segment.Exit();
        }
    }

    /// <summary>Takes the latch of a segment, which may be replaced by now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static LatchedSegment Enter(IndexSegment* segment)
    {
        segment->Latch.Enter();
        return new LatchedSegment(segment);
    }

    public void Exit() => _header->Latch.Exit();

    /// <summary>Stores a word in motion for a row that is about to have a key, if no other row has it.</summary>
    public ClaimStep TryClaim<TKey>(EntryTable entries, ref TKey key, uint id, ulong row, out ClaimedWord claimed)
        where TKey : struct, IIndexKey, allows ref struct
    {
        claimed = default;
        ulong segment = (ulong)_header;
        IndexPlace place = IndexPlace.Of(key.Hash, _header->Buckets, _header->Depth);
        ulong wanted = IndexWord.OfPlace(place);
        ulong* free = null;
        ulong freeWord = 0;
        int bucket = place.Home;
        for (int displacement = 0; displacement <= IndexSegment.MaxDisplacement; displacement++, wanted += IndexWord.DisplacementUnit)
        {
            ulong* words = IndexSegment.Bucket(segment, bucket);
            Vector512<ulong> all = Vector512.LoadAligned(words);
            ulong candidates = Vector512.Equals(all & Vector512.Create(IndexWord.PlaceMask), Vector512.Create(wanted)).ExtractMostSignificantBits();
            for (; candidates != 0; candidates &= candidates - 1)
            {
                ulong word = words[BitOperations.TrailingZeroCount(candidates)];
                if (!IndexWord.HasRow(word) || IndexWord.IdOf(word) == id) continue;
                if (IndexWord.IsInMotion(word)) return ClaimStep.Wait;
                if (HasKey(entries, word, ref key)) return ClaimStep.Refused;
            }
            ulong places = Vector512.Equals(all & Vector512.Create(~IndexWord.Tombstone), Vector512<ulong>.Zero).ExtractMostSignificantBits();
            if (free == null && places != 0)
            {
                free = words + BitOperations.TrailingZeroCount(places);
                freeWord = wanted | row | IndexWord.Motion;
            }
            bool hasEmpty = Vector512.EqualsAny(all, Vector512<ulong>.Zero);
            if (hasEmpty) break;
            bucket = place.After(bucket, _header->Buckets);
        }
        if (free == null || *free == 0 && _header->Used >= IndexSegment.LimitOf(_header->Buckets)) return ClaimStep.Full;
        if (_header->KeepsHashes) *IndexSegment.HashOf(segment, free) = key.Hash;
        if (*free == 0) Volatile.Write(ref _header->Used, _header->Used + 1);
        else Volatile.Write(ref _header->Tombstones, _header->Tombstones - 1);
        Volatile.Write(ref *free, freeWord);
        claimed = new ClaimedWord(segment, (ulong)free, key.Hash);
        return ClaimStep.Done;
    }

    /// <summary>Whether the row has a word with this hash.</summary>
    public bool Holds(ulong hash, uint id)
    {
        int position = 0;
        return Next(hash, id, ref position) != null;
    }

    /// <summary>Sets or clears M on the row's words with this hash.</summary>
    public void SetMotion(ulong hash, uint id, bool isInMotion)
    {
        int position = 0;
        for (ulong* word = Next(hash, id, ref position); word != null; word = Next(hash, id, ref position))
            Volatile.Write(ref *word, isInMotion ? *word | IndexWord.Motion : *word & ~IndexWord.Motion);
    }

    /// <summary>Sets M on the row's only word.</summary>
    public void BeginToLeave(ulong hash, uint id)
    {
        int position = 0;
        ulong* word = Next(hash, id, ref position);
        if (word != null) Volatile.Write(ref *word, *word | IndexWord.Motion);
    }

    /// <summary>Takes one of the row's words with this hash out, if there is one.</summary>
    public void TakeOut(ulong hash, uint id)
    {
        int position = 0;
        ulong* word = Next(hash, id, ref position);
        if (word == null) return;
        // No chain passes a bucket that has a word 0.
        if (HasEmpty(BucketOf(word)))
        {
            Volatile.Write(ref *word, 0);
            Volatile.Write(ref _header->Used, _header->Used - 1);
        }
        else
        {
            Volatile.Write(ref *word, IndexWord.Tombstone);
            Volatile.Write(ref _header->Tombstones, _header->Tombstones + 1);
        }
    }

    // Of a word without M.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool HasKey<TKey>(EntryTable entries, ulong word, ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ulong handle = entries.Of(IndexWord.IdOf(word)).LiveHandle();
        return handle != 0 && Handle.TryLocate(handle, out RowLocation location) && key.IsAt(location);
    }

    /// <summary>The next word of a row with a hash, from a position in its chain on; null at the end.</summary>
    private ulong* Next(ulong hash, uint id, ref int position)
    {
        IndexPlace place = IndexPlace.Of(hash, _header->Buckets, _header->Depth);
        int bucket = place.Home;
        for (int displacement = 0; displacement <= IndexSegment.MaxDisplacement; displacement++, bucket = place.After(bucket, _header->Buckets))
        {
            if (displacement < position / IndexSegment.WordsPerBucket) continue;
            ulong* words = IndexSegment.Bucket((ulong)_header, bucket);
            Vector512<ulong> found = Vector512.Equals(Vector512.LoadAligned(words) & Vector512.Create((ulong)uint.MaxValue), Vector512.Create((ulong)id + 1));
            ulong candidates = found.ExtractMostSignificantBits() >> (position % IndexSegment.WordsPerBucket) << (position % IndexSegment.WordsPerBucket);
            for (; candidates != 0; candidates &= candidates - 1)
            {
                int at = BitOperations.TrailingZeroCount(candidates);
                ulong* word = words + at;
                bool isAnother = ((*word ^ (IndexWord.OfPlace(place) + (ulong)displacement * IndexWord.DisplacementUnit)) & IndexWord.PlaceMask) != 0
                    || _header->KeepsHashes && *IndexSegment.HashOf((ulong)_header, word) != hash;
                if (isAnother) continue;
                position = displacement * IndexSegment.WordsPerBucket + at + 1;
                return word;
            }
            // No chain passes it. The next buckets are memory that nothing has asked for.
            if (HasEmpty(words)) break;
            position = (displacement + 1) * IndexSegment.WordsPerBucket;
        }
        return null;
    }

    private ulong* BucketOf(ulong* word)
    {
        ulong* first = IndexSegment.Bucket((ulong)_header, 0);
        return first + (word - first) / IndexSegment.WordsPerBucket * IndexSegment.WordsPerBucket;
    }

    private static bool HasEmpty(ulong* bucket) => Vector512.EqualsAny(Vector512.LoadAligned(bucket), Vector512<ulong>.Zero);
}
