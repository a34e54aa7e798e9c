using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>One bit per row of a batch, in 64-bit words: which rows are still in the query.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowBitmap
{
    /// <summary>Sets the first <paramref name="rows"/> bits and clears the rest of the last word.</summary>
    /// <safety><paramref name="bitmap"/> has room for <paramref name="rows"/> bits, rounded up to words.</safety>
    public static unsafe void Fill(ulong bitmap, int rows)
    {
        // SAFETY: the caller's promise covers every word written.
        ulong* word = (ulong*)bitmap;
        for (; rows >= 64; rows -= 64)
            *word++ = ulong.MaxValue;
        if (rows > 0)
            *word = (1UL << rows) - 1;
    }

    /// <summary>Starts from the rows that a block holds: its validity bits from a slot on, which is a multiple of 64; all rows when <paramref name="validity"/> is 0 (a dense block).</summary>
    /// <safety>As <see cref="Fill"/>; <paramref name="validity"/> is a block's bitmap.</safety>
    public static unsafe void Begin(ulong bitmap, ulong validity, int firstSlot, int rows)
    {
        Fill(bitmap, rows);
        if (validity == 0)
            return;
        // SAFETY: the validity bitmap covers all slots of its block, and the batch lies within.
        ulong* valid = (ulong*)(validity + (ulong)(firstSlot / 8));
        ulong* word = (ulong*)bitmap;
        for (int i = 0; i < (rows + 63) / 64; i++)
            word[i] &= Volatile.Read(ref valid[i]);
    }

    /// <summary>Clears the rows whose bit is set in <paramref name="nulls"/>, a null bitmap of the block.</summary>
    /// <safety>Both bitmaps cover the batch.</safety>
    public static unsafe void ExceptNulls(ulong bitmap, ulong nulls, int firstSlot, int rows)
    {
        // SAFETY: the null bitmap covers all slots of its block, and the batch lies within.
        ulong* isNull = (ulong*)(nulls + (ulong)(firstSlot / 8));
        ulong* word = (ulong*)bitmap;
        for (int i = 0; i < (rows + 63) / 64; i++)
            word[i] &= ~isNull[i];
    }

    /// <summary>The number of rows left.</summary>
    /// <safety>The bitmap covers the batch, bits past the last row are clear.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int Count(ulong bitmap, int rows)
    {
        // SAFETY: reads the words that Fill wrote.
        ulong* word = (ulong*)bitmap;
        int count = 0;
        for (int i = 0; i < (rows + 63) / 64; i++)
            count += BitOperations.PopCount(word[i]);
        return count;
    }

    /// <summary>Writes the slots of the rows left, in order, and returns how many there are.</summary>
    /// <safety><paramref name="selection"/> has <see cref="ScanBatch.SelectionBytes"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int ToSelection(ulong bitmap, int firstSlot, int rows, ulong selection)
    {
        // SAFETY: at most one slot per set bit is written.
        uint* next = (uint*)selection;
        ulong* words = (ulong*)bitmap;
        for (int w = 0; w < (rows + 63) / 64; w++)
        {
            ulong word = words[w];
            uint slot = (uint)(firstSlot + (w * 64));
            if (word == ulong.MaxValue)
            {
                for (uint i = 0; i < 64; i++)
                    *next++ = slot + i;
                continue;
            }

            for (; word != 0; word &= word - 1)
                *next++ = slot + (uint)BitOperations.TrailingZeroCount(word);
        }

        return (int)(next - (uint*)selection);
    }
}
