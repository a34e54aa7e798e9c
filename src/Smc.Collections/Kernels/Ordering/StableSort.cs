using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Sorts rows stably in a query's region, without delegates or managed memory: by one word where that can hold all keys (<see cref="PackedKeySort"/>), else by merging runs bottom up.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class StableSort
{
    private const int RunLength = 16;

    /// <summary>Sorts the rows; equal ones keep their order.</summary>
    public static void Sort<TRow>(ref Region region, ref RegionList<TRow> rows, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        if (rows.Count < 2)
            return;
        texts?.Rank();
        if (PackedKeySort.TrySort(ref region, ref rows, texts))
            return;
        SortRuns<TRow>(rows.Address, rows.Count, texts);
        if (rows.Count > RunLength)
            rows.Replace(MergeAll<TRow>(rows.Address, rows.AllocateSameSize(ref region), rows.Count, texts));
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void SortRuns<TRow>(ulong memory, int count, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        // SAFETY: indexes stay within [0, count).
        TRow* rows = (TRow*)memory;
        for (nint start = 0; start < count; start += RunLength)
            InsertionSort.Sort(rows, start, Math.Min(start + RunLength, count), texts);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong MergeAll<TRow>(ulong from, ulong to, int count, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        for (long width = RunLength; width < count; width *= 2)
        {
            for (long start = 0; start < count; start += 2 * width)
                Merge<TRow>(from, to, (nint)start, (nint)Math.Min(start + width, count), (nint)Math.Min(start + (2 * width), count), texts);
            (from, to) = (to, from);
        }

        return from;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Merge<TRow>(ulong from, ulong to, nint start, nint middle, nint end, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        // SAFETY: both memories hold at least `end` rows; left and right stay within their runs.
        TRow* left = (TRow*)from + start, right = (TRow*)from + middle, leftEnd = right, rightEnd = (TRow*)from + end, next = (TRow*)to + start;
        while (left < leftEnd && right < rightEnd)
        {
            // Which run the next row comes from cannot be foreseen, so nothing branches on it.
            ulong takesRight = KernelMemory.ToUInt64(TRow.Compare(*left, *right, texts) > 0);
            *next++ = *(TRow*)((ulong)left + (((ulong)right - (ulong)left) & (0 - takesRight)));
            right += takesRight;
            left += 1 - takesRight;
        }

        while (left < leftEnd)
            *next++ = *left++;
        while (right < rightEnd)
            *next++ = *right++;
    }
}
