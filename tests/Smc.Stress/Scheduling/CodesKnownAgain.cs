using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Stress.Change;

namespace Smc.Stress.Scheduling;

/// <summary>What a filter knows of a block is from before a value is set and its code written anew: it has to notice, because it may have read the unknown code between.</summary>
internal static class CodesKnownAgain
{
    private const int BlockCapacity = 256;

    public static void Run(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Whole> rows = new(new CollectionOptions { Manager = manager, BlockCapacity = BlockCapacity, CompactionOccupancy = 0 });
        Whole[] all = [.. Enumerable.Range(0, 3 * BlockCapacity).Select(i => Whole.Add(rows, i, i % Members.Values))];
        MemoryContext context = CollectionAccess.Context(rows);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), static column => column.Name == "Int")!;
        Random random = new(seed);
        using CriticalSection section = CriticalSection.Enter();
        BlockRange range = BlockRange.Of(context.Blocks[1].Address, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(10).Below(90));
        Whole set = all[BlockCapacity + random.Next(BlockCapacity)];
        set.Int = random.Next(Members.Values);
        bool isKnown = false;
        Thread rewriter = new(() => isKnown = context.Compaction.TryRewriteInBackground(TimeSpan.FromSeconds(10)));
        rewriter.Start();
        rewriter.Join();
        ViolationException.Require(!isKnown || range.FallsBack(), "a filter does not notice that a code was unknown");
    }
}
