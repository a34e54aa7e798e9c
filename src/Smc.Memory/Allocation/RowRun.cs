using System.ComponentModel;

namespace Smc.Memory;

/// <summary>Neighbouring places reserved for rows that nobody else can see yet, for adding many at once.</summary>
/// <param name="Block">The block.</param>
/// <param name="FirstSlot">Slot of the first row; the others follow.</param>
/// <param name="Count">Number of rows, at least 1.</param>
/// <param name="FirstEntry">The first row's entry; the others follow.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct RowRun(BlockRef Block, int FirstSlot, int Count, EntryRef FirstEntry)
{
    /// <summary>One of the places.</summary>
    public RowSlot this[int index] => (uint)index < (uint)Count
        ? new RowSlot(Block, FirstSlot + index, FirstEntry.After(index))
        : throw new ArgumentOutOfRangeException(nameof(index));
}
