using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Collections.Kernels;

/// <summary>One bit per row of a batch, in 64-bit words: which rows are still in the query.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowBitmap
{
    /// <summary>Sets the first <paramref name="rows"/> bits and clears the rest of the last word.</summary>
    /// <safety><paramref name="bitmap"/> has room for <paramref name="rows"/> bits, rounded up to words.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
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

    /// <summary>Whether a bitmap has a row.</summary>
    /// <safety>The bitmap covers the row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe bool Contains(ulong bitmap, ulong row) => ((Volatile.Read(ref ((ulong*)bitmap)[row >> 6]) >> (int)(row & 63)) & 1) != 0; // SAFETY: the caller's promise.

    /// <summary>Whether a block's validity bitmap has all of its first slots.</summary>
    /// <remarks>Acquire loads: the values of a row are read after its bit, as when <see cref="Begin"/> reads the bit.</remarks>
    /// <safety>As <see cref="Begin"/>; there are <paramref name="slots"/> slots.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe bool IsFull(ulong validity, int slots)
    {
        ulong* valid = (ulong*)validity; // SAFETY: the caller's promise.
        int words = slots >> 6;
        for (int i = 0; i < words; i++)
        {
            if (Volatile.Read(ref valid[i]) != ulong.MaxValue)
                return false;
        }

        int rest = slots & 63;
        return rest == 0 || BitOperations.TrailingZeroCount(~Volatile.Read(ref valid[words])) >= rest;
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

    /// <summary>Appends the slots of the rows that a block holds, as <see cref="Begin"/> and <see cref="AppendTo"/> do.</summary>
    /// <safety>As <see cref="Begin"/> and <see cref="AppendTo"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int AppendRows(ulong selection, int count, ulong bitmap, ulong validity, int firstSlot, int rows)
    {
        if (validity != 0)
        {
            Begin(bitmap, validity, firstSlot, rows);
            return AppendTo(selection, count, bitmap, firstSlot, rows);
        }

        uint* next = (uint*)selection + count; // SAFETY: the caller's promise; a last vector beyond the rows fits where appends write ahead.
        Vector256<uint> slots = Vector256<uint>.Indices + Vector256.Create((uint)firstSlot);
        for (int i = 0; i < rows; i += Vector256<uint>.Count, slots += Vector256.Create((uint)Vector256<uint>.Count))
            Vector256.Store(slots, next + i);
        return count + rows;
    }

    /// <summary>Appends the slots of the rows left, in order, to a selection, and returns how many it has then.</summary>
    /// <remarks>Eight rows at a time through a table of the positions of set bits: no branch depends on which rows are left.</remarks>
    /// <safety><paramref name="selection"/> has <see cref="ScanBatch.SelectionBytes"/>, <paramref name="count"/> is below twice <see cref="ScanBatch.Enough"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int AppendTo(ulong selection, int count, ulong bitmap, int firstSlot, int rows)
    {
        // SAFETY: eight slots are written for each byte and all but the set ones overwritten; the selection has room for those of the last byte.
        uint* next = (uint*)selection + count;
        byte* bytes = (byte*)bitmap;
        fixed (byte* positions = BitPositions)
        {
            for (int i = 0; i < rows; i += 8)
            {
                uint bits = *bytes++;
                Vector256<uint> slots = Widen(positions + (bits * 8)) + Vector256.Create((uint)(firstSlot + i));
                Vector256.Store(slots, next);
                next += BitOperations.PopCount(bits);
            }
        }

        return (int)(next - (uint*)selection);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector256<uint> Widen(byte* positions)
    {
        if (Avx2.IsSupported)
            return Avx2.ConvertToVector256Int32(positions).AsUInt32();
        Vector128<ushort> words = Vector128.WidenLower(Vector128.CreateScalar(*(ulong*)positions).AsByte());
        return Vector256.Create(Vector128.WidenLower(words), Vector128.WidenUpper(words));
    }

    /// <summary>For every byte the positions of its set bits, in order, filled up with zeros.</summary>
    private static ReadOnlySpan<byte> BitPositions =>
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
        2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0,
        3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0,
        2, 3, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0,
        4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0,
        2, 4, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0,
        3, 4, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 1, 3, 4, 0, 0, 0, 0, 0, 0, 1, 3, 4, 0, 0, 0, 0,
        2, 3, 4, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0,
        5, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0,
        2, 5, 0, 0, 0, 0, 0, 0, 0, 2, 5, 0, 0, 0, 0, 0, 1, 2, 5, 0, 0, 0, 0, 0, 0, 1, 2, 5, 0, 0, 0, 0,
        3, 5, 0, 0, 0, 0, 0, 0, 0, 3, 5, 0, 0, 0, 0, 0, 1, 3, 5, 0, 0, 0, 0, 0, 0, 1, 3, 5, 0, 0, 0, 0,
        2, 3, 5, 0, 0, 0, 0, 0, 0, 2, 3, 5, 0, 0, 0, 0, 1, 2, 3, 5, 0, 0, 0, 0, 0, 1, 2, 3, 5, 0, 0, 0,
        4, 5, 0, 0, 0, 0, 0, 0, 0, 4, 5, 0, 0, 0, 0, 0, 1, 4, 5, 0, 0, 0, 0, 0, 0, 1, 4, 5, 0, 0, 0, 0,
        2, 4, 5, 0, 0, 0, 0, 0, 0, 2, 4, 5, 0, 0, 0, 0, 1, 2, 4, 5, 0, 0, 0, 0, 0, 1, 2, 4, 5, 0, 0, 0,
        3, 4, 5, 0, 0, 0, 0, 0, 0, 3, 4, 5, 0, 0, 0, 0, 1, 3, 4, 5, 0, 0, 0, 0, 0, 1, 3, 4, 5, 0, 0, 0,
        2, 3, 4, 5, 0, 0, 0, 0, 0, 2, 3, 4, 5, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0,
        6, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0,
        2, 6, 0, 0, 0, 0, 0, 0, 0, 2, 6, 0, 0, 0, 0, 0, 1, 2, 6, 0, 0, 0, 0, 0, 0, 1, 2, 6, 0, 0, 0, 0,
        3, 6, 0, 0, 0, 0, 0, 0, 0, 3, 6, 0, 0, 0, 0, 0, 1, 3, 6, 0, 0, 0, 0, 0, 0, 1, 3, 6, 0, 0, 0, 0,
        2, 3, 6, 0, 0, 0, 0, 0, 0, 2, 3, 6, 0, 0, 0, 0, 1, 2, 3, 6, 0, 0, 0, 0, 0, 1, 2, 3, 6, 0, 0, 0,
        4, 6, 0, 0, 0, 0, 0, 0, 0, 4, 6, 0, 0, 0, 0, 0, 1, 4, 6, 0, 0, 0, 0, 0, 0, 1, 4, 6, 0, 0, 0, 0,
        2, 4, 6, 0, 0, 0, 0, 0, 0, 2, 4, 6, 0, 0, 0, 0, 1, 2, 4, 6, 0, 0, 0, 0, 0, 1, 2, 4, 6, 0, 0, 0,
        3, 4, 6, 0, 0, 0, 0, 0, 0, 3, 4, 6, 0, 0, 0, 0, 1, 3, 4, 6, 0, 0, 0, 0, 0, 1, 3, 4, 6, 0, 0, 0,
        2, 3, 4, 6, 0, 0, 0, 0, 0, 2, 3, 4, 6, 0, 0, 0, 1, 2, 3, 4, 6, 0, 0, 0, 0, 1, 2, 3, 4, 6, 0, 0,
        5, 6, 0, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 1, 5, 6, 0, 0, 0, 0, 0, 0, 1, 5, 6, 0, 0, 0, 0,
        2, 5, 6, 0, 0, 0, 0, 0, 0, 2, 5, 6, 0, 0, 0, 0, 1, 2, 5, 6, 0, 0, 0, 0, 0, 1, 2, 5, 6, 0, 0, 0,
        3, 5, 6, 0, 0, 0, 0, 0, 0, 3, 5, 6, 0, 0, 0, 0, 1, 3, 5, 6, 0, 0, 0, 0, 0, 1, 3, 5, 6, 0, 0, 0,
        2, 3, 5, 6, 0, 0, 0, 0, 0, 2, 3, 5, 6, 0, 0, 0, 1, 2, 3, 5, 6, 0, 0, 0, 0, 1, 2, 3, 5, 6, 0, 0,
        4, 5, 6, 0, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 1, 4, 5, 6, 0, 0, 0, 0, 0, 1, 4, 5, 6, 0, 0, 0,
        2, 4, 5, 6, 0, 0, 0, 0, 0, 2, 4, 5, 6, 0, 0, 0, 1, 2, 4, 5, 6, 0, 0, 0, 0, 1, 2, 4, 5, 6, 0, 0,
        3, 4, 5, 6, 0, 0, 0, 0, 0, 3, 4, 5, 6, 0, 0, 0, 1, 3, 4, 5, 6, 0, 0, 0, 0, 1, 3, 4, 5, 6, 0, 0,
        2, 3, 4, 5, 6, 0, 0, 0, 0, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0,
        7, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0,
        2, 7, 0, 0, 0, 0, 0, 0, 0, 2, 7, 0, 0, 0, 0, 0, 1, 2, 7, 0, 0, 0, 0, 0, 0, 1, 2, 7, 0, 0, 0, 0,
        3, 7, 0, 0, 0, 0, 0, 0, 0, 3, 7, 0, 0, 0, 0, 0, 1, 3, 7, 0, 0, 0, 0, 0, 0, 1, 3, 7, 0, 0, 0, 0,
        2, 3, 7, 0, 0, 0, 0, 0, 0, 2, 3, 7, 0, 0, 0, 0, 1, 2, 3, 7, 0, 0, 0, 0, 0, 1, 2, 3, 7, 0, 0, 0,
        4, 7, 0, 0, 0, 0, 0, 0, 0, 4, 7, 0, 0, 0, 0, 0, 1, 4, 7, 0, 0, 0, 0, 0, 0, 1, 4, 7, 0, 0, 0, 0,
        2, 4, 7, 0, 0, 0, 0, 0, 0, 2, 4, 7, 0, 0, 0, 0, 1, 2, 4, 7, 0, 0, 0, 0, 0, 1, 2, 4, 7, 0, 0, 0,
        3, 4, 7, 0, 0, 0, 0, 0, 0, 3, 4, 7, 0, 0, 0, 0, 1, 3, 4, 7, 0, 0, 0, 0, 0, 1, 3, 4, 7, 0, 0, 0,
        2, 3, 4, 7, 0, 0, 0, 0, 0, 2, 3, 4, 7, 0, 0, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0, 1, 2, 3, 4, 7, 0, 0,
        5, 7, 0, 0, 0, 0, 0, 0, 0, 5, 7, 0, 0, 0, 0, 0, 1, 5, 7, 0, 0, 0, 0, 0, 0, 1, 5, 7, 0, 0, 0, 0,
        2, 5, 7, 0, 0, 0, 0, 0, 0, 2, 5, 7, 0, 0, 0, 0, 1, 2, 5, 7, 0, 0, 0, 0, 0, 1, 2, 5, 7, 0, 0, 0,
        3, 5, 7, 0, 0, 0, 0, 0, 0, 3, 5, 7, 0, 0, 0, 0, 1, 3, 5, 7, 0, 0, 0, 0, 0, 1, 3, 5, 7, 0, 0, 0,
        2, 3, 5, 7, 0, 0, 0, 0, 0, 2, 3, 5, 7, 0, 0, 0, 1, 2, 3, 5, 7, 0, 0, 0, 0, 1, 2, 3, 5, 7, 0, 0,
        4, 5, 7, 0, 0, 0, 0, 0, 0, 4, 5, 7, 0, 0, 0, 0, 1, 4, 5, 7, 0, 0, 0, 0, 0, 1, 4, 5, 7, 0, 0, 0,
        2, 4, 5, 7, 0, 0, 0, 0, 0, 2, 4, 5, 7, 0, 0, 0, 1, 2, 4, 5, 7, 0, 0, 0, 0, 1, 2, 4, 5, 7, 0, 0,
        3, 4, 5, 7, 0, 0, 0, 0, 0, 3, 4, 5, 7, 0, 0, 0, 1, 3, 4, 5, 7, 0, 0, 0, 0, 1, 3, 4, 5, 7, 0, 0,
        2, 3, 4, 5, 7, 0, 0, 0, 0, 2, 3, 4, 5, 7, 0, 0, 1, 2, 3, 4, 5, 7, 0, 0, 0, 1, 2, 3, 4, 5, 7, 0,
        6, 7, 0, 0, 0, 0, 0, 0, 0, 6, 7, 0, 0, 0, 0, 0, 1, 6, 7, 0, 0, 0, 0, 0, 0, 1, 6, 7, 0, 0, 0, 0,
        2, 6, 7, 0, 0, 0, 0, 0, 0, 2, 6, 7, 0, 0, 0, 0, 1, 2, 6, 7, 0, 0, 0, 0, 0, 1, 2, 6, 7, 0, 0, 0,
        3, 6, 7, 0, 0, 0, 0, 0, 0, 3, 6, 7, 0, 0, 0, 0, 1, 3, 6, 7, 0, 0, 0, 0, 0, 1, 3, 6, 7, 0, 0, 0,
        2, 3, 6, 7, 0, 0, 0, 0, 0, 2, 3, 6, 7, 0, 0, 0, 1, 2, 3, 6, 7, 0, 0, 0, 0, 1, 2, 3, 6, 7, 0, 0,
        4, 6, 7, 0, 0, 0, 0, 0, 0, 4, 6, 7, 0, 0, 0, 0, 1, 4, 6, 7, 0, 0, 0, 0, 0, 1, 4, 6, 7, 0, 0, 0,
        2, 4, 6, 7, 0, 0, 0, 0, 0, 2, 4, 6, 7, 0, 0, 0, 1, 2, 4, 6, 7, 0, 0, 0, 0, 1, 2, 4, 6, 7, 0, 0,
        3, 4, 6, 7, 0, 0, 0, 0, 0, 3, 4, 6, 7, 0, 0, 0, 1, 3, 4, 6, 7, 0, 0, 0, 0, 1, 3, 4, 6, 7, 0, 0,
        2, 3, 4, 6, 7, 0, 0, 0, 0, 2, 3, 4, 6, 7, 0, 0, 1, 2, 3, 4, 6, 7, 0, 0, 0, 1, 2, 3, 4, 6, 7, 0,
        5, 6, 7, 0, 0, 0, 0, 0, 0, 5, 6, 7, 0, 0, 0, 0, 1, 5, 6, 7, 0, 0, 0, 0, 0, 1, 5, 6, 7, 0, 0, 0,
        2, 5, 6, 7, 0, 0, 0, 0, 0, 2, 5, 6, 7, 0, 0, 0, 1, 2, 5, 6, 7, 0, 0, 0, 0, 1, 2, 5, 6, 7, 0, 0,
        3, 5, 6, 7, 0, 0, 0, 0, 0, 3, 5, 6, 7, 0, 0, 0, 1, 3, 5, 6, 7, 0, 0, 0, 0, 1, 3, 5, 6, 7, 0, 0,
        2, 3, 5, 6, 7, 0, 0, 0, 0, 2, 3, 5, 6, 7, 0, 0, 1, 2, 3, 5, 6, 7, 0, 0, 0, 1, 2, 3, 5, 6, 7, 0,
        4, 5, 6, 7, 0, 0, 0, 0, 0, 4, 5, 6, 7, 0, 0, 0, 1, 4, 5, 6, 7, 0, 0, 0, 0, 1, 4, 5, 6, 7, 0, 0,
        2, 4, 5, 6, 7, 0, 0, 0, 0, 2, 4, 5, 6, 7, 0, 0, 1, 2, 4, 5, 6, 7, 0, 0, 0, 1, 2, 4, 5, 6, 7, 0,
        3, 4, 5, 6, 7, 0, 0, 0, 0, 3, 4, 5, 6, 7, 0, 0, 1, 3, 4, 5, 6, 7, 0, 0, 0, 1, 3, 4, 5, 6, 7, 0,
        2, 3, 4, 5, 6, 7, 0, 0, 0, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 2, 3, 4, 5, 6, 7,
    ];
}
