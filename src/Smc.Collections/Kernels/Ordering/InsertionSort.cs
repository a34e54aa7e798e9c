using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Sorts a few rows in place; equal ones keep their order.</summary>
internal static unsafe class InsertionSort
{
    /// <summary>Sorts the rows from <paramref name="start"/> to before <paramref name="end"/>.</summary>
    /// <safety><paramref name="rows"/> has as many rows.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Sort<TRow>(TRow* rows, nint start, nint end, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        for (nint i = start + 1; i < end; i++)
        {
            TRow moving = rows[i];
            nint hole = i;
            for (; hole > start && TRow.Compare(moving, rows[hole - 1], texts) < 0; hole--)
                rows[hole] = rows[hole - 1];
            rows[hole] = moving;
        }
    }
}
