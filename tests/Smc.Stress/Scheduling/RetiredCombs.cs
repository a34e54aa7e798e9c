using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Retired rows that form combs: a long list each of whose rows has a tooth. One of the two ways to follow it leaves all teeth for later, more than the stack of a scan has room for.</summary>
internal static class RetiredCombs
{
    private const int Teeth = 80_000;

    public static void Run(int seed)
    {
        Random random = new(seed);
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
        using Collection<Link> links = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        Link[] rows = [.. Enumerable.Range(0, 4 * Teeth).Select(i => links.Add(number: i, next: null, near: null, text: ""))];
        // Seed 0 has the teeth behind the lists; others mix their ids.
        if (seed != 0) random.Shuffle(rows);
        Link root = links.Add(number: -1, next: rows[0], near: rows[2 * Teeth], text: "");
        for (int i = 0; i < Teeth; i++)
        {
            Join(rows, i, Teeth + i, isNear: false);
            Join(rows, (2 * Teeth) + i, (3 * Teeth) + i, isNear: true);
        }
        foreach (Link row in rows) links.Retire(row);
        long removed = manager.CollectRetired().Removed;
        ViolationException.Require(removed == 0, $"seed {seed}: {removed:N0} rows of the combs were reclaimed, and all are referred to");
        root.Next = null;
        removed = manager.CollectRetired().Removed;
        ViolationException.Require(removed == 2 * Teeth, $"seed {seed}: {removed:N0} rows were reclaimed when nothing referred to a comb of {2 * Teeth:N0}");
        Link.RequireWhole(links);
    }

    private static void Join(Link[] rows, int spine, int tooth, bool isNear)
    {
        Link? next = null;
        if ((spine + 1) % (2 * Teeth) != Teeth) next = rows[spine + 1];
        rows[spine].Next = isNear ? rows[tooth] : next;
        rows[spine].Near = isNear ? next : rows[tooth];
    }
}
