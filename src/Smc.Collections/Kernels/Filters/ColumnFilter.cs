using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Collections.Kernels;

/// <summary>Compares a batch of a contiguous integer column with a range and clears the bits of the rows outside. Words without rows are not looked at.</summary>
/// <remarks>Whole words of 64 rows are compared also where fewer rows are left: blocks have capacity for a multiple of 64 rows, so the values exist, and their bits are clear already.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ColumnFilter
{
    private const ulong PrefetchDistance = 4096;

    /// <summary>Keeps the rows with a value in the range.</summary>
    /// <safety><paramref name="column"/> holds values for <paramref name="rows"/> rounded up to 64, <paramref name="bitmap"/> a bit for each.</safety>
    public static void KeepRange<T>(ulong column, int rows, ulong bitmap, ValueRange range)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        long least = long.CreateSaturating(T.MinValue), most = long.CreateSaturating(T.MaxValue);
        if (range.IsEmpty || range.Low > most || range.High < least)
            Clear(bitmap, rows);
        else if (range.Low > least || range.High < most)
            Keep(column, rows, bitmap, T.CreateTruncating(Math.Max(range.Low, least)), T.CreateTruncating(Math.Min(range.High, most)));
    }

    /// <summary>Keeps the selected slots with a value in the range; returns how many are left.</summary>
    /// <safety><paramref name="column"/> is the value of slot 0, <paramref name="selection"/> holds <paramref name="count"/> slots of the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int SelectRange<T>(ulong column, ulong selection, int count, ValueRange range)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        long low = range.Low, high = range.High;
        // SAFETY: the caller's promise; what is kept never overtakes what is read.
        uint* next = (uint*)selection, end = next + count, kept = next;
        for (; next < end; next++)
        {
            uint slot = *next;
            long value = long.CreateTruncating(((T*)column)[(nuint)slot]);
            *kept = slot;
            kept += KernelMemory.ToUInt64(value >= low & value <= high);
        }

        return (int)(kept - (uint*)selection);
    }

    private static unsafe void Clear(ulong bitmap, int rows)
    {
        // SAFETY: the words that hold the batch's bits.
        new Span<ulong>((void*)bitmap, (rows + 63) / 64).Clear();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Keep<T>(ulong column, int rows, ulong bitmap, T low, T high)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: the caller's promise; 64 values are read for each word that has rows.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, column += 64 * (ulong)sizeof(T))
        {
            Prefetch<T>(column + PrefetchDistance);
            if (words[w] != 0)
                words[w] &= ~OutsideBits(column, low, high);
        }
    }

    /// <summary>Asks for the lines of a later word: a batch is short, and the processor's own prefetcher begins anew with every one and every page.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Prefetch<T>(ulong address)
        where T : unmanaged
    {
        if (!Sse.IsSupported)
            return;
        for (int line = 0; line < sizeof(T); line++)
            Sse.Prefetch0((byte*)address + (line * 64)); // SAFETY: a prefetch of any address raises nothing.
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe ulong OutsideBits<T>(ulong column, T low, T high)
        where T : unmanaged, IBinaryInteger<T>
    {
        ulong outside = 0;
        if (Vector256.IsHardwareAccelerated)
        {
            Vector256<T> lowest = Vector256.Create(low), highest = Vector256.Create(high);
            for (int i = 0; i < 64; i += Vector256<T>.Count)
            {
                Vector256<T> values = Vector256.Load((T*)column + i);
                outside |= (ulong)(Vector256.LessThan(values, lowest) | Vector256.GreaterThan(values, highest)).ExtractMostSignificantBits() << i;
            }
        }
        else
        {
            Vector128<T> lowest = Vector128.Create(low), highest = Vector128.Create(high);
            for (int i = 0; i < 64; i += Vector128<T>.Count)
            {
                Vector128<T> values = Vector128.Load((T*)column + i);
                outside |= (ulong)(Vector128.LessThan(values, lowest) | Vector128.GreaterThan(values, highest)).ExtractMostSignificantBits() << i;
            }
        }

        return outside;
    }
}
