using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Sorts rows whose keys are whole numbers of ranges that fit one word together: such a word of all keys, the first on top, and the row's position below them, is sorted by radix (<see cref="RadixSort"/>).
/// </summary>
internal static unsafe class PackedKeySort
{
    /// <summary>Fewer rows are sorted faster by comparing.</summary>
    private const int LeastRows = 256;

    private const int MostKeys = 8;

    /// <summary>Sorts the rows, if they are enough, and their keys fit.</summary>
    /// <returns>Whether they are sorted.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for the words.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool TrySort<TRow>(ref Region region, ref RegionList<TRow> rows, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        if (TRow.WholeKeys is 0 or > MostKeys || rows.Count < LeastRows || texts is { HasRanks: false })
            return false;
        int rowBits = BitOperations.Log2((uint)rows.Count) + 1, keyBits = 0;
        Span<KeyRange> ranges = stackalloc KeyRange[TRow.WholeKeys];
        for (int key = 0; key < ranges.Length; key++)
        {
            ranges[key] = RangeOf(in rows, key, texts);
            keyBits += ranges[key].Bits;
        }

        if (rowBits + keyBits > 64)
            return false;
        long bytes = (long)rows.Count * sizeof(ulong);
        ulong keys = rowBits + keyBits == 64 ? ulong.MaxValue << rowBits : ((1UL << keyBits) - 1) << rowBits;
        ulong words = Pack(in rows, ranges, rowBits, texts, region.Allocate(bytes)), sorted = RadixSort.Sort(words, region.Allocate(bytes), rows.Count, keys);
        rows.Replace(Gather(in rows, sorted, rowBits, rows.AllocateSameSize(ref region)));
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static KeyRange RangeOf<TRow>(in RegionList<TRow> rows, int key, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        long minimum = long.MaxValue, maximum = long.MinValue;
        for (int i = 0; i < rows.Count; i++)
        {
            long value = TRow.WholeKey(rows[i], key, texts);
            minimum = Math.Min(minimum, value);
            maximum = Math.Max(maximum, value);
        }

        return new KeyRange(minimum, 64 - BitOperations.LeadingZeroCount(unchecked((ulong)maximum - (ulong)minimum)));
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong Pack<TRow>(in RegionList<TRow> rows, ReadOnlySpan<KeyRange> ranges, int rowBits, SortTexts? texts, ulong memory)
        where TRow : unmanaged, ISortRow<TRow>
    {
        // SAFETY: the memory holds a word for each row.
        ulong* words = (ulong*)memory;
        for (int i = 0; i < rows.Count; i++)
        {
            ulong word = 0;
            for (int key = 0; key < ranges.Length; key++)
                word = (word << ranges[key].Bits) | unchecked((ulong)TRow.WholeKey(rows[i], key, texts) - (ulong)ranges[key].Minimum);
            words[i] = (word << rowBits) | (uint)i;
        }

        return memory;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong Gather<TRow>(in RegionList<TRow> rows, ulong sorted, int rowBits, ulong memory)
        where TRow : unmanaged, ISortRow<TRow>
    {
        // SAFETY: there is a word for each row, whose lowest bits are the position of a row, and room for all rows.
        ulong* words = (ulong*)sorted;
        TRow* gathered = (TRow*)memory;
        int mask = (int)((1L << rowBits) - 1);
        for (nint i = 0; i < rows.Count; i++)
            gathered[i] = rows[(int)words[i] & mask];
        return memory;
    }

    private readonly record struct KeyRange(long Minimum, int Bits);
}
