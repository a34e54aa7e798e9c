using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Words that the groups of a query have counted, each with the number of its group: a set of pairs in the query's region. Open addressing, linear probing; a slot holds the pair itself, so a look is one
/// line of memory, and growing reads nothing else.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public unsafe struct DistinctSet
{
    private const int FirstBits = 10;

    // Growing moves everything, so it goes in long steps as long as the memory is not much.
    private const int BitsOfLongSteps = 18;

    private Pair* _slots;
    private int _bits;
    private long _count;

    /// <summary>Places for pairs, in no order; see <see cref="TryGet"/>.</summary>
    public readonly long Places => _bits == 0 ? 0 : 1L << _bits;

    /// <summary>Adds a pair.</summary>
    /// <param name="group">The number of the group; not negative.</param>
    /// <param name="word">The word.</param>
    /// <param name="region">The query's region.</param>
    /// <returns>False if it is there.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool Add(int group, ulong word, ref Region region)
    {
        if (_count >= Places >> 1)
            Grow(ref region);
        // SAFETY: half of the slots at most are in use, so the search ends; places lie in the table.
        Pair pair = new() { Word = word, Number = group + 1, Hash = (uint)(KeyWords.Spread(KeyWords.Hash(KeyWords.Hash(0, (uint)group), word)) >> 32) };
        Pair* slot = Find(_slots, _bits, pair);
        if (slot->Number != 0)
            return false;
        *slot = pair;
        _count++;
        return true;
    }

    /// <summary>The pair at a place, if there is one.</summary>
    public readonly bool TryGet(long place, out int group, out ulong word)
    {
        Pair pair = _slots[place]; // SAFETY: callers go from 0 to Places.
        group = pair.Number - 1;
        word = pair.Word;
        return pair.Number != 0;
    }

    /// <summary>Where the pair is, or the empty slot that it would take. Slots are taken by the upper bits of hashes, so that growing goes through old and new memory in one direction.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Pair* Find(Pair* slots, int bits, in Pair pair)
    {
        ulong mask = (1UL << bits) - 1, place = ((ulong)pair.Hash << bits) >> 32;
        while (slots[place].Number != 0 && (slots[place].Word != pair.Word || slots[place].Number != pair.Number))
            place = (place + 1) & mask;
        return slots + place;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Grow(ref Region region)
    {
        int bits = _bits == 0 ? FirstBits : _bits + (_bits < BitsOfLongSteps ? 2 : 1);
        Pair* slots = (Pair*)region.AllocateZeroed((1L << bits) * sizeof(Pair));
        for (long place = 0; place < Places; place++)
        {
            if (_slots[place].Number != 0)
                *Find(slots, bits, _slots[place]) = _slots[place];
        }

        _slots = slots;
        _bits = bits;
    }

    private struct Pair
    {
        public ulong Word;

        /// <summary>The number of the group + 1; 0 where there is no pair.</summary>
        public int Number;

        public uint Hash;
    }
}
