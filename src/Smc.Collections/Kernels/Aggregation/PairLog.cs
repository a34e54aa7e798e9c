using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Pairs of a group and one of its words in the order in which they came, as long as few come twice: to write one behind the other, and to sort them at the end, takes half the time in
/// which each is looked for in a set that is larger than the caches near the processor.
/// </summary>
/// <remarks>All zero: nothing is in it.</remarks>
internal unsafe struct PairLog
{
    private const int FirstCapacity = 256;

    /// <summary>A log takes no more pairs.</summary>
    private const int MostPairs = 1 << 30;

    private NarrowPair* _pairs;
    private int _capacity;
    private ulong _least;

    /// <summary>The number of pairs, those that are there twice included.</summary>
    public int Count { get; private set; }

    /// <summary>The number of a pair's group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int GroupAt(int pair) => _pairs[pair].Group;

    /// <summary>The word of a pair.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong WordAt(int pair) => unchecked(_least + _pairs[pair].Distance);

    /// <summary>Adds a pair, if there is room and it fits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAdd(int group, ulong word)
    {
        if (Count == _capacity || !NarrowPair.Fits(group, word, _least))
            return false;
        _pairs[Count++] = new NarrowPair(group, unchecked(word - _least)); // SAFETY: there is room.
        return true;
    }

    /// <summary>Makes room for a pair that could not be added.</summary>
    /// <param name="group">The number of the group.</param>
    /// <param name="word">The word.</param>
    /// <param name="region">The query's region.</param>
    /// <returns>False if a set is better from here on: the pair does not fit, many came twice, or they are too many.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool TryMakeRoom(int group, ulong word, ref Region region)
    {
        if (_capacity == 0)
            _least = NarrowPair.LeastAround(word);
        if (Count < _capacity || Count >= MostPairs || !NarrowPair.Fits(group, word, _least))
            return false;
        // Not each time: the look takes as long as adding the pairs.
        if (BitOperations.Log2((uint)Count | 1) % 2 == 1 && !AreMostDifferent(ref region))
            return false;
        int capacity = Math.Max(FirstCapacity, 2 * Count);
        ulong memory = region.Allocate((long)capacity * sizeof(NarrowPair));
        // SAFETY: both memories hold Count pairs.
        new ReadOnlySpan<NarrowPair>(_pairs, Count).CopyTo(new Span<NarrowPair>((void*)memory, Count));
        _pairs = (NarrowPair*)memory;
        _capacity = capacity;
        return true;
    }

    /// <summary>Writes the number of distinct words that each group has in the log to its record.</summary>
    /// <param name="groups">The groups; their numbers are their places.</param>
    /// <param name="offset">Where a group's record has the number.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory to sort.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly void WriteCounts(in GroupRecords groups, int offset, ref Region region)
    {
        long bytes = (long)Count * sizeof(ulong);
        ulong packed = region.Allocate(bytes);
        int wordBits = PackTo(packed, out ulong used);
        ulong* keys = (ulong*)RadixSort.Sort(packed, region.Allocate(bytes), Count, used); // SAFETY: Count keys.
        ulong last = ulong.MaxValue;
        long different = 0;
        for (nint i = 0; i < Count; i++)
        {
            ulong key = keys[i];
            // Each pair writes the count of its group so far: the last one stays, and there is no branch that nobody can foretell.
            different = (key >> wordBits == last >> wordBits ? different : 0) + (long)KernelMemory.ToUInt64(key != last);
            *(long*)(groups.Place((int)(key >> wordBits)) + (ulong)offset) = different; // SAFETY: who adds a pair has the group.
            last = key;
        }
    }

    /// <summary>Writes the pairs as words with their group above and their word below, without the bits that are the same in all, so that a sort has few to look at.</summary>
    /// <returns>The bits below the group.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly int PackTo(ulong memory, out ulong used)
    {
        ulong least = ulong.MaxValue, most = 0, differences = 0;
        for (nint i = 0; i < Count; i++)
        {
            ulong distance = _pairs[i].Distance;
            least = Math.Min(least, distance);
            most = Math.Max(most, distance);
            differences |= distance ^ _pairs[0].Distance;
        }

        int equal = BitOperations.TrailingZeroCount(differences | NarrowPair.Words), bits = differences == 0 ? 0 : BitOperations.Log2((most - least) >> equal) + 1;
        ulong* keys = (ulong*)memory; // SAFETY: room for Count.
        used = 0;
        for (nint i = 0; i < Count; i++)
        {
            ulong key = ((ulong)_pairs[i].Group << bits) | ((_pairs[i].Distance - least) >> equal);
            keys[i] = key;
            used |= key;
        }

        return bits;
    }

    /// <summary>Whether more than three fifths of the pairs of a full log are different, by how many bits of as many their hashes set: 1 - 1 / e^0.6 of them, or 0.45, if it is so many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly bool AreMostDifferent(ref Region region)
    {
        int bits = BitOperations.Log2((uint)Count), words = 1 << (bits - 6);
        ulong* set = (ulong*)region.AllocateZeroed((long)words * sizeof(ulong)); // SAFETY: a bit for each hash of so many bits.
        for (nint i = 0; i < Count; i++)
        {
            ulong bit = KeyWords.Spread(_pairs[i].Hash) >> (64 - bits);
            set[bit >> 6] |= 1UL << (int)bit;
        }

        long different = 0;
        for (nint i = 0; i < words; i++)
            different += BitOperations.PopCount(set[i]);
        return different * 20 > (long)words * 64 * 9;
    }
}
