using System.Runtime.InteropServices;
using Smc.Memory.Blocks;
using Smc.Memory.Epochs;
using Smc.Memory.Reachability;
using Smc.Memory.Strings;

namespace Smc.Memory.Allocation;

/// <summary>Frees what hangs on a dead row and sets the row to zero; knows where the string words of rows are.</summary>
internal sealed class RowCleaner
{
    private readonly record struct ChunkWord(RowField Place, bool IsText);

    private readonly StringHeap _strings;
    private readonly RetiredRows _retired;
    private readonly ChunkWord[] _chunkWords;
    private readonly RowField[] _values;
    private readonly uint[] _nullBitmaps;

    public RowCleaner(BlockLayout layout, StringHeap strings, RetiredRows retired)
    {
        _retired = retired;
        _strings = strings;
        _chunkWords =
        [
            .. layout.Columns.ToArray().Where(static column => column.Storage is ColumnStorage.String or ColumnStorage.Binary)
                .Select(static column => new ChunkWord(RowField.Of(column), column.Storage == ColumnStorage.String)),
        ];
        _values = [.. RowField.ValuesOf(layout), .. RowField.SketchesOf(layout)];
        _nullBitmaps = RowField.NullBitmapsOf(layout);
    }

    public bool HasChunks => _chunkWords.Length > 0;

    /// <summary>Asks for the memory of a row that will be cleaned soon.</summary>
    public void Prefetch(ulong block, int slot)
    {
        foreach (RowField piece in _values) Platform.Prefetch.Line(piece.At(block, slot));
    }

    /// <summary>Frees the strings of a row and clears it.</summary>
    /// <safety>The slot is reserved by the caller, and no reader can have the row.</safety>
    public void Clean(ulong block, int slot)
    {
        FreeChunks(block, slot);
        Clear(block, slot);
    }

    /// <summary>Clears a row whose strings, if any, are another slot's.</summary>
    /// <safety>As <see cref="Clean"/>.</safety>
    public void Clear(ulong block, int slot)
    {
        ClearValues(block, slot);
        foreach (uint bitmap in _nullBitmaps) ClearBit(block + bitmap, slot);
    }

    /// <summary>Frees the strings of a row. Called once for every row that dies, unless its words were copied to another slot, which owns them then.</summary>
    /// <safety>No reader can have the row.</safety>
    public unsafe void FreeChunks(ulong block, int slot)
    {
        foreach (ChunkWord field in _chunkWords)
        {
            // SAFETY: the words lie in the slot's row, as the layout's checks made sure.
            ref ulong word = ref *Word(block, slot, field);
            // Exchanged, because a StringMover may be at the same dead row: whoever takes the word out frees the chunk.
            if (StringWord.OwnsChunk(Volatile.Read(ref word))) _strings.Free(Interlocked.Exchange(ref word, 0));
        }
    }

    /// <summary>Visits the chunk words of a block's rows, and those of slots in limbo that no reader can reach.</summary>
    /// <returns>False if the visitor stopped.</returns>
    /// <safety>The caller is inside the critical section in which it found the block in the list.</safety>
    public unsafe bool Visit(ulong block, ChunkVisitor visitor)
    {
        int slots = BlockHeader.SlotCount(block);
        foreach (ChunkWord field in _chunkWords)
        {
            for (int slot = 0; slot < slots; slot++)
            {
                // SAFETY: as in FreeChunks; slots lie below the high-water mark.
                ref ulong word = ref *Word(block, slot, field);
                if (Volatile.Read(ref word) is 0) continue;
                // The bit before the value: with the bit set in this section, the row that has the value outlives the section.
                bool isAlive = BlockHeader.IsValid(block, slot) || _retired.Has(block, slot);
                ulong value = Volatile.Read(ref word);
                if (value == 0 || StringWord.IsInline(value)) continue;
                if (!isAlive) VisitDead(block, slot, ref word, value, visitor);
                else if (!visitor.VisitRow(ref word, value, field.IsText ? (int)field.Place.Offset : -1)) return false;
            }
        }
        return true;
    }

    private static unsafe void VisitDead(ulong block, int slot, ref ulong word, ulong value, ChunkVisitor visitor)
    {
        // SAFETY: as in Visit. Acquire; partner: the release with which the remover stored the stamp. A reserved slot is left to its writer.
        uint state = Volatile.Read(ref BlockHeader.Directory(block)[slot]);
        if (SlotWord.IsReusable(state, GlobalEpoch.Now, Epoch.Grace)) visitor.VisitDead(ref word, value);
    }

    private static unsafe ulong* Word(ulong block, int slot, ChunkWord field) => (ulong*)field.Place.At(block, slot);

    private unsafe void ClearValues(ulong block, int slot)
    {
        foreach (RowField piece in _values)
        {
            // SAFETY: as in FreeChunks.
            void* value = (void*)piece.At(block, slot);
            switch (piece.Width)
            {
                case 1: *(byte*)value = 0; break;
                case 2: *(ushort*)value = 0; break;
                case 4: *(uint*)value = 0; break;
                case 8: *(ulong*)value = 0; break;
                default: NativeMemory.Clear(value, piece.Width); break;
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
}
