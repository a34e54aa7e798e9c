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
    /// <param name="left">The left column's value of slot 0.</param>
    /// <param name="leftStride">From one slot's value to the next.</param>
    /// <param name="right">The right column's value of slot 0.</param>
    /// <param name="rightStride">From one slot's value to the next.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <safety>The columns are those of one block, in a critical section, and the batch lies in the block.</safety>
    public static void KeepLess<T>(ulong left, ulong leftStride, ulong right, ulong rightStride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, Less>(left, leftStride, right, rightStride, first, rows, bitmap);

    /// <summary>Keeps the rows whose value on the left is at most that on the right.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepLessOrEqual<T>(ulong left, ulong leftStride, ulong right, ulong rightStride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, LessOrEqual>(left, leftStride, right, rightStride, first, rows, bitmap);

    /// <summary>Keeps the rows whose values are equal.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepEqual<T>(ulong left, ulong leftStride, ulong right, ulong rightStride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, Equal>(left, leftStride, right, rightStride, first, rows, bitmap);

    /// <summary>Keeps the rows whose values differ.</summary>
    /// <inheritdoc cref="KeepLess"/>
    public static void KeepNotEqual<T>(ulong left, ulong leftStride, ulong right, ulong rightStride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T> => Keep<T, NotEqual>(left, leftStride, right, rightStride, first, rows, bitmap);

    private static void Keep<T, TTest>(ulong left, ulong leftStride, ulong right, ulong rightStride, int first, int rows, ulong bitmap)
        where T : unmanaged, IBinaryInteger<T>
        where TTest : struct, IPairTest
    {
        left += (ulong)first * leftStride;
        right += (ulong)first * rightStride;
        ulong together = (ulong)Unsafe.SizeOf<T>();
        if (leftStride == together && rightStride == together)
            Compare<T, TTest>(left, right, rows, bitmap);
        else
            CompareApart<T, TTest>(left, leftStride, right, rightStride, rows, bitmap);
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
