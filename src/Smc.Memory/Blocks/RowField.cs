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

    /// <summary>Address of the piece of a slot.</summary>
    public ulong At(ulong block, int slot) => block + Offset + (ulong)(uint)slot * Stride;

    // From the first to the last field.
    private static RowField WholeRow(ColumnLayout[] columns)
    {
        int start = columns.Min(static column => column.Offset);
        int end = columns.Max(static column => column.Offset + column.Width);
        return new RowField((uint)start, (uint)columns[0].Stride, (uint)(end - start));
    }
}
