using System.Numerics;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Scans as kernels and enumerations do them, with every row checked.</summary>
internal static class Scans
{
    /// <summary>The tags of all rows, in one section or in a section for each block.</summary>
    public static List<long> Scan(TaggedTable table, bool inOneSection)
    {
        List<long> tags = [];
        if (inOneSection)
        {
            using CriticalSection section = CriticalSection.Enter();
            BlockList blocks = table.Context.Blocks;
            for (int i = 0; i < blocks.Count; i++) Read(table, blocks[i], 0, blocks[i].SlotCount, tags);
            return tags;
        }
        BlockRoute route = new(table.Context);
        while (ReadNext(table, ref route, tags)) Thread.Yield();
        return tags;
    }

    private static bool ReadNext(TaggedTable table, ref BlockRoute route, List<long> tags)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!route.TryFind(out BlockRef block, out int from, out int to)) return false;
        Read(table, block, from, to, tags);
        route.Pass(to);
        return true;
    }

    private static unsafe void Read(TaggedTable table, BlockRef block, int from, int to, List<long> tags)
    {
        for (int word = from / 64; word * 64 < to; word++)
        {
            ulong rows = Volatile.Read(ref *((ulong*)BlockHeader.Validity(block.Address) + word));
            for (; rows != 0; rows &= rows - 1)
            {
                int slot = word * 64 + BitOperations.TrailingZeroCount(rows);
                if (slot < from || slot >= to) continue;
                long tag = table.TagAt(block, slot);
                table.VerifyAt(new RowLocation(block, slot), tag);
                table.VerifyZone(block, table.ValueAt(block, slot));
                tags.Add(tag);
            }
        }
    }
}
