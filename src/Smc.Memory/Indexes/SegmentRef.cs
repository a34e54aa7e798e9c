using System.Runtime.CompilerServices;

namespace Smc.Memory.Indexes;

/// <summary>A segment as the directory names it, in one word: <c>depth | address | buckets</c>. A look-up finds its bucket without reading the segment's header.</summary>
internal readonly struct SegmentRef
{
    private const int BucketsMask = 0x3FF;
    private const int DepthShift = 48;
    private const ulong AddressMask = (1UL << DepthShift) - IndexPiece.UnitBytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SegmentRef(ulong word) => Word = word;

    public SegmentRef(ulong address, int depth, int buckets) => Word = address | (ulong)depth << DepthShift | (uint)buckets;

    /// <summary>As the directory keeps it.</summary>
    public ulong Word { get; }

    public ulong Address
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Word & AddressMask;
    }

    public int Depth
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (int)(Word >> DepthShift);
    }

    public int Buckets
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (int)Word & BucketsMask;
    }

    /// <summary>Where a hash with the segment's prefix belongs in it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IndexPlace PlaceOf(ulong hash) => IndexPlace.Of(hash, Buckets, Depth);

    /// <summary>Whether places in it determine the whole hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TellsHash() => IndexPlace.TellsHash(Buckets, Depth);
}
