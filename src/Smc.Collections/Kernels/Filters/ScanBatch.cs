using System.ComponentModel;

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

    /// <summary>Bytes of a selection vector: one 32-bit slot per row of a batch and per row that waits, and some more, because branch-free appends write ahead.</summary>
    public const int SelectionBytes = (Enough + Rows + 16) * sizeof(uint);

    /// <summary>Bytes of a group index or group offset per selected row (16 bits each).</summary>
    public const int IndexBytes = (Enough + Rows) * sizeof(ushort);
}
