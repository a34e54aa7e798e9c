namespace Smc.Memory.Blocks;

/// <summary>Writes the constant parts of a new block.</summary>
internal static class BlockInitializer
{
    /// <safety>The block is mapped, zeroed, and nobody else sees it yet.</safety>
    public static unsafe void Initialize(ulong block, BlockLayout layout, int slots, EntryRef firstEntry)
    {
        // SAFETY: as the caller promises; a block is larger than its header.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        prefix->FirstEntry = firstEntry;
        prefix->LayoutHash = layout.Hash;
        prefix->Slots = slots;
        prefix->Born = Snapshots.SnapshotState.Clock;
        prefix->DirectoryOffset = layout.DirectoryOffset;
        prefix->BackPointersOffset = layout.DenseIdsOffset;
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) ZoneMap.Reset(block + (uint)column.ZoneMapOffset);
        }
        ColumnSummaries.Scale(layout, block, []);
    }
}
