using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Smc.Collections.Kernels;

/// <summary>Compares two columns with each other for a batch of rows and clears the bits of the rows that fail. Words without rows are not looked at.</summary>
/// <remarks>
/// Each value is loaded once and only compared, so a writer can change what the answer is, but nothing else. Columns that lie together are compared whole words of 64 rows at a time, also
/// where fewer rows are left: blocks have capacity for a multiple of 64 rows, and the bits of the others are clear already.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ColumnPairFilter
{
    /// <summary>Keeps the rows whose value on the left is less than that on the right.</summary>
    /// <typeparam name="T">The stored integer of both columns.</typeparam>
    /// <param name="pair">The columns.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <safety>The columns are those of one block, in a critical section, and the batch lies in the block.</safety>
    public static void KeepLess<T>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, Less>(pair, first, rows, bitmap);

    /// <summary>Keeps the rows whose value on the left is at most that on the right.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepLessOrEqual<T>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, LessOrEqual>(pair, first, rows, bitmap);

    /// <summary>Keeps the rows whose values are equal.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepEqual<T>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, Equal>(pair, first, rows, bitmap);

    /// <summary>Keeps the rows whose values differ.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepNotEqual<T>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, NotEqual>(pair, first, rows, bitmap);

    private static void Keep<T, TTest>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        if (pair.LeftCodes != 0)
            CompareCodes<T, TTest>(pair, first, rows, bitmap);
        else
            CompareValues<T, TTest>(pair, first, rows, bitmap);
    }

    /// <summary>Codes that tell no value, because a writer has changed it or it lies outside of the block's scale, leave their rows to the values.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void CompareCodes<T, TTest>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        // SAFETY: the caller's promise; 64 codes of each column are read for each word that has rows.
        ulong* words = (ulong*)bitmap;
        ushort* left = (ushort*)pair.LeftCodes + first, right = (ushort*)pair.RightCodes + first;
        Vector256<ushort> leftAbove = Vector256.Create(pair.LeftAbove), rightAbove = Vector256.Create(pair.RightAbove);
        for (int w = 0; w < (rows + 63) / 64; w++, left += 64, right += 64)
        {
            KernelMemory.PrefetchPageLater<ushort>((ulong)left);
            KernelMemory.PrefetchPageLater<ushort>((ulong)right);
            ulong word = words[w];
            if (word == 0)
                continue;
            ulong passing = 0, told = 0;
            for (int row = 0; row < 64; row += 2 * Vector256<ushort>.Count)
            {
                Vector256<ushort> left0 = Vector256.Load(left + row), right0 = Vector256.Load(right + row);
                Vector256<ushort> left1 = Vector256.Load(left + row + Vector256<ushort>.Count), right1 = Vector256.Load(right + row + Vector256<ushort>.Count);
                told |= (ulong)CodeTest.Bits(CodeTest.TellValues(left0) & CodeTest.TellValues(right0), CodeTest.TellValues(left1) & CodeTest.TellValues(right1)) << row;
                passing |= (ulong)CodeTest.Bits(
                    TTest.Test(Vector256.AddSaturate(left0, leftAbove), Vector256.AddSaturate(right0, rightAbove)),
                    TTest.Test(Vector256.AddSaturate(left1, leftAbove), Vector256.AddSaturate(right1, rightAbove))) << row;
            }

            ulong open = word & ~told;
            words[w] = word & told & passing;
            if (open == 0)
                continue;
            CompareValues<T, TTest>(pair, first + (w * 64), 64, (ulong)(&open));
            words[w] |= open;
        }
    }

    private static void CompareValues<T, TTest>(in ColumnPair pair, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        ulong left = pair.Left + ((ulong)first * pair.LeftStride), right = pair.Right + ((ulong)first * pair.RightStride), together = (ulong)Unsafe.SizeOf<T>();
        if (pair.LeftStride == together && pair.RightStride == together)
            Compare<T, TTest>(left, right, rows, bitmap);
        else
            CompareApart<T, TTest>(left, pair.LeftStride, right, pair.RightStride, rows, bitmap);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Compare<T, TTest>(ulong left, ulong right, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        // SAFETY: the caller's promise; 64 values of each column are read for each word that has rows.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, left += 64 * (ulong)sizeof(T), right += 64 * (ulong)sizeof(T))
        {
            if (words[w] == 0)
                continue;
            KernelMemory.PrefetchPageLater<T>(left);
            KernelMemory.PrefetchPageLater<T>(right);
            ulong passing = 0;
            if (Vector256.IsHardwareAccelerated)
            {
                for (int i = 0; i < 64; i += Vector256<T>.Count)
                    passing |= (ulong)TTest.Test(Vector256.Load((T*)left + i), Vector256.Load((T*)right + i)).ExtractMostSignificantBits() << i;
            }
            else
            {
                for (int i = 0; i < 64; i += Vector128<T>.Count)
                    passing |= (ulong)TTest.Test(Vector128.Load((T*)left + i), Vector128.Load((T*)right + i)).ExtractMostSignificantBits() << i;
            }

            words[w] &= passing;
        }
    }

    /// <summary>Values that lie apart, in rows, are read one at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void CompareApart<T, TTest>(ulong left, ulong leftStride, ulong right, ulong rightStride, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        // SAFETY: the caller's promise; only values of rows in the bitmap are read.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, left += 64 * leftStride, right += 64 * rightStride)
        {
            ulong passing = 0;
            for (ulong rest = words[w]; rest != 0; rest &= rest - 1)
            {
                ulong row = (ulong)BitOperations.TrailingZeroCount(rest);
                ScanBatch.AskForRowOfBitmap(left, leftStride, row);
                passing |= KernelMemory.ToUInt64(TTest.Test(KernelMemory.Read<T>(left + (row * leftStride)), KernelMemory.Read<T>(right + (row * rightStride)))) << (int)row;
            }

            words[w] = passing;
        }
    }

    private interface IPairTest
    {
        static abstract bool Test<T>(T left, T right)
            where T : unmanaged, IBinaryInteger<T>;

        static abstract Vector256<T> Test<T>(Vector256<T> left, Vector256<T> right);

        static abstract Vector128<T> Test<T>(Vector128<T> left, Vector128<T> right);
    }

    private readonly struct Less : IPairTest
    {
        public static bool Test<T>(T left, T right)
            where T : unmanaged, IBinaryInteger<T> => left < right;

        public static Vector256<T> Test<T>(Vector256<T> left, Vector256<T> right) => Vector256.LessThan(left, right);

        public static Vector128<T> Test<T>(Vector128<T> left, Vector128<T> right) => Vector128.LessThan(left, right);
    }

    private readonly struct LessOrEqual : IPairTest
    {
        public static bool Test<T>(T left, T right)
            where T : unmanaged, IBinaryInteger<T> => left <= right;

        public static Vector256<T> Test<T>(Vector256<T> left, Vector256<T> right) => Vector256.LessThanOrEqual(left, right);

        public static Vector128<T> Test<T>(Vector128<T> left, Vector128<T> right) => Vector128.LessThanOrEqual(left, right);
    }

    private readonly struct Equal : IPairTest
    {
        public static bool Test<T>(T left, T right)
            where T : unmanaged, IBinaryInteger<T> => left == right;

        public static Vector256<T> Test<T>(Vector256<T> left, Vector256<T> right) => Vector256.Equals(left, right);

        public static Vector128<T> Test<T>(Vector128<T> left, Vector128<T> right) => Vector128.Equals(left, right);
    }

    private readonly struct NotEqual : IPairTest
    {
        public static bool Test<T>(T left, T right)
            where T : unmanaged, IBinaryInteger<T> => left != right;

        public static Vector256<T> Test<T>(Vector256<T> left, Vector256<T> right) => ~Vector256.Equals(left, right);

        public static Vector128<T> Test<T>(Vector128<T> left, Vector128<T> right) => ~Vector128.Equals(left, right);
    }
}
