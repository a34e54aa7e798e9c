using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Blocks;

/// <summary>A piece of a row that is copied or cleared at once: a column, or in the row layout all columns together.</summary>
/// <param name="Offset">Bytes from the start of the block to the piece of slot 0.</param>
/// <param name="Stride">Bytes from one slot's piece to the next.</param>
/// <param name="Width">Bytes of the piece.</param>
internal readonly record struct RowField(uint Offset, uint Stride, uint Width)
{
    /// <summary>The pieces of a layout's values.</summary>
    public static RowField[] ValuesOf(BlockLayout layout)
    {
        ColumnLayout[] columns = layout.Columns.ToArray();
        return layout.Kind == BlockLayoutKind.Row && columns.Length > 0
            ? [WholeRow(columns)]
            : Array.ConvertAll(columns, Of);
    }

    /// <summary>The values of a column.</summary>
    public static RowField Of(ColumnLayout column) => new((uint)column.Offset, (uint)column.Stride, (uint)column.Width);

    /// <summary>The codes of the columns that have a sketch.</summary>
    public static RowField[] SketchesOf(BlockLayout layout) =>
    [
        .. layout.Columns.ToArray().Where(static column => column.SketchOffset >= 0)
            .Select(static column => new RowField((uint)column.SketchOffset, 2, 2)),
    ];

    /// <summary>Offsets of the null bitmaps.</summary>
    public static uint[] NullBitmapsOf(BlockLayout layout) =>
        [.. layout.Columns.ToArray().Where(static column => column.NullBitmapOffset >= 0).Select(static column => (uint)column.NullBitmapOffset)];

    /// <summary>The piece of a slot, of 8 bytes in the columnar layout or at a multiple of 8 in a row: a string word or a reference.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe ref ulong WordAt(BlockRef block, int slot) => ref *(ulong*)AddressAt(block, slot); // SAFETY: the layout's checks made sure that the piece lies in the block.

    /// <summary>Loads a piece of up to 8 bytes. Unaligned, because fields of the row layout may be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe T Read<T>(BlockRef block, int slot)
        where T : unmanaged => Unsafe.ReadUnaligned<T>((void*)AddressAt(block, slot)); // SAFETY: as in WordAt.

    /// <summary>Stores what <see cref="Read{T}"/> loads.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Write<T>(BlockRef block, int slot, T value)
        where T : unmanaged => Unsafe.WriteUnaligned((void*)AddressAt(block, slot), value); // SAFETY: as in WordAt.

    /// <summary>Copies a piece of any width.</summary>
    public unsafe void Copy(BlockRef source, int slot, BlockRef target, int copy) =>
        Unsafe.CopyBlockUnaligned((void*)AddressAt(target, copy), (void*)AddressAt(source, slot), Width); // SAFETY: as in WordAt.

    /// <summary>Sets a piece to zero.</summary>
    public unsafe void Clear(BlockRef block, int slot)
    {
        switch (Width)
        {
            case 1: Write<byte>(block, slot, 0); break;
            case 2: Write<ushort>(block, slot, 0); break;
            case 4: Write<uint>(block, slot, 0); break;
            case 8: Write<ulong>(block, slot, 0); break;
            default: NativeMemory.Clear((void*)AddressAt(block, slot), Width); break; // SAFETY: as in WordAt.
        }
    }

    public void Prefetch(BlockRef block, int slot) => Platform.Prefetch.Line(AddressAt(block, slot));

    /// <summary>Where the piece of a slot is, for loads of several slots at once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong AddressAt(BlockRef block, int slot) => block.Address + Offset + (ulong)(uint)slot * Stride;

    // From the first to the last field.
    private static RowField WholeRow(ColumnLayout[] columns)
    {
        int start = columns.Min(static column => column.Offset);
        int end = columns.Max(static column => column.Offset + column.Width);
        return new RowField((uint)start, (uint)columns[0].Stride, (uint)(end - start));
    }
}
