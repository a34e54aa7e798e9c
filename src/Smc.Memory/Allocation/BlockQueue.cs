using Smc.Memory.Blocks;

namespace Smc.Memory.Allocation;

/// <summary>Blocks with enough room to be worth another pass, oldest first: slots in limbo or never used. The collection's lock protects it.</summary>
internal sealed class BlockQueue
{
    // Looks at so many ready blocks and takes the one with the most room.
    private const int Choice = 8;
    private readonly List<(ulong Block, long Stamp)> _blocks = [];

    public int Count => _blocks.Count;

    /// <summary>Adds a block whose limbo was counted in the epoch <paramref name="stamp"/>.</summary>
    public void Add(ulong block, long stamp) => _blocks.Add((block, stamp));

    public void Clear() => _blocks.Clear();

    public void Remove(HashSet<ulong> leaving) => _blocks.RemoveAll(queued => leaving.Contains(queued.Block));

    /// <summary>Takes a block whose slots can be used by now, or returns 0.</summary>
    public unsafe ulong TryTakeReady()
    {
        int best = -1;
        int mostRoom = 0;
        for (int i = 0; i < Math.Min(Choice, _blocks.Count) && Epoch.HasPassed(_blocks[i].Stamp); i++)
        {
            // SAFETY: a queued block stays mapped until it leaves the queue.
            BlockPrefix* prefix = BlockHeader.Prefix(_blocks[i].Block);
            int room = Volatile.Read(ref prefix->Limbo) + prefix->Slots - prefix->HighWater;
            if (room <= mostRoom) continue;
            mostRoom = room;
            best = i;
        }
        if (best < 0) return 0;
        ulong block = _blocks[best].Block;
        _blocks.RemoveAt(best);
        return block;
    }
}
