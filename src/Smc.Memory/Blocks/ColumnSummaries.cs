using System.Runtime.CompilerServices;

namespace Smc.Memory.Blocks;

/// <summary>Writes what a block knows about its columns beside the values, zone maps and sketches, from the stored values themselves.</summary>
internal static class ColumnSummaries
{
    /// <summary>Makes zone maps and sketches cover a row.</summary>
    /// <safety>The row's values and null bits are written, and nobody else writes them.</safety>
    public static unsafe void Note(BlockLayout layout, ulong block, int slot)
    {
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset < 0 || IsNull(column, block, slot)) continue;
            ulong zone = block + (uint)column.ZoneMapOffset;
            // SAFETY: the layout's checks made sure that the value lies in the block.
            long value = KeyOf(column, block + (uint)column.Offset + (ulong)(uint)slot * (uint)column.Stride);
            ZoneMap.Widen(zone, value);
            ColumnSketch.Write(block, zone, slot, value);
        }
    }

    /// <summary>Chooses the steps of a block's sketches by the values in other blocks; without any, sketches stay unused.</summary>
    /// <param name="layout">The layout of all these blocks.</param>
    /// <param name="block">The block, in which there is no row yet.</param>
    /// <param name="like">Blocks with values like those to come, or those that will be copied.</param>
    /// <safety>The caller alone adds rows to the block, and is inside a critical section in which it got the others.</safety>
    public static void Scale(BlockLayout layout, ulong block, ReadOnlySpan<ulong> like)
    {
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset < 0) continue;
            long min = long.MaxValue, max = long.MinValue;
            foreach (ulong other in like)
            {
                min = Math.Min(min, ZoneMap.Min(other + (uint)column.ZoneMapOffset));
                max = Math.Max(max, ZoneMap.Max(other + (uint)column.ZoneMapOffset));
            }
            ColumnSketch.Scale(block + (uint)column.ZoneMapOffset, Math.Max(column.SketchOffset, 0), min, max);
        }
    }

    private static unsafe bool IsNull(ColumnLayout column, ulong block, int slot) =>
        column.NullBitmapOffset >= 0 && (*((ulong*)(block + (uint)column.NullBitmapOffset) + (slot >> 6)) >> (slot & 63) & 1) != 0; // SAFETY: a bit per slot.

    private static unsafe long KeyOf(ColumnLayout column, ulong address)
    {
        bool isSigned = column.Key == ZoneKey.Signed;
        // SAFETY: the caller's address holds a value of the column's width; in the row layout it may not be aligned.
        return column.Width switch
        {
            1 => isSigned ? *(sbyte*)address : *(byte*)address,
            2 => isSigned ? Unsafe.ReadUnaligned<short>((void*)address) : Unsafe.ReadUnaligned<ushort>((void*)address),
            4 => isSigned ? Unsafe.ReadUnaligned<int>((void*)address) : Unsafe.ReadUnaligned<uint>((void*)address),
            _ => Unsafe.ReadUnaligned<long>((void*)address) ^ (isSigned ? 0 : long.MinValue),
        };
    }
}
