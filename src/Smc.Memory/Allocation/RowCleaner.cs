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
    public void Prefetch(BlockRef block, int slot)
    {
        foreach (RowField piece in _values) piece.Prefetch(block, slot);
    }

    /// <summary>Frees the strings of a row and clears it.</summary>
    /// <safety>The slot is reserved by the caller, and no reader can have the row.</safety>
    public void Clean(BlockRef block, int slot)
    {
        FreeChunks(block, slot);
        Clear(block, slot);
    }

    /// <summary>Clears a row whose strings, if any, are another slot's.</summary>
    /// <safety>As <see cref="Clean"/>.</safety>
    public void Clear(BlockRef block, int slot)
    {
        foreach (RowField piece in _values) piece.Clear(block, slot);
        foreach (uint bitmap in _nullBitmaps) new NullBits(block, bitmap).Clear(slot);
    }

    /// <summary>Frees the strings of a row. Called once for every row that dies, unless its words were copied to another slot, which owns them then.</summary>
    /// <safety>No reader can have the row.</safety>
    public void FreeChunks(BlockRef block, int slot)
    {
        foreach (ChunkWord field in _chunkWords)
        {
            ref ulong word = ref field.Place.WordAt(block, slot);
            // Exchanged, because a StringMover may be at the same dead row: whoever takes the word out frees the chunk.
            if (StringWord.OwnsChunk(Volatile.Read(ref word))) _strings.Free(Interlocked.Exchange(ref word, 0));
        }
    }

    /// <summary>Visits the chunk words of a block's rows, and those of slots in limbo that no reader can reach.</summary>
    /// <returns>False if the visitor stopped.</returns>
    /// <safety>The caller is inside the critical section in which it found the block in the list.</safety>
    public bool Visit(BlockRef block, ChunkVisitor visitor)
    {
        int slots = block.SlotCount;
        foreach (ChunkWord field in _chunkWords)
        {
            for (int slot = 0; slot < slots; slot++)
            {
                ref ulong word = ref field.Place.WordAt(block, slot);
                if (Volatile.Read(ref word) is 0) continue;
                // The bit before the value: with the bit set in this section, the row that has the value outlives the section.
                bool isAlive = block.IsValid(slot) || _retired.Has(block, slot);
                ulong value = Volatile.Read(ref word);
                if (value == 0 || StringWord.IsInline(value)) continue;
                if (!isAlive) VisitDead(block, slot, ref word, value, visitor);
                else if (!visitor.VisitRow(block, ref word, value, field.IsText ? (int)field.Place.Offset : -1)) return false;
            }
        }
        return true;
    }

    private static void VisitDead(BlockRef block, int slot, ref ulong word, ulong value, ChunkVisitor visitor)
    {
        // Acquire; partner: the release with which the remover stored the stamp. A reserved slot is left to its writer.
        uint state = block.SlotAt(slot);
        if (SlotWord.IsReusable(state, GlobalEpoch.Now, Epoch.Grace)) visitor.VisitDead(block, ref word, value);
    }
}
