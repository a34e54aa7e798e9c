using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Brings the row that a sort would put at a place there, with smaller ones before it and larger ones behind (Hoare's quickselect): about three comparisons a row.</summary>
internal static class Quickselect
{
    private const int Few = 16;

    /// <summary>Divides rows of which no two compare as equal.</summary>
    /// <param name="address">The rows.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="place">A place among them.</param>
    /// <param name="texts">As <see cref="ISortRow{TSelf}.Compare"/> takes them.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void Divide<TRow>(ulong address, int count, int place, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        // SAFETY: indexes stay within [low, high], which lies in the rows: a scan stops at the pivot's value at the latest, which lies between them.
        TRow* rows = (TRow*)address;
        nint low = 0, high = count - 1;
        while (high - low >= Few)
        {
            TRow pivot = Middle(rows[Random.Shared.NextInt64(low, high + 1)], rows[Random.Shared.NextInt64(low, high + 1)], rows[Random.Shared.NextInt64(low, high + 1)], texts);
            nint left = low, right = high;
            while (left <= right)
            {
                while (TRow.Compare(rows[left], pivot, texts) < 0)
                    left++;
                while (TRow.Compare(pivot, rows[right], texts) < 0)
                    right--;
                if (left > right)
                    break;
                (rows[left], rows[right]) = (rows[right], rows[left]);
                left++;
                right--;
            }

            if (place <= right)
                high = right;
            else if (place >= left)
                low = left;
            else
                return;
        }

        InsertionSort.Sort(rows, low, high + 1, texts);
    }

    /// <summary>Three rows at random: no order of rows makes the choice a bad one again and again.</summary>
    private static TRow Middle<TRow>(in TRow a, in TRow b, in TRow c, SortTexts? texts)
        where TRow : unmanaged, ISortRow<TRow>
    {
        bool isAFirst = TRow.Compare(a, b, texts) < 0;
        ref readonly TRow low = ref isAFirst ? ref a : ref b;
        ref readonly TRow high = ref isAFirst ? ref b : ref a;
        return TRow.Compare(c, low, texts) < 0 ? low : TRow.Compare(c, high, texts) > 0 ? high : c;
    }
}
