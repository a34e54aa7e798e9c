using System.Numerics;
using System.Runtime.Intrinsics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indexes;

namespace Smc.Memory;

/// <content>What the owner of a row does to its words: sets them in motion, settles them, takes them out.</content>
public sealed partial class IndexTable
{
    /// <summary>Whether the row has a word with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public unsafe bool Holds(ulong hash, uint id)
    {
        ulong segment = EnterSegment(hash);
        int position = 0;
        bool holds = Next(segment, hash, id, ref position) != null;
        ((IndexSegment*)segment)->Latch.Exit(); // SAFETY: the section keeps the segment.
        return holds;
    }

    /// <summary>Sets or clears M on the row's words with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public unsafe void SetMotion(ulong hash, uint id, bool isInMotion)
    {
        ulong segment = EnterSegment(hash);
        int position = 0;
        for (ulong* word = Next(segment, hash, id, ref position); word != null; word = Next(segment, hash, id, ref position))
        {
            // SAFETY: the latch is held. Release; partner: Find.
            Volatile.Write(ref *word, isInMotion ? *word | IndexWord.Motion : *word & ~IndexWord.Motion);
        }
        ((IndexSegment*)segment)->Latch.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
    }

    /// <summary>Takes M from a word that a claim stored.</summary>
    /// <safety>The caller is inside the critical section of the claim and has held the row's stripe since.</safety>
    public unsafe void Settle(in ClaimedWord claimed, uint id)
    {
        // SAFETY: the section keeps the segment. A word stays at its place until its owner takes it out, or the segment is replaced.
        IndexSegment* header = (IndexSegment*)claimed.Segment;
        Enter(header);
        bool isThere = !header->IsReplaced;
        // Release; partner: Find.
        if (isThere) Volatile.Write(ref *(ulong*)claimed.Address, *(ulong*)claimed.Address & ~IndexWord.Motion);
        header->Latch.Exit();
        if (isThere) ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
        else SetMotion(claimed.Hash, id, isInMotion: false);
    }

    /// <summary>Takes one of the row's words with this hash out, if there is one.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public unsafe void TakeOut(ulong hash, uint id)
    {
        ulong segment = EnterSegment(hash);
        // SAFETY: the latch is held.
        IndexSegment* header = (IndexSegment*)segment;
        int position = 0;
        ulong* word = Next(segment, hash, id, ref position);
        if (word != null)
        {
            // No chain passes a bucket that has a word 0.
            if (HasEmpty(BucketOf(segment, word)))
            {
                Volatile.Write(ref *word, 0);
                Volatile.Write(ref header->Used, header->Used - 1);
            }
            else
            {
                Volatile.Write(ref *word, IndexWord.Tombstone);
                Volatile.Write(ref header->Tombstones, header->Tombstones + 1);
            }
        }
        header->Latch.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexWordOut);
    }

    /// <summary>The next word of a row with a hash, from a position in its chain on; null at the end.</summary>
    private static unsafe ulong* Next(ulong segment, ulong hash, uint id, ref int position)
    {
        // SAFETY: the caller holds the segment's latch.
        IndexSegment* header = (IndexSegment*)segment;
        IndexPlace place = IndexPlace.Of(hash, header->Buckets, header->Depth);
        for (int displacement = position / IndexSegment.WordsPerBucket; displacement <= IndexSegment.MaxDisplacement; displacement++)
        {
            int bucket = place.Home + displacement;
            if (bucket >= header->Buckets) bucket -= header->Buckets;
            ulong* words = IndexSegment.Bucket(segment, bucket);
            Vector512<ulong> found = Vector512.Equals(Vector512.LoadAligned(words) & Vector512.Create((ulong)uint.MaxValue), Vector512.Create((ulong)id + 1));
            ulong candidates = found.ExtractMostSignificantBits() >> (position % IndexSegment.WordsPerBucket) << (position % IndexSegment.WordsPerBucket);
            for (; candidates != 0; candidates &= candidates - 1)
            {
                int at = BitOperations.TrailingZeroCount(candidates);
                ulong* word = words + at;
                bool isAnother = ((*word ^ (IndexWord.OfPlace(place) + (ulong)displacement * IndexWord.DisplacementUnit)) & IndexWord.PlaceMask) != 0
                    || header->KeepsHashes && *IndexSegment.HashOf(segment, word) != hash;
                if (isAnother) continue;
                position = displacement * IndexSegment.WordsPerBucket + at + 1;
                return word;
            }
            position = (displacement + 1) * IndexSegment.WordsPerBucket;
        }
        return null;
    }

    private static unsafe ulong* BucketOf(ulong segment, ulong* word)
    {
        ulong* first = IndexSegment.Bucket(segment, 0);
        return first + (word - first) / IndexSegment.WordsPerBucket * IndexSegment.WordsPerBucket;
    }

    // SAFETY: the caller holds the latch of the bucket's segment.
    private static unsafe bool HasEmpty(ulong* bucket) => Vector512.EqualsAny(Vector512.LoadAligned(bucket), Vector512<ulong>.Zero);
}
