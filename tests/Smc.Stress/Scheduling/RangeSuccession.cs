using Smc.Memory;
using Smc.Memory.Indirection;

namespace Smc.Stress.Scheduling;

/// <summary>
/// Collections follow one another: behind each other, in the same entries where the system keeps their pages, and from the beginning of what is used up where it has no more addresses. Handles of earlier ones stay dead. One thread.
/// </summary>
internal static class RangeSuccession
{
    private const int Collections = 40;

    // No other play makes ranges of this size.
    private const long MaxRows = 1 << 21;

    public static void Run(int seed)
    {
        HashSet<ulong> stale = [];
        FollowOneAnother(seed, stale, sharesEntries: false);
        using (new StrainedSystem(EntryRange.BytesFor(MaxRows)) { KeepsOneIn = 1 }) FollowOneAnother(seed, stale, sharesEntries: true);
        using (new StrainedSystem(EntryRange.BytesFor(MaxRows)) { Ranges = Collections + (Collections / 2) })
        {
            // They take what has room.
            using MemoryManager manager = new();
            for (int i = 0; i < Collections; i++) _ = new TaggedTable(manager, slotsPerBlock: 4, maxRows: MaxRows);
            FollowOneAnother(seed, stale, sharesEntries: true);
        }
    }

    private static void FollowOneAnother(int seed, HashSet<ulong> stale, bool sharesEntries)
    {
        using MemoryManager manager = new();
        HashSet<ulong> firsts = [];
        for (int i = 0; i < Collections; i++)
        {
            using TaggedTable table = new(manager, slotsPerBlock: 4, maxRows: MaxRows);
            ulong first = table.Context.Entries.First.Number;
            ViolationException.Require(firsts.Add(first) || sharesEntries, $"seed {seed}: two collections have the same entries");
            ulong[] handles = [.. Enumerable.Range(1, 8).Select(tag => table.Add(tag))];
            foreach (ulong handle in stale)
            {
                ViolationException.Require(!Handle.IsAlive(handle), $"seed {seed}: a handle of a disposed collection came to life");
                ViolationException.Require(sharesEntries || Handle.EntryNumber(handle) - first >= 8, $"seed {seed}: a handle of a disposed collection has a dense id of another");
            }
            table.Dispose();
            stale.UnionWith(handles);
            for (int epoch = 0; epoch <= Epoch.Grace; epoch++) Epoch.TryAdvance();
        }
        ViolationException.Require(!sharesEntries || firsts.Count < Collections, $"none of {Collections} collections got the entries of another");
    }
}
