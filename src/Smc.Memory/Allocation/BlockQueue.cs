using Smc.Memory.Blocks;

namespace Smc.Memory.Allocation;

/// <summary>Blocks with enough room to be worth another pass, oldest first: slots in limbo or never used. The collection's lock protects it.</summary>
internal sealed class BlockQueue
{
    // Looks at so many ready blocks and takes the one with the most room.
    private const int Choice = 8;
    private readonly List<(BlockRef Block, long Stamp)> _blocks = [];

    public int Count => _blocks.Count;

    /// <summary>Adds a block whose limbo was counted in the epoch <paramref name="stamp"/>.</summary>
    public void Add(BlockRef block, long stamp) => _blocks.Add((block, stamp));

    public void Clear() => _blocks.Clear();

    public void Remove(HashSet<BlockRef> leaving) => _blocks.RemoveAll(queued => leaving.Contains(queued.Block));

    /// <summary>Takes a block whose slots can be used by now, or returns none.</summary>
    public BlockRef TryTakeReady()
    {
        int best = -1;
        int mostRoom = 0;
        for (int i = 0; i < Math.Min(Choice, _blocks.Count) && Epoch.HasPassed(_blocks[i].Stamp); i++)
        {
            // A queued block stays mapped until it leaves the queue, and nobody allocates in it.
            BlockRef queued = _blocks[i].Block;
            int room = queued.Limbo + queued.Header.Slots - queued.SlotCount;
            if (room <= mostRoom) continue;
            mostRoom = room;
            best = i;
        }
        if (best < 0) return default;
        BlockRef block = _blocks[best].Block;
        _blocks.RemoveAt(best);
        return block;
    }
}
