using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>Threads share a scan for retired rows and take their time with some pieces; what rows lead to must stay, and the rest go.</summary>
internal static class PartsOfRetireScans
{
    private const int RowsOfBlock = 64;
    private const int Blocks = 16;

    public static void Run(int seed)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand with { DegreeOfParallelism = 4 } });
        using Collection<Link> links = new(new CollectionOptions { Manager = manager, BlockCapacity = RowsOfBlock, CompactionOccupancy = 0 });
        Link[] targets = [.. Enumerable.Range(0, RowsOfBlock).Select(i => Add(links, i, null))];
        // Every second target is referred to, from another block than its neighbours: so the bits of one word are set by several threads.
        for (int i = 0; i < RowsOfBlock * Blocks; i++)
        {
            int target = 2 * (i / RowsOfBlock);
            Add(links, i, i % RowsOfBlock == 0 ? targets[target] : null);
        }
        foreach (Link target in targets) links.Retire(target);
        int steps = 0;
        ProtocolSteps.Hook = step =>
        {
            if (step is ProtocolStep.ScanPieceTaken or ProtocolStep.ScanMarkRead && new Random(unchecked((seed * 31) + Interlocked.Increment(ref steps))).Next(3) == 0) Thread.Sleep(1);
        };
        try
        {
            manager.CollectRetired();
        }
        finally
        {
            ProtocolSteps.Hook = null;
        }
        for (int i = 0; i < RowsOfBlock; i++)
        {
            bool isReferredTo = i % 2 == 0 && i < 2 * Blocks;
            ViolationException.Require(targets[i].IsAlive == isReferredTo, $"seed {seed}: retired row {i} is {(isReferredTo ? "referred to and gone" : "there, and nothing refers to it")}");
        }
    }

    private static Link Add(Collection<Link> links, int number, Link? next) => links.Add(number: number, next: next, near: null, text: "");
}
