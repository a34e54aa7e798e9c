using Smc.Collections;
using Smc.Memory;
using Smc.Stress.Change;

namespace Smc.Stress.Scheduling;

/// <summary>Threads share a scan and take their time with the rows of some blocks; the rows must come in the order of the blocks all the same.</summary>
internal static class PartsOfScans
{
    private const int Rows = 256;

    public static void Run(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = 4, CompactionOccupancy = 0 });
        for (int number = 1; number <= Rows; number++) Account.Open(accounts, number, branch: 0);
        using (Query.Use(new QueryOptions { DegreeOfParallelism = 4, MinRowsPerThread = 1 }))
        {
            List<long> numbers = Query.Run(accounts, seed, static (IEnumerable<Account> accounts, int seed) =>
                accounts.Where(a => TakeTime(a.Number, seed)).Select(a => a.Number).ToList());
            ViolationException.Require(numbers.Count == Rows, $"{numbers.Count} of {Rows} rows were found");
            for (int i = 0; i < Rows; i++) ViolationException.Require(numbers[i] == i + 1, $"seed {seed}: row {numbers[i]} is in the place of row {i + 1}");
        }
    }

    /// <summary>Threads share a scan whose rows are near others of their group, and write to one array of groups.</summary>
    public static void RunGroups(int seed)
    {
        const int RowsOfGroup = 4;
        using MemoryManager manager = new();
        CollectionOptions options = new() { Manager = manager, BlockCapacity = 64, CompactionOccupancy = 0 };
        using Collection<Purchase> purchases = new(options);
        using Collection<Line> lines = new(options);
        Purchase[] all = [.. Enumerable.Range(0, 4 * Rows / RowsOfGroup).Select(i => Purchase.Add(purchases, i, 0))];
        // A block begins with a row of the last group of the block before.
        for (int i = 0; i < 4 * Rows; i++) lines.Add(number: i, key: 0, amount: 3, purchase: all[Math.Max(0, i - 1) / RowsOfGroup], former: all[0], gift: null);
        using (Query.Use(new QueryOptions { DegreeOfParallelism = 4, MinRowsPerThread = 1 }))
        {
            var groups = Query.Run(lines, seed, static (IEnumerable<Line> lines, int seed) =>
                lines.GroupBy(l => l.Purchase).Select(g => ValueTuple.Create(g.Key, g.Count(l => TakeTime(l.Number, seed)))).ToList()).ConvertAll(static g => (g.Item1 == default ? -1 : g.Item1.Key, g.Item2));
            ViolationException.Require(groups.Count == all.Length, $"seed {seed}: {groups.Count} of {all.Length} groups were found");
            for (int i = 0; i < all.Length; i++)
            {
                int rows = i == 0 ? RowsOfGroup + 1 : i == all.Length - 1 ? RowsOfGroup - 1 : RowsOfGroup;
                ViolationException.Require(groups[i] == (i, rows), $"seed {seed}: group {groups[i].Item1} in the place of {i} has {groups[i].Item2} rows");
            }
        }
    }

    internal static bool TakeTime(long number, int seed)
    {
        if (new Random(unchecked(seed * 31 + (int)number)).Next(40) == 0) Thread.Sleep(1);
        return number >= 0;
    }
}
