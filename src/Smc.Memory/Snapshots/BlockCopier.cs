using Smc.Memory.Blocks;

namespace Smc.Memory.Snapshots;

/// <summary>Copies a whole block, each slot to the same slot.</summary>
internal sealed class BlockCopier(BlockLayout layout)
{
    private readonly RowField[] _values = RowField.ValuesOf(layout);

    /// <summary>Copies everything behind the block's prefix.</summary>
    /// <param name="source">The block.</param>
    /// <param name="target">The copy.</param>
    /// <param name="isZeroed">Whether the target reads as zero, so that what was never used need not be copied.</param>
    /// <safety>Nobody writes a published row of the source, and nobody else sees the target. Slots that are being filled are copied by who publishes them.</safety>
    public void Copy(BlockRef source, BlockRef target, bool isZeroed)
    {
        int used = source.SlotCount;
        if (!isZeroed || used > layout.Capacity / 2)
        {
            source.CopyTo(target, BlockLayout.HeaderBytes, layout.BlockBytes - BlockLayout.HeaderBytes);
            return;
        }
        source.CopyTo(target, BlockLayout.HeaderBytes, BlockLayout.FirstFreeOffset(layout.Capacity) - BlockLayout.HeaderBytes);
        foreach (RowField piece in _values)
        {
            if (used > 0) source.CopyTo(target, (int)piece.Offset, (int)(piece.Stride * (uint)(used - 1) + piece.Width));
        }
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) source.CopyTo(target, column.ZoneMapOffset, BlockLayout.ZoneMapBytes);
            if (column.NullBitmapOffset >= 0) source.CopyTo(target, column.NullBitmapOffset, layout.Capacity / 8);
            if (column.SketchOffset >= 0) source.CopyTo(target, column.SketchOffset, 2 * used);
        }
    }
}
