namespace Smc.Memory.Blocks;

/// <summary>Writes what a block knows about its columns beside the values, zone maps and sketches, from the stored values themselves.</summary>
internal static class ColumnSummaries
{
    /// <summary>Makes zone maps and sketches cover a row.</summary>
    /// <safety>The row's values and null bits are written, and nobody else writes them.</safety>
    public static void Note(BlockLayout layout, BlockRef block, int slot)
    {
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset < 0 || IsNull(column, block, slot)) continue;
            block.Zone(column.ZoneMapOffset).AnnounceNew(slot, KeyOf(column, block, slot));
        }
    }

    /// <summary>Chooses the steps of a block's sketches by the values in other blocks; without any, sketches stay unused.</summary>
    /// <param name="layout">The layout of all these blocks.</param>
    /// <param name="block">The block, in which there is no row yet.</param>
    /// <param name="like">Blocks with values like those to come, or those that will be copied.</param>
    /// <safety>The caller alone adds rows to the block, and is inside a critical section in which it got the others.</safety>
    public static void Scale(BlockLayout layout, BlockRef block, ReadOnlySpan<BlockRef> like)
    {
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset < 0) continue;
            long min = long.MaxValue, max = long.MinValue;
            foreach (BlockRef other in like)
            {
                ZoneView zone = other.Zone(column.ZoneMapOffset);
                (min, max) = (Math.Min(min, zone.Min), Math.Max(max, zone.Max));
            }
            block.Zone(column.ZoneMapOffset).Scale(column, min, max);
        }
    }

    /// <summary>Whether the row has no value in the column.</summary>
    public static bool IsNull(ColumnLayout column, BlockRef block, int slot) =>
        column.NullBitmapOffset >= 0 && new NullBits(block, (uint)column.NullBitmapOffset).IsSet(slot);

    /// <summary>The row's value, as zone maps have it.</summary>
    public static long KeyOf(ColumnLayout column, BlockRef block, int slot)
    {
        bool isSigned = column.Key == ZoneKey.Signed;
        RowField place = RowField.Of(column);
        return column.Width switch
        {
            1 => isSigned ? place.Read<sbyte>(block, slot) : place.Read<byte>(block, slot),
            2 => isSigned ? place.Read<short>(block, slot) : place.Read<ushort>(block, slot),
            4 => isSigned ? place.Read<int>(block, slot) : place.Read<uint>(block, slot),
            _ => place.Read<long>(block, slot) ^ (isSigned ? 0 : long.MinValue),
        };
    }
}
