using System.ComponentModel;

namespace Smc.Memory;

/// <summary>A place reserved for a row that nobody else can see yet.</summary>
/// <param name="Block">The block.</param>
/// <param name="Slot">Slot in the block.</param>
/// <param name="Entry">The entry that the row will have.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct RowSlot(BlockRef Block, int Slot, EntryRef Entry);
