using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Smc.Collections.Kernels;

/// <summary>Compares a string column with texts for a batch of rows and clears the bits of the rows that fail. Words without rows are not looked at.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TextFilter
{
    /// <summary>Looking at more values of a word than this one by one takes longer than comparing all.</summary>
    private const int Few = 4;

    /// <summary>Keeps the rows whose text is, or is not, one of a set.</summary>
    /// <param name="texts">The texts.</param>
    /// <param name="isMember">True to keep the rows that hold one of them, false to keep the others.</param>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <safety>The column is that of the collection that the set was made for, in the same critical section, and the batch lies in the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void Keep(in TextSet texts, bool isMember, ulong column, ulong stride, int first, int rows, ulong bitmap)
    {
        column += (ulong)first * stride;
        ulong flip = isMember ? 0 : ulong.MaxValue;
        bool canCompareAll = texts.IsExact && stride == sizeof(ulong);
        // SAFETY: the caller's promise; blocks have capacity for a multiple of 64 rows, so 64 values exist for each word.
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++, column += 64 * stride)
        {
            ulong word = words[w];
            if (word == 0)
                continue;
            ulong found = canCompareAll && BitOperations.PopCount(word) > Few ? CompareAll(texts, (ulong*)column) : CompareEach(texts, column, stride, word);
            words[w] = word & (found ^ flip);
        }
    }

    // Each row's word is loaded once and compared with all texts: a writer may put one of them in place of another meanwhile.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe ulong CompareAll(in TextSet texts, ulong* values)
    {
        ulong found = 0;
        int count = texts.Count;
        KernelMemory.PrefetchPageLater<ulong>((ulong)values);
        // SAFETY: as in Keep.
        for (int row = 0; row < 64; row += Vector256<ulong>.Count)
        {
            Vector256<ulong> words = Vector256.Load(values + row), isIn = default;
            for (int i = 0; i < count; i++)
            {
                isIn |= Vector256.Equals(words, Vector256.Create(texts[i]));
            }

            found |= (ulong)isIn.ExtractMostSignificantBits() << row;
        }

        return found;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong CompareEach(in TextSet texts, ulong column, ulong stride, ulong word)
    {
        ulong found = 0;
        for (; word != 0; word &= word - 1)
        {
            ulong row = (ulong)BitOperations.TrailingZeroCount(word);
            ScanBatch.AskForRowOfBitmap(column, stride, row);
            found |= KernelMemory.ToUInt64(texts.Contains(KernelMemory.Read<ulong>(column + (row * stride)))) << (int)row;
        }

        return found;
    }
}
