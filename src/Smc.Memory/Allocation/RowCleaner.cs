using System.Runtime.InteropServices;

namespace Smc.Memory.Allocation;

/// <summary>Frees what hangs on a dead row and sets the row to zero.</summary>
internal sealed class RowCleaner
{
    private readonly record struct Field(uint Offset, uint Stride, uint Width);

    private readonly StringHeap _strings;
    private readonly Field[] _chunkWords;
    private readonly Field[] _columns;
    private readonly uint[] _nullBitmaps;

    public RowCleaner(BlockLayout layout, StringHeap strings)
    {
        _strings = strings;
        ColumnLayout[] columns = layout.Columns.ToArray();
        _chunkWords =
        [
            .. columns.Where(static column => column.Storage is ColumnStorage.String or ColumnStorage.Binary)
                .Select(static column => new Field((uint)column.Offset, (uint)column.Stride, (uint)column.Width)),
        ];
        _nullBitmaps = [.. columns.Where(static column => column.NullBitmapOffset >= 0).Select(static column => (uint)column.NullBitmapOffset)];
        _columns = layout.Kind == BlockLayoutKind.Row && columns.Length > 0
            ? [WholeRow(columns)]
            : [.. columns.Select(static column => new Field((uint)column.Offset, (uint)column.Stride, (uint)column.Width))];
        _columns = [.. _columns, .. columns.Where(static column => column.SketchOffset >= 0).Select(static column => new Field((uint)column.SketchOffset, 2, 2))];
    }

    public bool HasChunks => _chunkWords.Length > 0;

    /// <summary>Frees the strings of a row and clears it.</summary>
    /// <safety>The slot is reserved by the caller, and no reader can have the row.</safety>
    public void Clean(ulong block, int slot)
    {
        FreeChunks(block, slot);
        ClearValues(block, (uint)slot);
        foreach (uint bitmap in _nullBitmaps) ClearBit(block + bitmap, slot);
    }

    /// <summary>Frees the strings of a row.</summary>
    /// <safety>No reader can have the row.</safety>
    public unsafe void FreeChunks(ulong block, int slot)
    {
        // SAFETY: the words lie in the slot's row, as the layout's checks made sure.
        foreach (Field word in _chunkWords) _strings.Free(*(ulong*)(block + word.Offset + (ulong)(uint)slot * word.Stride));
    }

    private unsafe void ClearValues(ulong block, uint slot)
    {
        foreach (Field column in _columns)
        {
            // SAFETY: as in FreeChunks.
            void* value = (void*)(block + column.Offset + (ulong)slot * column.Stride);
            switch (column.Width)
            {
                case 1: *(byte*)value = 0; break;
                case 2: *(ushort*)value = 0; break;
                case 4: *(uint*)value = 0; break;
                case 8: *(ulong*)value = 0; break;
                default: NativeMemory.Clear(value, column.Width); break;
            }
        }
    }

    // Interlocked: the word also holds bits of rows that others write.
    private static unsafe void ClearBit(ulong bitmap, int slot)
    {
        // SAFETY: the bitmap has a bit for every slot.
        ref ulong word = ref *((ulong*)bitmap + (slot >> 6));
        ulong bit = 1UL << (slot & 63);
        if ((Volatile.Read(ref word) & bit) != 0) Interlocked.And(ref word, ~bit);
    }

    // In the row layout one piece from the first to the last field.
    private static Field WholeRow(ColumnLayout[] columns)
    {
        int start = columns.Min(static column => column.Offset);
        int end = columns.Max(static column => column.Offset + column.Width);
        return new Field((uint)start, (uint)columns[0].Stride, (uint)(end - start));
    }
}
