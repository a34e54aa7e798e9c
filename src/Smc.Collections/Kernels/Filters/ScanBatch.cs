using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The unit in which kernels walk a block: so many rows that the columns of a query and the scratch beside them stay in the first-level cache.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScanBatch
{
    /// <summary>Rows of a batch; a multiple of 64, so a batch begins at a bitmap word.</summary>
    public const int Rows = 1024;

    /// <summary>So many selected rows are worth going on with; fewer wait for those of the next batch.</summary>
    public const int Enough = 512;

    /// <summary>So many rows a selection has at most: some that passes have left and that wait, some that wait for passes, and those of a batch.</summary>
    internal const int MostSelected = (2 * Enough) + Rows;

    /// <summary>Bytes of a bitmap with one bit per row of a batch.</summary>
    public const int BitmapBytes = Rows / 8;

    // Values that lie apart are asked for so many rows ahead into the second-level cache, and again, when they are near, into the first.
    // Measured over rows of 128 bytes: 32 rows ahead is slower by a sixth, 128 no faster; without the second step filters are slower by a tenth to a third.
    internal const int RowsAhead = 64;
    private const int RowsNear = 8;

    /// <summary>So many bytes behind a selection can be read: loops over one look ahead.</summary>
    public const int Ahead = RowsAhead * sizeof(uint);

    /// <summary>Bytes of a selection vector: one 32-bit slot for each row that may be in it, and some more, because branch-free appends write ahead and passes look ahead. Behind it is room for numbers beside the slots.</summary>
    /// <remarks>Whole pages of room: scratch that follows stays where loads of columns do not wait for its stores, which the processor tells apart by the last twelve bits of addresses. Two queries were 8 % slower otherwise.</remarks>
    public const int SelectionBytes = Beside + (3 * (int)KernelMemory.PageAhead);

    /// <summary>From a slot of a selection to the number beside it, 32 bits: what a pass over all selected rows has found for the loop that follows.</summary>
    internal const int Beside = ((MostSelected + 16) * sizeof(uint)) + Ahead;

    /// <summary>Bytes of a group index or group offset per selected row (16 bits each).</summary>
    public const int IndexBytes = (Enough + Rows) * sizeof(ushort);

    // Selected values of a column that lie so many bytes apart, on average, are asked for one by one. Of closer ones every line is read, if they are not so close that the processor follows
    // by itself: it then runs ahead of the loads, and streams several times the lines from memory that a core can wait for one by one (decision 0042). Six columns of every eighteenth of 6 million
    // rows, 148 bytes apart: 28 ms for the whole query, and 40 when they were asked for one by one; three columns 210 bytes apart: 6.5 ms, and 5.0.
    private const int ApartBytes = 160;
    private const int TogetherBytes = 12;

    /// <summary>
    /// Asks for a column's values in the selected rows of a batch, if they lie apart: selected rows come in runs with gaps, at which the processor's own prefetcher begins anew. A batch
    /// and its columns stay in the second-level cache until the loops that follow have used them.
    /// </summary>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="selection">The slots, 32 bits each, ascending.</param>
    /// <param name="count">How many.</param>
    /// <safety>The selection can be read, and so can the column in all slots between its first and its last.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void AskForColumn(ulong column, ulong stride, ulong selection, int count)
    {
        if (count == 0)
            return;
        // SAFETY: the caller's promise.
        uint* next = (uint*)selection, end = next + count;
        ulong bytes = (end[-1] - *next) * stride;
        ulong first = column + (*next * stride);
        if (bytes < (ulong)count * TogetherBytes)
            return;
        if (bytes < (ulong)count * ApartBytes)
        {
            ReadLines(first, bytes);
            return;
        }

        for (; next < end; next++)
            KernelMemory.Prefetch(column + (*next * stride));
    }

    /// <summary>Reads a byte of each line of memory.</summary>
    /// <returns>What nobody asks for, so that nothing is left out.</returns>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static int ReadLines(ulong first, ulong bytes)
    {
        int read = 0;
        for (ulong line = first; line <= first + bytes; line += KernelMemory.LineBytes)
            read |= KernelMemory.Read<byte>(line);
        return read;
    }

    /// <summary>Asks for the texts of a column in the selected rows of a batch, as far as they do not lie in their words: those of neighbours lie among other texts of their rows.</summary>
    /// <param name="column">The word of slot 0.</param>
    /// <param name="selection">The slots, 32 bits each.</param>
    /// <param name="count">How many.</param>
    /// <safety>The selection can be read; the column is that of the block in which the slots are, and its words lie side by side.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void AskForTexts(ulong column, ulong selection, int count)
    {
        // SAFETY: the caller's promise; a prefetch of any address raises nothing.
        for (uint* next = (uint*)selection, end = next + count; next < end; next++)
        {
            ulong word = KernelMemory.Read<ulong>(column + (*next * sizeof(ulong)));
            if (!StringWord.IsInline(word))
                KernelMemory.Prefetch(StringWord.ChunkAddress(word));
        }
    }

    /// <summary>Asks for the values of rows that a loop over a selection comes to soon, where they lie in rows: see <see cref="AskForColumn"/> for columns.</summary>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="next">Where the loop is in the selection.</param>
    /// <safety><see cref="Ahead"/> bytes behind the selection can be read. Any column will do.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AskForRow(ulong column, ulong stride, ulong next)
    {
        if (stride <= sizeof(ulong))
            return;
        Ask(column, stride, later: KernelMemory.Read<uint>(next + Ahead), soon: KernelMemory.Read<uint>(next + (RowsNear * sizeof(uint))));
    }

    /// <summary>As <see cref="AskForRow"/>, for a loop over a bitmap.</summary>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="row">Where the loop is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void AskForRowOfBitmap(ulong column, ulong stride, ulong row)
    {
        if (stride > sizeof(ulong))
            Ask(column, stride, later: row + RowsAhead, soon: row + RowsNear);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Ask(ulong column, ulong stride, ulong later, ulong soon)
    {
        KernelMemory.Prefetch(column + (later * stride));
        KernelMemory.PrefetchNear(column + (soon * stride));
    }
}
