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

    /// <summary>Bytes of a reference for each row of a selection vector, and of one more, because appends write ahead.</summary>
    public const int ReferenceBytes = (Enough + Rows + 1) * sizeof(ulong);

    /// <summary>Bytes of a group index or group offset per selected row (16 bits each).</summary>
    public const int IndexBytes = (Enough + Rows) * sizeof(ushort);

    /// <summary>Asks for the value of a row that a loop comes to later, where values lie in rows; the processor follows columns by itself.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Ask(ulong column, ulong stride, ulong later)
    {
        if (stride > sizeof(ulong))
            KernelMemory.Prefetch(column + (later * stride));
    }
}
