using System.Runtime.CompilerServices;

namespace Smc.Memory.Indexes;

/// <summary>
/// Where a hash of 40 bits belongs in a segment: the home bucket, and the remainder that a word keeps. The upper bits of the hash, as many as the segment
/// is deep, chose the segment.
/// </summary>
/// <remarks>
/// The lower bits are read as a fraction and multiplied by the number of buckets. The whole part of the product is the bucket, the first 25 bits after the point are the
/// remainder. Neighbouring hashes differ by <c>buckets</c> units of the product's last bit. If that is at least one unit of the remainder
/// (<see cref="TellsHash"/>), bucket and remainder determine the hash.
/// </remarks>
/// <param name="Home">The bucket.</param>
/// <param name="Remainder">25 bits.</param>
internal readonly record struct IndexPlace(int Home, uint Remainder)
{
    public const int HashBits = 40;
    public const int RemainderBits = 25;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static IndexPlace Of(ulong hash, int buckets, int depth)
    {
        // The prefix is shifted out: what is left is a fraction of 2^64.
        ulong home = Math.BigMul(hash << (64 - HashBits + depth), (ulong)buckets, out ulong fraction);
        return new IndexPlace((int)home, (uint)(fraction >> (64 - RemainderBits)));
    }

    /// <summary>
    /// The place of which a word keeps a remainder. Chains step by 1 to 16 buckets, by their remainder: those that begin in one bucket part behind it, so that a segment is
    /// fuller by a twelfth before one of them is full (decision 0017).
    /// </summary>
    /// <param name="bucket">Where the word lies.</param>
    /// <param name="displacement">How many steps behind the home bucket that is.</param>
    /// <param name="remainder">The remainder.</param>
    /// <param name="buckets">Buckets of the segment, more than the longest chain reaches over.</param>
    public static IndexPlace OfWord(int bucket, int displacement, uint remainder, int buckets)
    {
        int home = bucket - displacement * StepOf(remainder);
        return new IndexPlace(home < 0 ? home + buckets : home, remainder);
    }

    /// <summary>The bucket behind one of the chain.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int After(int bucket, int buckets)
    {
        int next = bucket + StepOf(Remainder);
        return next >= buckets ? next - buckets : next;
    }

    private static int StepOf(uint remainder) => 1 + (int)(remainder & 15);

    /// <summary>True if home and remainder in a segment of this size determine the whole hash: from 2^15 buckets of the index on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TellsHash(int buckets, int depth) => (ulong)buckets << depth >= 1UL << (HashBits - RemainderBits);

    /// <summary>The hash that has this place in a segment for which <see cref="TellsHash"/> is true.</summary>
    /// <param name="prefix">The bits that chose the segment.</param>
    /// <param name="buckets">Buckets of the segment.</param>
    /// <param name="depth">Number of bits of the prefix.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ToHash(ulong prefix, int buckets, int depth)
    {
        int bits = HashBits - depth;
        ulong fraction = bits >= RemainderBits ? (ulong)Remainder << (bits - RemainderBits) : (ulong)Remainder >> (RemainderBits - bits);
        ulong product = (ulong)Home << bits | fraction;
        // The remainder lacks the last bits of the product, so the product of the hash is the first multiple that is not less.
        return prefix << bits | (product + (ulong)buckets - 1) / (ulong)buckets;
    }
}
