using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Compares a column with a range for a batch of rows and clears the bits of the rows outside. Words without rows are not looked at.</summary>
/// <remarks>
/// Where the block has a sketch of the column, 16 bits per row decide, and values are read only of rows that they leave open. Otherwise values are
/// compared whole words of 64 rows at a time, also where fewer rows are left: blocks have capacity for a multiple of 64 rows, so the values exist, and
/// their bits are clear already.
/// What the block knew of its columns is looked at again after all filters of a batch; if it has changed, the batch begins anew and the values decide.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ColumnFilter
{
    /// <summary>Looking at more values of a word than this one by one takes longer than comparing all.</summary>
    private const int FewOpen = 12;

    /// <summary>Keeps the rows with a value in the range, by what the block knows of the column. The answer holds unless the range <see cref="BlockRange.FallsBack"/> after.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="range">The range in this block, not empty.</param>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch: rows that the block held after <paramref name="range"/> was made.</param>
    /// <safety>The column is that of the block that <paramref name="range"/> was made for, in the same critical section, and the batch lies in the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Keep<T>(in BlockRange range, ulong column, ulong stride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        if (range.IsAll)
            return;
        column += (ulong)first * stride;
        ulong codes = range.Codes + ((ulong)first * sizeof(ushort));
        if (range.Codes == 0)
            KeepByValues<T>(range.Values, column, stride, rows, bitmap);
        else if (range.IsSharp)
            KeepByCodes(range, codes, rows, bitmap);
        else
            KeepByCodes<T>(range, codes, column, stride, rows, bitmap);
    }

    /// <summary>The codes alone decide.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void KeepByCodes(in BlockRange range, ulong codes, int rows, ulong bitmap)
    {
        if (range.Passing is not { } passing)
        {
            Clear(bitmap, rows);
            return;
        }

        Vector256<ushort> low = Vector256.Create(passing.Low), span = Vector256.Create((ushort)(passing.High - passing.Low));
        // SAFETY: the caller's promise; 64 codes are read for each word that has rows.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, codes += 64 * sizeof(ushort))
        {
            KernelMemory.PrefetchPageLater<ushort>(codes);
            if (words[w] != 0)
                words[w] &= CodeTest.Between((ushort*)codes, low, span);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void KeepByCodes<T>(in BlockRange range, ulong codes, ulong column, ulong stride, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        CodeRange sure = range.Passing ?? default;
        ulong isSure = range.Passing is null ? 0 : ulong.MaxValue;
        Vector256<ushort> low = Vector256.Create(sure.Low), span = Vector256.Create((ushort)(sure.High - sure.Low));
        Vector256<ushort> openLow = Vector256.Create(range.OpenLow), openHigh = Vector256.Create(range.OpenHigh);
        // Codes are exact, and writers made some unknown.
        bool isExact = range.OpenLow == ColumnSketch.Unknown && range.OpenHigh == ColumnSketch.Unknown;
        // SAFETY: as above.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, codes += 64 * sizeof(ushort), column += 64 * stride)
        {
            KernelMemory.PrefetchPageLater<ushort>(codes);
            ulong word = words[w];
            if (word == 0)
                continue;
            ulong passing = isExact ? CodeTest.Between((ushort*)codes, low, span, out ulong open) : CodeTest.Between((ushort*)codes, low, span, openLow, openHigh, out open);
            passing &= isSure;
            open &= word & ~passing;
            words[w] = word & passing;
            if (open != 0)
                words[w] |= Look<T>(column, stride, open, range.Values);
        }
    }

    /// <summary>Which of the rows that the codes leave open are in the range.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Look<T>(ulong column, ulong stride, ulong open, ValueRange range)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        if (BitOperations.PopCount(open) > FewOpen)
            return LookAtAll<T>(column, stride, open, range);
        ulong inside = 0;
        for (; open != 0; open &= open - 1)
        {
            ulong row = (ulong)BitOperations.TrailingZeroCount(open);
            inside |= KernelMemory.ToUInt64(range.Contains(long.CreateSaturating(KernelMemory.Read<T>(column + (row * stride))))) << (int)row;
        }

        return inside;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe ulong LookAtAll<T>(ulong column, ulong stride, ulong word, ValueRange range)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        KeepByValues<T>(range, column, stride, 64, (ulong)(&word)); // SAFETY: the word is a bitmap of 64 rows.
        return word;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void KeepByValues<T>(ValueRange range, ulong column, ulong stride, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        long least = long.CreateSaturating(T.MinValue), most = long.CreateSaturating(T.MaxValue);
        if (range.IsEmpty || range.Low > most || range.High < least)
            Clear(bitmap, rows);
        else if (stride == (ulong)Unsafe.SizeOf<T>())
            Compare(column, rows, bitmap, T.CreateTruncating(Math.Max(range.Low, least)), T.CreateTruncating(Math.Min(range.High, most)));
        else
            CompareApart<T>(column, stride, rows, bitmap, range);
    }

    private static unsafe void Clear(ulong bitmap, int rows)
    {
        // SAFETY: the words that hold the batch's bits.
        new Span<ulong>((void*)bitmap, (rows + 63) / 64).Clear();
    }

    /// <summary>Values that lie apart, in rows, are read one at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void CompareApart<T>(ulong column, ulong stride, int rows, ulong bitmap, ValueRange range)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        // SAFETY: the caller's promise; only values of rows in the bitmap are read.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, column += 64 * stride)
        {
            ulong inside = 0;
            for (ulong left = words[w]; left != 0; left &= left - 1)
            {
                ulong row = (ulong)BitOperations.TrailingZeroCount(left);
                ScanBatch.AskForRowOfBitmap(column, stride, row);
                inside |= KernelMemory.ToUInt64(range.Contains(long.CreateSaturating(KernelMemory.Read<T>(column + (row * stride))))) << (int)row;
            }

            words[w] = inside;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Compare<T>(ulong column, int rows, ulong bitmap, T low, T high)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: the caller's promise; 64 values are read for each word that has rows.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, column += 64 * (ulong)sizeof(T))
        {
            KernelMemory.PrefetchPageLater<T>(column);
            if (words[w] != 0)
                words[w] &= ~OutsideBits(column, low, high);
        }
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
