using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Memory.Indexes;

/// <summary>Which segment has the words of a hash, by extendible hashing: a place for each prefix of the hash.</summary>
/// <remarks>
/// Invariants: the number of places is a power of two. A segment has all places that begin with its prefix, and only who holds its latch puts others there; those who do so for
/// different segments take turns. It is read without a lock: who finds a segment that was replaced since sees the state at the moment of the replacement.
/// A part of its table and no object of its own, because every look-up reads it. The places are a managed array: look-ups that hold an old one need no epoch, and the
/// collector does not look inside.
/// </remarks>
internal struct IndexDirectory
{
    private readonly Lock _lock = new();
    private ulong[] _places;

    /// <summary>Makes a directory of one segment, which has all hashes.</summary>
    public IndexDirectory(SegmentRef segment) => _places = [segment.Word];

    /// <summary>Words that name a row. Exact while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public readonly unsafe long Count
    {
        get
        {
            long count = 0;
            ulong last = 0;
            foreach (ulong word in Volatile.Read(in _places))
            {
                // SAFETY: the caller's section keeps the segments. Places of one segment are neighbours.
                if (word != last) count += ((IndexSegment*)new SegmentRef(word).Address)->Live;
                last = word;
            }
            return count;
        }
    }

    /// <summary>The segment that has a hash at this moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly SegmentRef Find(ulong hash)
    {
        ulong[] places = Volatile.Read(in _places);
        // The first bits of a hash, as many as the number of a place has.
        return new SegmentRef(Volatile.Read(ref places[hash >> (IndexPlace.HashBits - BitOperations.Log2((uint)places.Length))]));
    }

    /// <summary>Puts new segments in the place of the one that has their prefixes. The directory doubles until it is deep enough.</summary>
    /// <safety>The caller holds the latch of the segment that goes.</safety>
    public unsafe void Show(List<SegmentRef> made)
    {
        lock (_lock)
        {
            ulong[] places = _places;
            int depth = BitOperations.Log2((uint)places.Length);
            int wanted = Math.Max(depth, made.Max(static segment => segment.Depth));
            if (wanted > depth)
            {
                ulong[] larger = new ulong[1 << wanted];
                for (int i = 0; i < larger.Length; i++) larger[i] = places[i >> (wanted - depth)];
                places = larger;
            }
            foreach (SegmentRef segment in made)
            {
                int missing = wanted - segment.Depth;
                // SAFETY: made by the caller, and not freed.
                ulong first = ((IndexSegment*)segment.Address)->Prefix << missing;
                // Release: the segment's words before its address.
                for (ulong i = 0; i < 1UL << missing; i++) Volatile.Write(ref places[first + i], segment.Word);
            }
            Volatile.Write(ref _places, places);
        }
    }

    /// <summary>Calls a check for each word: with the id of its row, its whole hash, and whether it is in motion. For tests, while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public readonly unsafe void Walk(Action<uint, ulong, bool> check)
    {
        foreach (ulong place in _places.Distinct())
        {
            SegmentRef segment = new(place);
            // SAFETY: no thread writes.
            ulong* first = IndexSegment.Bucket(segment.Address, 0);
            for (ulong* word = first; word < first + segment.Buckets * IndexSegment.WordsPerBucket; word++)
            {
                if (IndexWord.HasRow(*word)) check(IndexWord.IdOf(*word), IndexSegment.WholeHash(segment.Address, word), IndexWord.IsInMotion(*word));
            }
        }
    }
}
