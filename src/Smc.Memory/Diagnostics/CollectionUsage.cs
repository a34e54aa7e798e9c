using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Epochs;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Diagnostics;

/// <summary>Adds up what the parts of a collection use.</summary>
/// <remarks>Invariants: a byte is counted by one part. The sums are exact when nobody is at work.</remarks>
internal sealed class CollectionUsage(
    BlockStore store, EntryTable entries, RetiredRows retired, IndexSet indexes, BlockVersions versions, StringHeap strings, Departures departures, LiveCounters counters)
{
    /// <summary>See <see cref="MemoryContext.Usage"/>.</summary>
    public MemoryUsage Bytes
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            BlockLayout layout = store.Layout;
            BlockList blocks = store.List;
            long slots = (long)blocks.Count * store.SlotsPerBlock;
            long used = 0, limbo = 0;
            for (int i = 0; i < blocks.Count; i++)
            {
                used += blocks[i].SlotCount;
                limbo += blocks[i].Limbo;
            }
            long row = layout.BytesPerRow;
            long mappedBlocks = (long)blocks.Count * layout.BlockBytes;
            long leaving = departures.Bytes;
            long indirection = entries.Packed.MappedBytes + retired.Bytes;
            long indexed = indexes.Bytes;
            long snapshots = versions.Bytes, held = strings.HeldBytes;
            long texts = strings.LiveBytes - held, retiredTexts = strings.RetiredBytes, heap = strings.MappedBytes;
            return new MemoryUsage(
                Live: (used - limbo) * row,
                Limbo: limbo * row,
                RetiredBlocks: leaving,
                Free: (slots - used) * row + heap - texts - held - retiredTexts,
                Strings: texts,
                RetiredStrings: retiredTexts,
                Indirection: indirection,
                Headers: mappedBlocks - slots * row,
                Regions: 0,
                Slices: 0,
                Indexes: indexed,
                Snapshots: snapshots,
                Mapped: mappedBlocks + leaving + snapshots - held + heap + indirection + indexed);
        }
    }

    /// <summary>See <see cref="MemoryContext.GarbageBytes"/>.</summary>
    public long Garbage => counters.WaitingAt(GlobalEpoch.Now) * store.Layout.BytesPerRow + strings.RetiredBytes + departures.Bytes;
}
