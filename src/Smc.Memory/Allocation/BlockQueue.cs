namespace Smc.Memory.Allocation;

/// <summary>Blocks with enough limbo to be worth another pass, oldest first. The context's lock protects it.</summary>
internal sealed class BlockQueue
{
    // Looks at so many ready blocks and takes the one with the most limbo.
    private const int Choice = 8;
    private readonly List<(ulong Block, long Stamp)> _blocks = [];

    public int Count => _blocks.Count;

    /// <summary>Adds a block whose limbo was counted in the epoch <paramref name="stamp"/>.</summary>
    public void Add(ulong block, long stamp) => _blocks.Add((block, stamp));

    public void Clear() => _blocks.Clear();

    public void Remove(HashSet<ulong> leaving) => _blocks.RemoveAll(queued => leaving.Contains(queued.Block));

    /// <summary>Takes a block whose limbo slots can be re-used by now, or returns 0.</summary>
    public unsafe ulong TryTakeReady()
    {
        int best = -1;
        int mostLimbo = 0;
        for (int i = 0; i < Math.Min(Choice, _blocks.Count) && Epoch.HasPassed(_blocks[i].Stamp); i++)
        {
            // SAFETY: a queued block stays mapped until it leaves the queue.
            int limbo = Volatile.Read(ref BlockHeader.Prefix(_blocks[i].Block)->Limbo);
            if (limbo <= mostLimbo) continue;
            mostLimbo = limbo;
            best = i;
        }
        if (best < 0) return 0;
        ulong block = _blocks[best].Block;
        _blocks.RemoveAt(best);
        return block;
    }
}
