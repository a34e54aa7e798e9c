using System.Numerics;
using System.Runtime.InteropServices;

namespace Smc.Memory.Indirection;

/// <summary>
/// What is kept of a page of 256 entries of which few are in use: these, one after another. <see cref="PackedEntries"/> has the protocol.
/// </summary>
/// <remarks>
/// <code>
///   0  [ which of the page's ids are in use                        : 256 bits ]
///  32  [ which go back to the free ids when the page is restored   : 256 bits ]
///  64  [ highest incarnation that an entry of the page had : 32 | entries : 32 ]
///  72  [ number of the batch : 32 | given back to the system : 32 ]
///  80  [ entries in use, ascending by id                           : 128 each ]
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct PackedPage
{
    public const int HeaderBytes = 80;

    /// <summary>Size of the page in place, as the system has it.</summary>
    public const int Bytes = 4096;

    /// <summary>Ids of a page.</summary>
    public const int Ids = Bytes / EntryWord.SizeInBytes;

    /// <summary>A page with more ids in use is not packed; with so many it takes a quarter of its size.</summary>
    public const int MostInUse = Ids / 4;

    /// <summary>The bits of an id that tell where in its page it is.</summary>
    public const uint Mask = Ids - 1;

    public fixed ulong InUse[Ids / 64];
    public fixed ulong ToFree[Ids / 64];
    public uint Highest;
    public int Count;
    public int Batch;

    /// <summary>1 once the page in place reads as zero for good.</summary>
    public int IsDiscarded;

    /// <summary>Number of the page that an id lies in.</summary>
    public static int Of(uint id) => (int)(id / Ids);

    /// <summary>Size of a packed page with so many entries.</summary>
    public static int BytesFor(int entries) => HeaderBytes + entries * EntryWord.SizeInBytes;

    /// <summary>The entry of an id, or null if the id was not in use when the page was packed.</summary>
    /// <param name="page">Address of a packed page.</param>
    /// <param name="index">Where in its page the id is.</param>
    /// <safety>The packed page is mapped: the caller found it in its critical section, or under the context's lock.</safety>
    public static EntryWord* Find(ulong page, int index)
    {
        // SAFETY: as the caller promises. The bits in use never change.
        PackedPage* packed = (PackedPage*)page;
        int word = index >> 6;
        ulong bit = 1UL << (index & 63);
        if ((packed->InUse[word] & bit) == 0) return null;
        int rank = BitOperations.PopCount(packed->InUse[word] & (bit - 1));
        for (int i = 0; i < word; i++) rank += BitOperations.PopCount(packed->InUse[i]);
        return (EntryWord*)(page + HeaderBytes) + rank;
    }

    /// <summary>Where in the page its ids in use are, ascending.</summary>
    public static IndexEnumerator Indexes(PackedPage* packed) => new(packed);

    /// <summary>Goes through the bits in use. Nothing is allocated: a compaction packs thousands of pages.</summary>
    public ref struct IndexEnumerator(PackedPage* packed)
    {
        private ulong _rest = packed->InUse[0];
        private int _word;

        public int Current { get; private set; }

        public readonly IndexEnumerator GetEnumerator() => this;

        public bool MoveNext()
        {
            // SAFETY: as in Find.
            while (_rest == 0)
            {
                if (++_word == Ids / 64) return false;
                _rest = packed->InUse[_word];
            }
            Current = _word * 64 + BitOperations.TrailingZeroCount(_rest);
            _rest &= _rest - 1;
            return true;
        }
    }
}
