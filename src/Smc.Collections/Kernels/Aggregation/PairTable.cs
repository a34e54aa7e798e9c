using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A set in the query's region. Open addressing, linear probing; a slot holds the pair itself, so a look is one line of memory, and growing reads nothing else. All zero: nothing is in it.
/// </summary>
/// <typeparam name="TPair">What is in it.</typeparam>
internal unsafe struct PairTable<TPair>
    where TPair : unmanaged, IPair<TPair>
{
    private const int FirstBits = 10;

    // Growing moves everything, so it goes in long steps as long as the memory is not much.
    private const int BitsOfLongSteps = 18;

    private TPair* _slots;
    private int _bits;
    private long _count;

    /// <summary>The number of slots.</summary>
    public readonly long Places => _bits == 0 ? 0 : 1L << _bits;

    /// <summary>What a slot holds.</summary>
    /// <safety>The place is below <see cref="Places"/>.</safety>
    public readonly ref readonly TPair this[long place] => ref _slots[place];

    /// <summary>Adds a pair.</summary>
    /// <returns>False if it is there.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Add(in TPair pair, ref Region region)
    {
        if (_count >= Places >> 1)
            Grow(ref region);
        // SAFETY: half of the slots at most are in use, so the search ends; places lie in the table.
        TPair* slot = Find(_slots, _bits, pair);
        if (!slot->IsNone)
            return false;
        *slot = pair;
        _count++;
        return true;
    }

    /// <summary>Asks for the slot where a pair is looked for first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Ask(in TPair pair)
    {
        if (_bits != 0)
            KernelMemory.Prefetch((ulong)(_slots + FirstPlace(_bits, pair)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FirstPlace(int bits, in TPair pair) => KeyWords.Spread(pair.Hash) >> (64 - bits);

    /// <summary>Where the pair is, or the empty slot that it would take. Slots are taken by the upper bits of hashes, so that growing goes through old and new memory in one direction.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TPair* Find(TPair* slots, int bits, in TPair pair)
    {
        ulong mask = (1UL << bits) - 1, place = FirstPlace(bits, pair);
        while (!slots[place].IsNone && !TPair.AreEqual(slots[place], pair))
            place = (place + 1) & mask;
        return slots + place;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private void Grow(ref Region region)
    {
        int bits = _bits == 0 ? FirstBits : _bits + (_bits < BitsOfLongSteps ? 2 : 1);
        TPair* slots = (TPair*)region.AllocateZeroed((1L << bits) * sizeof(TPair));
        for (long place = 0; place < Places; place++)
        {
            if (!_slots[place].IsNone)
                *Find(slots, bits, _slots[place]) = _slots[place];
        }

        _slots = slots;
        _bits = bits;
    }
}
