using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Allocation;

namespace Smc.Memory.Indexes;

/// <summary>
/// A segment of a unique index: the words of all hashes with one prefix. Readers read words; everything else is read and written under the latch.
/// </summary>
/// <remarks>
/// <code>
///   0  [ header : 64 ]
///  64  [ bucket : 8 words, 64 bytes ] * Buckets
///      [ hash of each word : 8 bytes ] * Buckets * 8      only if the words do not tell the hashes, see IndexPlace.TellsHash
/// </code>
/// A word stays where it is until it is taken out or the segment is replaced. A bucket that has a word 0 was never full, so no word was ever displaced past it:
/// look-ups end there.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = HeaderBytes)]
internal struct IndexSegment
{
    public const int HeaderBytes = 64;
    public const int WordsPerBucket = 8;
    public const int BucketBytes = 64;

    /// <summary>A word lies in its home bucket or one of the next three of its chain (<see cref="IndexPlace.After"/>).</summary>
    public const int MaxDisplacement = 3;

    [FieldOffset(0)] public Latch Latch;

    /// <summary>Set when another segment took the place of this one; a writer that waited for the latch starts over.</summary>
    [FieldOffset(4)] public bool IsReplaced;

    [FieldOffset(8)] public int Buckets;

    /// <summary>The number of bits of <see cref="Prefix"/>.</summary>
    [FieldOffset(12)] public int Depth;

    [FieldOffset(16)] public ulong Prefix;

    /// <summary>Words that are not 0.</summary>
    [FieldOffset(24)] public int Used;

    [FieldOffset(28)] public int Tombstones;

    /// <summary>Words that name a row.</summary>
    public readonly int Live => Volatile.Read(in Used) - Volatile.Read(in Tombstones);

    public readonly bool KeepsHashes => !IndexPlace.TellsHash(Buckets, Depth);

    /// <summary>Words at which the segment grows: 13 of 16.</summary>
    public static int LimitOf(int buckets) => buckets * WordsPerBucket * 13 / 16;

    /// <summary>The bytes of a segment.</summary>
    public static int BytesOf(int buckets, int depth) =>
        HeaderBytes + buckets * BucketBytes * (IndexPlace.TellsHash(buckets, depth) ? 1 : 2);

    /// <summary>The first word of a bucket.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong* Bucket(ulong segment, int bucket) => (ulong*)(segment + HeaderBytes + (ulong)bucket * BucketBytes);

    /// <summary>The hash that is kept for a word.</summary>
    /// <safety>The segment keeps hashes, and the caller holds its latch.</safety>
    public static unsafe ulong* HashOf(ulong segment, ulong* word)
    {
        // SAFETY: hashes lie behind the buckets in the order of the words.
        ulong* first = Bucket(segment, 0);
        return first + ((IndexSegment*)segment)->Buckets * WordsPerBucket + (word - first);
    }

    /// <summary>The whole hash of a word that names a row.</summary>
    /// <safety>The caller holds the segment's latch.</safety>
    public static unsafe ulong WholeHash(ulong segment, ulong* word)
    {
        // SAFETY: as the caller promises.
        IndexSegment* header = (IndexSegment*)segment;
        if (header->KeepsHashes) return *HashOf(segment, word);
        int bucket = (int)(word - Bucket(segment, 0)) / WordsPerBucket;
        return IndexPlace.OfWord(bucket, IndexWord.DisplacementOf(*word), IndexWord.RemainderOf(*word), header->Buckets).ToHash(header->Prefix, header->Buckets, header->Depth);
    }

    /// <summary>Puts a word in the first free place of its chain.</summary>
    /// <param name="segment">A segment into which only this method has put words.</param>
    /// <param name="hash">The whole hash.</param>
    /// <param name="row">The part of the word that names the row, with or without M.</param>
    /// <param name="counts">The number of words in each bucket: read instead of the bucket, of which a processor could not read eight words while it is still writing the last one.</param>
    /// <returns>False if the buckets of the chain are full.</returns>
    /// <safety>No other thread has the segment.</safety>
    public static unsafe bool TryFill(ulong segment, ulong hash, ulong row, Span<byte> counts)
    {
        // SAFETY: as the caller promises.
        IndexSegment* header = (IndexSegment*)segment;
        IndexPlace place = IndexPlace.Of(hash, header->Buckets, header->Depth);
        ulong word = row | IndexWord.OfPlace(place);
        int bucket = place.Home;
        for (int displacement = 0; displacement <= MaxDisplacement; displacement++, word += IndexWord.DisplacementUnit)
        {
            int count = counts[bucket];
            if (count < WordsPerBucket)
            {
                ulong* free = Bucket(segment, bucket) + count;
                *free = word;
                if (header->KeepsHashes) *HashOf(segment, free) = hash;
                counts[bucket]++;
                return true;
            }
            bucket = place.After(bucket, header->Buckets);
        }
        return false;
    }
}
