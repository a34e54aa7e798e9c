using System.Runtime.InteropServices;
using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>
/// What is kept of a page of 256 entries of which few are in use: these, one after another. Which they are is in the table, in the page's
/// <see cref="PackedPlace"/>; <see cref="PackedEntries"/> has the protocol.
/// </summary>
/// <remarks>
/// <code>
///   0  [ which ids of the page go to the free ones when it is restored : 256 bits ]
///  32  [ highest incarnation that an entry of the page had             : 32 ]
///  36  [ number of the batch : 32 | given back to the system           : 32 ]
///  48  [ entries in use, ascending by id                               : 128 each ]
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct PackedPage
{
    public const int HeaderBytes = 48;

    /// <summary>Size of the page in place, as the system has it.</summary>
    public const int Bytes = 4096;

    /// <summary>Ids of a page.</summary>
    public const int Ids = Bytes / EntryWord.SizeInBytes;

    /// <summary>A page with more ids in use is not packed; with so many it takes a quarter of its size.</summary>
    public const int MostInUse = Ids / 4;

    /// <summary>The bits of an id that tell where in its page it is.</summary>
    public const uint Mask = Ids - 1;

    public fixed ulong ToFree[Ids / 64];
    public uint Highest;
    public int Batch;

    /// <summary>1 once the page in place reads as zero for good.</summary>
    public int IsDiscarded;

    /// <summary>Number of the page that an id lies in.</summary>
    public static int Of(uint id) => (int)(id / Ids);

    /// <summary>Size of a packed page with so many entries.</summary>
    public static int BytesFor(int entries) => HeaderBytes + entries * EntryWord.SizeInBytes;

    /// <summary>The first entry of a packed page.</summary>
    public static EntryWord* Entries(PackedPage* packed) => (EntryWord*)(packed + 1);

    /// <summary>Which ids go to the free ones when the page is restored, by their index in it.</summary>
    public static Bits ToBeFree(PackedPage* packed) => new(new Span<ulong>(packed->ToFree, Ids / 64));
}
