namespace Smc.Memory.Blocks;

/// <summary>Writes the constant parts of a new block.</summary>
internal static class BlockInitializer
{
    /// <param name="block">The block.</param>
    /// <param name="layout">Its layout.</param>
    /// <param name="slots">How many rows it may have.</param>
    /// <param name="firstEntry">The collection's first entry.</param>
    /// <param name="hasReusedEntries">Whether entries had rows of earlier collections.</param>
    /// <safety>The block is mapped, zeroed, and nobody else sees it yet.</safety>
    public static void Initialize(BlockRef block, BlockLayout layout, int slots, EntryRef firstEntry, bool hasReusedEntries)
    {
        ref BlockPrefix prefix = ref block.Header;
        prefix.FirstEntry = firstEntry;
        prefix.LayoutHash = layout.Hash;
        prefix.Slots = slots;
        prefix.HasReusedEntries = hasReusedEntries;
        prefix.Born = Snapshots.SnapshotState.Clock;
        prefix.DirectoryOffset = layout.DirectoryOffset;
        prefix.BackPointersOffset = layout.DenseIdsOffset;
        foreach (ColumnLayout column in layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) block.Zone(column.ZoneMapOffset).Reset();
        }
        ColumnSummaries.Scale(layout, block, []);
    }
}
