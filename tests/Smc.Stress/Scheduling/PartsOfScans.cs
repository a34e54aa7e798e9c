using Smc.Collections;
using Smc.Memory;

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

    internal static bool TakeTime(long number, int seed)
    {
        if (new Random(unchecked(seed * 31 + (int)number)).Next(40) == 0) Thread.Sleep(1);
        return number > 0;
    }
}
