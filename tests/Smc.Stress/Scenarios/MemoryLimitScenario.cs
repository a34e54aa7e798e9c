using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Memory runs out again and again. The operation that fails changes nothing, and the next works when there is room.</summary>
internal sealed class MemoryLimitScenario : Scenario
{
    private const long Limit = 24 * 64 * 1024;

    public override string Name => "memory-limit";

    public override string Description => "a manager with a limit that is reached all the time";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = Limit });
        long refusals = 0;
        run.ContinueUntil(() => Volatile.Read(ref refusals) > 0);
        using (TaggedTable table = new(manager, slotsPerBlock: 8))
        {
            run.WorkOnAll(random =>
            {
                List<(ulong Handle, long Tag)> rows = [];
                while (run.Goes)
                {
                    try
                    {
                        long tag = run.NextTag();
                        rows.Add((table.Add(tag), tag));
                    }
                    catch (OffHeapMemoryException)
                    {
                        Interlocked.Increment(ref refusals);
                        RemoveSome(table, rows, random);
                    }
                    ViolationException.Require(manager.MappedBytes <= Limit, $"{manager.MappedBytes:N0} bytes are mapped, {Limit:N0} are allowed");
                }
                foreach ((ulong handle, long tag) in rows)
                {
                    ViolationException.Require(table.Verify(handle, tag), $"row {tag} is lost");
                    table.Context.Removal.TryRemove(handle);
                }
            });
            table.CheckInvariants();
            ViolationException.Require(table.Context.Count == 0, $"{table.Context.Count} rows are left over");
        }
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{refusals:N0} refusals");
    }

    private static void RemoveSome(TaggedTable table, List<(ulong Handle, long Tag)> rows, Random random)
    {
        for (int left = rows.Count / 2; rows.Count > left;)
        {
            int index = random.Next(rows.Count);
            ViolationException.Require(table.Verify(rows[index].Handle, rows[index].Tag), $"row {rows[index].Tag} is lost");
            ViolationException.Require(table.Context.Removal.TryRemove(rows[index].Handle), $"row {rows[index].Tag} cannot be removed");
            rows.RemoveAt(index);
        }
        Epoch.TryAdvance();
    }
}
