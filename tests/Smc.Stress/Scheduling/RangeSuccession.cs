using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Collections follow one another until one gets the range of entries of an earlier one, whose handles must stay dead. One thread.</summary>
internal static class RangeSuccession
{
    private const int MostCollections = 500;

    public static void Run(int seed)
    {
        using MemoryManager manager = new();
        Dictionary<ulong, ulong[]> stale = [];
        for (int i = 0; i < MostCollections; i++)
        {
            using TaggedTable table = new(manager, slotsPerBlock: 4);
            ulong[] handles = [.. Enumerable.Range(1, 8).Select(tag => table.Add(tag))];
            if (stale.TryGetValue(table.Context.Entries.First.Number, out ulong[]? earlier))
            {
                foreach (ulong handle in earlier) ViolationException.Require(!Handle.IsAlive(handle), $"seed {seed}: a handle of a disposed collection came to life");
                return;
            }
            stale.Add(table.Context.Entries.First.Number, handles);
            table.Dispose();
            for (int epoch = 0; epoch <= Epoch.Grace; epoch++) Epoch.TryAdvance();
        }
        throw new ViolationException($"none of {MostCollections} collections got the range of another");
    }
}
