using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A row that a group keeps. Generated per query.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IChainedRow
{
    /// <summary>The number of the group's next row, which is larger than this row's; 0 if there is none.</summary>
    int Next { get; set; }
}

/// <summary>The rows of groups, chained per group in one list whose row 0 stands for none.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ChainedRows
{
    /// <summary>Lists that fit the second-level cache are read as fast in any order.</summary>
    private const long FewBytes = 512 << 10;

    /// <summary>So many rows are looked at to see whether neighbours are in one group already.</summary>
    private const int Sample = 1_000;

    /// <summary>
    /// Lays the rows of each group side by side, where they lie apart and are many: reading a group goes from row to row, and would miss the cache at each of them. What chains hold and
    /// their order stay as they are. Two passes over the list and no chain is followed, so misses overlap: about 10 ns a row.
    /// </summary>
    /// <param name="region">Where the rows are kept.</param>
    /// <param name="groups">The groups.</param>
    /// <param name="chain">Where a group has the numbers of its first and its last row.</param>
    /// <param name="rows">The rows.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Arrange<T>(ref Region region, in GroupRecords groups, int chain, ref RegionList<T> rows)
        where T : unmanaged, IChainedRow
    {
        if ((long)rows.Count * Unsafe.SizeOf<T>() < FewBytes || LieTogether(rows))
            return;
        ulong first = (ulong)chain, last = first + sizeof(int);
        ulong groupOf = region.AllocateZeroed((long)rows.Count * sizeof(int)), ends = region.AllocateZeroed((groups.Count + 1L) * sizeof(int));
        for (int group = 0; group < groups.Count; group++)
            KernelMemory.Write(groupOf + At(KernelMemory.Read<int>(groups.At((uint)group) + first)), group + 1);

        // A row's group is known when the pass comes to it: the row before it in the chain has told.
        for (int row = 1; row < rows.Count; row++)
        {
            int group = KernelMemory.Read<int>(groupOf + At(row));
            KernelMemory.Write(groupOf + At(rows[row].Next), group);
            ulong end = ends + At(group);
            KernelMemory.Write(end, KernelMemory.Read<int>(end) + 1);
        }

        // Now counts become the places where groups begin, and where each group's next row goes.
        int next = 1;
        for (int group = 0; group < groups.Count; group++)
        {
            ulong record = groups.At((uint)group), end = ends + At(group + 1);
            int begin = next;
            next += KernelMemory.Read<int>(end);
            KernelMemory.Write(end, begin);
            KernelMemory.Write(record + first, next == begin ? 0 : begin);
            KernelMemory.Write(record + last, next == begin ? 0 : next - 1);
        }

        RegionList<T> arranged = default;
        arranged.AddRange(ref region, rows, 0);
        for (int row = 1; row < rows.Count; row++)
        {
            ulong end = ends + At(KernelMemory.Read<int>(groupOf + At(row)));
            int place = KernelMemory.Read<int>(end);
            KernelMemory.Write(end, place + 1);
            ref T moved = ref arranged[place];
            moved = rows[row];
            moved.Next = moved.Next == 0 ? 0 : place + 1;
        }

        rows = arranged;
    }

    private static ulong At(int number) => (ulong)number * sizeof(int);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool LieTogether<T>(in RegionList<T> rows)
        where T : unmanaged, IChainedRow
    {
        int together = 0, count = Math.Min(Sample, rows.Count);
        for (int row = 1; row < count; row++)
        {
            if (rows[row].Next == row + 1)
                together++;
        }

        return together > count / 2;
    }
}
