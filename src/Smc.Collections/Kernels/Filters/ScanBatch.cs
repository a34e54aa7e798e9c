using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>The unit in which kernels walk a block: so many rows that the columns of a query and the scratch beside them stay in the first-level cache.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScanBatch
{
    /// <summary>Rows of a batch; a multiple of 64, so a batch begins at a bitmap word.</summary>
    public const int Rows = 1024;

    /// <summary>So many selected rows are worth going on with; fewer wait for those of the next batch.</summary>
    public const int Enough = 512;

    /// <summary>Bytes of a bitmap with one bit per row of a batch.</summary>
    public const int BitmapBytes = Rows / 8;

    /// <summary>Loops over a selection of rows whose values lie apart ask for those of the row that comes so many bytes of the selection later: 64 rows.</summary>
    /// <remarks>Measured over rows of 128 bytes: 32 rows ahead is slower by a sixth, 128 no faster.</remarks>
    public const int Ahead = RowsAhead * sizeof(uint);

    internal const int RowsAhead = 64;

    /// <summary>Bytes of a selection vector: one 32-bit slot per row of a batch and per row that waits, and some more, because branch-free appends write ahead and passes look ahead.</summary>
    public const int SelectionBytes = ((Enough + Rows + 16) * sizeof(uint)) + Ahead;

    /// <summary>Bytes of a group index or group offset per selected row (16 bits each).</summary>
    public const int IndexBytes = (Enough + Rows) * sizeof(ushort);

    /// <summary>Selected values of a column that lie so many bytes apart, on average, are asked for: the processor follows those that are closer by itself.</summary>
    private const int ApartBytes = 32;

    /// <summary>
    /// Asks for a column's values in the selected rows of a batch, if they lie apart: selected rows come in runs with gaps, at which the processor's own prefetcher begins anew. A batch
    /// and its columns stay in the second-level cache until the loops that follow have used them.
    /// </summary>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="selection">The slots, 32 bits each, ascending.</param>
    /// <param name="count">How many.</param>
    /// <safety>The selection can be read. Any column will do.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void AskForColumn(ulong column, ulong stride, ulong selection, int count)
    {
        // SAFETY: the caller's promise.
        uint* next = (uint*)selection, end = next + count;
        if (count == 0 || (end[-1] - *next) * stride < (ulong)count * ApartBytes)
            return;
        for (; next < end; next++)
            KernelMemory.Prefetch(column + (*next * stride));
    }

    /// <summary>Asks for the value of a row that a loop comes to later, where values lie in rows: see <see cref="AskForColumn"/> for columns.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Ask(ulong column, ulong stride, ulong later)
    {
        if (stride > sizeof(ulong))
            KernelMemory.Prefetch(column + (later * stride));
    }
}
