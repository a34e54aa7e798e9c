using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Allocation;

/// <summary>Frees what hangs on a dead row and sets the row to zero.</summary>
internal sealed class RowCleaner
{
    private readonly BlockLayout _layout;
    private readonly StringHeap _strings;
    private readonly ColumnLayout[] _columns;
    private readonly ColumnLayout[] _chunkColumns;
    private readonly int[] _nullBitmaps;
    private readonly int _rowOffset;
    private readonly int _rowBytes;

    public RowCleaner(BlockLayout layout, StringHeap strings)
    {
        _layout = layout;
        _strings = strings;
        _columns = layout.Columns.ToArray();
        _chunkColumns = Array.FindAll(_columns, static column => column.Storage is ColumnStorage.String or ColumnStorage.Binary);
        _nullBitmaps = [.. _columns.Where(static column => column.NullBitmapOffset >= 0).Select(static column => column.NullBitmapOffset)];
        _rowOffset = _columns.Length == 0 ? 0 : _columns.Min(static column => column.Offset);
        _rowBytes = _columns.Length == 0 ? 0 : _columns.Max(static column => column.Offset + column.Width) - _rowOffset;
    }

    public bool HasChunks => _chunkColumns.Length > 0;

    /// <summary>Frees the strings of a row and clears it.</summary>
    /// <safety>The slot is reserved by the caller, and no reader can have the row.</safety>
    public void Clean(ulong block, int slot)
    {
        FreeChunks(block, slot);
        ClearValues(block, slot);
        foreach (int bitmap in _nullBitmaps) ClearBit(block + (uint)bitmap, slot);
    }

    /// <summary>Frees the strings of a row.</summary>
    /// <safety>No reader can have the row.</safety>
    public unsafe void FreeChunks(ulong block, int slot)
    {
        // SAFETY: the words lie in the slot's row, as the layout's checks made sure.
        foreach (ColumnLayout column in _chunkColumns) _strings.Free(*(ulong*)Address(block, column, slot));
    }

    private unsafe void ClearValues(ulong block, int slot)
    {
        // SAFETY: as in FreeChunks.
        if (_layout.Kind == BlockLayoutKind.Row)
        {
            NativeMemory.Clear((void*)(block + (uint)_rowOffset + (ulong)slot * (uint)_layout.RowStride), (nuint)_rowBytes);
            return;
        }
        foreach (ColumnLayout column in _columns)
        {
            void* value = (void*)Address(block, column, slot);
            switch (column.Width)
            {
                case 1: *(byte*)value = 0; break;
                case 2: *(ushort*)value = 0; break;
                case 4: *(uint*)value = 0; break;
                case 8: *(ulong*)value = 0; break;
                default: NativeMemory.Clear(value, (nuint)column.Width); break;
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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Address(ulong block, ColumnLayout column, int slot) => block + (uint)column.Offset + (ulong)slot * (uint)column.Stride;
}
