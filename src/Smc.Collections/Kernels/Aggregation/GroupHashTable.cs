using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// From the hash of a group's keys to its number: open addressing, linear probing, multiplicative hash. A slot holds 32 bits of the hash and the number + 1,
/// so most strangers are passed over without looking at a group, and growing does not read groups.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct GroupHashTable
{
    private const int FirstBits = 10;

    // Growing moves everything, so it goes in long steps as long as the memory is not much.
    private const int BitsOfLongSteps = 18;

    private ulong _slots;
    private int _bits;
    private int _count;

    /// <summary>Where to begin looking for the 32 bits of a hash that a slot keeps, as <see cref="KeyWords.Spread"/> gives them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong First(ulong spread) => _bits == 0 ? 0 : spread >> (64 - _bits);

    /// <summary>The next place to look.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong Next(ulong position) => (position + 1) & ((1UL << _bits) - 1);

    /// <summary>Whether there is a group at a position that can have this hash; when <paramref name="isEmpty"/>, the hash has no group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe bool TryCandidate(ulong position, uint hash, out uint number, out bool isEmpty)
    {
        // SAFETY: positions come from First and Next and lie in the table.
        ulong slot = _bits == 0 ? 0 : ((ulong*)_slots)[position];
        number = (uint)slot - 1;
        isEmpty = slot == 0;
        return !isEmpty && (uint)(slot >> 32) == hash;
    }

    /// <summary>The group that begins with a word which is all of its key; it is added if it is new.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="key">The word.</param>
    /// <param name="region">Where groups are kept.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public ulong FindOrAdd(ref GroupRecords groups, ulong key, ref Region region)
    {
        uint hash = (uint)(KeyWords.Hash(0UL, key) >> 32);
        ulong position = First(KeyWords.Spread(hash));
        while (true)
        {
            if (TryCandidate(position, hash, out uint number, out bool isEmpty))
            {
                ulong group = groups.Place((int)number);
                if (KernelMemory.Read<ulong>(group) == key)
                    return group;
            }

            if (isEmpty)
                break;
            position = Next(position);
        }

        Add(hash, (uint)groups.NextPlace, ref region);
        ulong added = groups.Add(ref region);
        KernelMemory.Write(added, key);
        return added;
    }

    /// <summary>Adds a group that is not there yet.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Add(uint hash, uint number, ref Region region)
    {
        if (IsFull(_count, _bits))
            Grow(ref region);
        ulong position = First(KeyWords.Spread(hash));
        ulong* slots = (ulong*)_slots; // SAFETY: half of the table at most is in use, so there is an empty slot.
        while (slots[position] != 0)
            position = Next(position);
        slots[position] = ((ulong)hash << 32) | (number + 1);
        _count++;
    }

    /// <summary>Whether a table with that many groups has too few slots for one more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsFull(int count, int bits) => bits == 0 || count >= 1L << (bits - 1);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void Grow(ref Region region)
    {
        long oldSize = _bits == 0 ? 0 : 1L << _bits;
        ulong* old = (ulong*)_slots;
        _bits = _bits == 0 ? FirstBits : _bits + (_bits < BitsOfLongSteps ? 2 : 1);
        _slots = region.AllocateZeroed((1L << _bits) * sizeof(ulong));
        ulong* slots = (ulong*)_slots;
        for (long i = 0; i < oldSize; i++)
        {
            if (old[i] == 0)
                continue;
            ulong position = First(KeyWords.Spread((uint)(old[i] >> 32))); // SAFETY: as in Add.
            while (slots[position] != 0)
                position = Next(position);
            slots[position] = old[i];
        }
    }
}
