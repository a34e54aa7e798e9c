using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// How the threads that share a scan divide the places of groups by dense id (<see cref="GroupRecords.PlaceByIndex(ulong, long, bool, in TargetRows, ref IndexWindows, int, ref Region)"/>), or a map by value
/// (<see cref="IntegerKeys"/>), where rows of one group lie near each other, as the items of an order do: then the blocks of a part have indexes (dense ids, or values counted from the least) that hardly any other block has, and the part writes to them
/// in the array that all share. What it finds outside goes to its hash table. So there is one array to clear, and hardly anything to merge.
/// </summary>
/// <remarks>
/// The indexes that belong to the blocks from one to another are those from <see cref="Start"/> to <see cref="End"/>, which rise from block to block and are decided once, before the scan. So they are apart
/// for parts that are, whatever a writer does to the rows meanwhile.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct IndexWindows
{
    /// <summary>Of the indexes between the least and the most of a block, one in so many may belong to blocks before it.</summary>
    private const ulong LeastApart = 8;

    private ulong _ends;
    private int _blocks;

    /// <summary>Whether parts have indexes of their own.</summary>
    internal readonly bool AreUsed => _ends != 0;

    /// <summary>The array that all parts write to; 0 before it is made.</summary>
    internal ulong Places { get; set; }

    /// <summary>Finds out which dense ids the blocks of a scan lead to. There are no windows where the scan stays on one thread, or rows of one group lie apart.</summary>
    /// <param name="context">The scanned collection.</param>
    /// <param name="zoneOffset">Where blocks have the zone map of the reference column.</param>
    /// <param name="target">The rows that the column leads to.</param>
    /// <param name="region">The query's region.</param>
    public static IndexWindows OfScan(MemoryContext context, ulong zoneOffset, in TargetRows target, ref Region region) =>
        OfScan(context, zoneOffset, TargetRows.HandleOf(0), TargetRows.DenseIdShift, target.Origin, target.Limit, ref region);

    /// <summary>As <see cref="OfScan(MemoryContext, ulong, in TargetRows, ref Region)"/>, of a column of integers.</summary>
    /// <param name="context">The scanned collection.</param>
    /// <param name="zoneOffset">Where blocks have the zone map of the column.</param>
    /// <param name="least">The value with index 0.</param>
    /// <param name="indexes">The number of indexes.</param>
    /// <param name="region">The query's region.</param>
    internal static IndexWindows OfScan(MemoryContext context, ulong zoneOffset, ulong least, ulong indexes, ref Region region) =>
        OfScan(context, zoneOffset, flip: 0, shift: 0, least, indexes, ref region);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static IndexWindows OfScan(MemoryContext context, ulong zoneOffset, ulong flip, int shift, ulong origin, ulong indexes, ref Region region)
    {
        BlockList blocks = SnapshotScope.BlocksOf(context);
        if (indexes == 0 || !ParallelScan.IsShared(context, blocks))
            return default;
        IndexWindows windows = new() { _ends = region.Allocate((long)blocks.Count * sizeof(ulong)), _blocks = blocks.Count };
        ulong end = 0, spans = 0, shared = 0;
        for (int i = 0; i < blocks.Count; i++)
        {
            ZoneSpan zone = ZoneSpan.Empty.With(blocks[i].Zone((int)zoneOffset));
            if (!zone.IsEmpty)
            {
                ulong least = IndexOf(zone.Minimum, flip, shift, origin), most = IndexOf(zone.Maximum, flip, shift, origin);
                // Null, or a row of another collection, or a value that is new since the indexes were counted.
                if (least >= indexes || most >= indexes)
                    return default;
                spans += most - least + 1;
                shared += Math.Min(most + 1, Math.Max(end, least)) - least;
                end = Math.Max(end, most + 1);
            }

            KernelMemory.Write(windows._ends + ((ulong)i * sizeof(ulong)), end);
        }

        return shared * LeastApart <= spans ? windows : default;
    }

    private static ulong IndexOf(long zone, ulong flip, int shift, ulong origin) => unchecked((((ulong)zone ^ flip) >> shift) - origin);

    /// <summary>The first index that belongs to a block.</summary>
    internal readonly ulong Start(int block) => block == 0 ? 0 : End(block - 1);

    /// <summary>The index behind those that belong to a block.</summary>
    internal readonly ulong End(int block) => KernelMemory.Read<ulong>(_ends + ((ulong)Math.Min(block, _blocks - 1) * sizeof(ulong)));
}
