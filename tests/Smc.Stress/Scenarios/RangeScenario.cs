using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Collections follow one another in the same ranges of entries. Handles of the earlier ones stay dead.</summary>
internal sealed class RangeScenario : Scenario
{
    private const int Rows = 12;

    public override string Name => "ranges";

    public override string Description => "ranges of entries that pass from a disposed collection to the next";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        long collections = 0, reused = 0;
        run.ContinueUntil(() => Volatile.Read(ref reused) > 10);
        run.WorkOnAll(random =>
        {
            List<ulong> stale = [];
            HashSet<ulong> bases = [];
            for (; run.Goes; Interlocked.Increment(ref collections))
            {
                using TaggedTable table = new(manager, slotsPerBlock: 4, maxRows: 1 << 12);
                if (!bases.Add(table.Context.Entries.First.Number)) Interlocked.Increment(ref reused);
                List<ulong> handles = Fill(run, table, random);
                foreach (ulong handle in stale) ViolationException.Require(!Handle.IsAlive(handle), "a handle of a disposed collection came to life");
                table.Dispose();
                if (stale.Count > 2000) stale.RemoveRange(0, 1000);
                stale.AddRange(handles);
                Epoch.TryAdvance();
            }
        });
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{collections:N0} collections, {reused:N0} in a range used before");
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
