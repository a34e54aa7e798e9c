using Smc.Memory;
using Smc.Memory.Indirection;
using Smc.Stress.Scheduling;

namespace Smc.Stress.Scenarios;

/// <summary>Collections follow one another in reservations of entries; some have the entries of earlier ones, because the system keeps their pages or has no more addresses. Handles of the earlier ones stay dead.</summary>
internal sealed class RangeScenario : Scenario
{
    private const int Rows = 12;

    // No other mapping has the size of such a range. The system has few of those for twice as many rows.
    private const long MaxRows = 1 << 21;
    private const int Ranges = 100;

    public override string Name => "ranges";

    public override string Description => "entries behind and in those of collections that were disposed";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        long collections = 0, reused = 0;
        run.ContinueUntil(() => Volatile.Read(ref reused) > 10 && Volatile.Read(ref collections) - Volatile.Read(ref reused) > 10);
        using StrainedSystem system = new(EntryRange.BytesFor(2 * MaxRows)) { KeepsOneIn = 3, Ranges = Ranges };
        run.WorkOnAll(random =>
        {
            List<ulong> stale = [];
            HashSet<ulong> bases = [];
            for (; run.Goes; Interlocked.Increment(ref collections))
            {
                using TaggedTable table = Open(manager, random.Next(2) == 0 ? MaxRows : 2 * MaxRows);
                if (!bases.Add(table.Context.Entries.First.Number)) Interlocked.Increment(ref reused);
                List<ulong> handles = Fill(run, table, random);
                foreach (ulong handle in stale) ViolationException.Require(!Handle.IsAlive(handle), "a handle of a disposed collection came to life");
                foreach (ulong handle in stale) ViolationException.Require(MemoryContext.Find(handle) is null, "a handle of a disposed collection is taken for one of another");
                table.Dispose();
                if (stale.Count > 2000) stale.RemoveRange(0, 1000);
                stale.AddRange(handles);
                Epoch.TryAdvance();
            }
        });
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{collections:N0} collections, {reused:N0} with entries used before");
    }

    private static TaggedTable Open(MemoryManager manager, long maxRows)
    {
        while (true)
        {
            try
            {
                return new TaggedTable(manager, slotsPerBlock: 4, maxRows: maxRows);
            }
            catch (OffHeapMemoryException)
            {
                // All ranges belong to collections that wait for readers.
                Epoch.TryAdvance();
            }
        }
    }

    private static List<ulong> Fill(ScenarioRun run, TaggedTable table, Random random)
    {
        List<ulong> handles = [];
        for (int i = 0; i < Rows; i++)
        {
            long tag = run.NextTag();
            ulong handle = table.Add(tag);
            ViolationException.Require(table.Verify(handle, tag), $"row {tag} is gone before its removal");
            handles.Add(handle);
            if (random.Next(3) == 0) table.Context.Removal.TryRemove(handles[random.Next(handles.Count)]);
        }
        return handles;
    }
}
