using Smc.Memory.Blocks;

namespace Smc.Memory.Compaction;

/// <summary>Copies the stored values and null bits of rows from block to block. String words are copied, their chunks are not touched.</summary>
internal sealed class RowCopier(BlockLayout layout)
{
    private readonly RowField[] _values = RowField.ValuesOf(layout);
    private readonly uint[] _nullBitmaps = RowField.NullBitmapsOf(layout);

    /// <summary>Copies rows to neighbouring slots, column by column.</summary>
    /// <param name="source">The block that they are in.</param>
    /// <param name="slots">Their slots.</param>
    /// <param name="target">The block that they are copied to, where their null bits are clear.</param>
    /// <param name="first">Slot of the first copy.</param>
    /// <safety>Both blocks are of the layout. A row that is written meanwhile is copied again.</safety>
    public void CopyRows(BlockRef source, ReadOnlySpan<ushort> slots, BlockRef target, int first)
    {
        foreach (RowField piece in _values)
        {
            switch (piece.Width)
            {
                case 1: CopyPieces<byte>(piece, source, slots, target, first); break;
                case 2: CopyPieces<ushort>(piece, source, slots, target, first); break;
                case 4: CopyPieces<uint>(piece, source, slots, target, first); break;
                case 8: CopyPieces<ulong>(piece, source, slots, target, first); break;
                default:
                    for (int i = 0; i < slots.Length; i++) piece.Copy(source, slots[i], target, first + i);
                    break;
            }
        }
        foreach (uint bitmap in _nullBitmaps)
        {
            NullBits from = new(source, bitmap), to = new(target, bitmap);
            for (int i = 0; i < slots.Length; i++)
            {
                if (from.IsSet(slots[i])) to.Set(first + i);
            }
        }
    }

    /// <summary>Copies one row, over an older copy of it.</summary>
    /// <safety>As <see cref="CopyRows"/>; the caller locked the row.</safety>
    public void CopyRow(BlockRef source, int slot, BlockRef target, int copy)
    {
        ReadOnlySpan<ushort> slots = [(ushort)slot];
        CopyRows(source, slots, target, copy);
        foreach (uint bitmap in _nullBitmaps)
        {
            if (!new NullBits(source, bitmap).IsSet(slot)) new NullBits(target, bitmap).Clear(copy);
        }
    }

    // Values of up to 8 bytes are copied whole.
    private static void CopyPieces<T>(RowField piece, BlockRef source, ReadOnlySpan<ushort> slots, BlockRef target, int first)
        where T : unmanaged
    {
        for (int i = 0; i < slots.Length; i++) piece.Write(target, first + i, piece.Read<T>(source, slots[i]));
    }
}
