using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>What the table knows of one page of entries: one line of the cache, so that looking an entry up takes this line and the entry's.</summary>
/// <remarks>
/// <code>
///   0  [ address of the packed page; 0 if the entries are in their places : 64 ]
///   8  [ how many ids in use are below 64, 128 and 192                    : 8 each ]
///  16  [ which ids are in use                                             : 256 bits ]
///  48  [ 0 : 128 ]
/// </code>
/// All but the address changes only while nobody can have read an address: see <see cref="PackedEntries.MayPackIn"/>.
/// </remarks>
[StructLayout(LayoutKind.Sequential, Size = 64)]
internal unsafe struct PackedPlace
{
    public ulong Packed;
    private fixed byte _below[8];
    private fixed ulong _inUse[PackedPage.Ids / 64];

    /// <summary>Notes which ids are in use: those that are not free.</summary>
    public void Describe(Bits free)
    {
        int below = 0;
        for (int i = 0; i < free.Words.Length; i++)
        {
            _inUse[i] = ~free.Words[i];
            _below[i] = (byte)below;
            below += BitOperations.PopCount(~free.Words[i]);
        }
    }

    /// <summary>The entry of an id, or null if the id was not in use when the page was packed.</summary>
    /// <param name="packed">The packed page, as read from this place.</param>
    /// <param name="index">Where in its page the id is.</param>
    /// <safety>The caller read the address in its critical section, or under the collection's lock.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly EntryWord* Find(PackedPage* packed, int index)
    {
        ulong word = _inUse[index >> 6];
        ulong bit = 1UL << (index & 63);
        if ((word & bit) == 0) return null;
        // SAFETY: as the caller promises; the entry is one of those that the page has.
        return PackedPage.Entries(packed) + _below[index >> 6] + BitOperations.PopCount(word & (bit - 1));
    }

    /// <summary>Where in the page the ids in use are, ascending.</summary>
    public readonly IndexEnumerator Indexes() => new(_inUse[0], _inUse[1], _inUse[2], _inUse[3]);

    /// <summary>Goes through the bits. Nothing is allocated: a compaction packs thousands of pages.</summary>
    public ref struct IndexEnumerator(ulong first, ulong second, ulong third, ulong fourth)
    {
        private ulong _rest = first;
        private int _word;

        public int Current { get; private set; }

        public readonly IndexEnumerator GetEnumerator() => this;

        public bool MoveNext()
        {
            while (_rest == 0)
            {
                _word++;
                if (_word == PackedPage.Ids / 64) return false;
                _rest = _word switch { 1 => second, 2 => third, _ => fourth };
            }
            Current = _word * 64 + BitOperations.TrailingZeroCount(_rest);
            _rest &= _rest - 1;
            return true;
        }
    }
}
