using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Collections are disposed with readers and writers inside. Nobody crashes, handles die, and all memory comes back.</summary>
internal sealed class DisposeScenario : Scenario
{
    private const int Rows = 40;

    public override string Name => "dispose";

    public override string Description => "collections disposed while others read, add and remove";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        Generation current = MakeGeneration(run, manager);
        long disposed = 0;
        Action<Random> worker = random =>
        {
            while (run.Goes) UseOrSeeDisposed(run, Volatile.Read(ref current), random);
        };
        Action<Random> disposer = random =>
        {
            for (; run.Goes; disposed++)
            {
                Generation old = current;
                Volatile.Write(ref current, MakeGeneration(run, manager));
                Thread.SpinWait(random.Next(2000));
                old.Table.Dispose();
                foreach (ulong handle in old.Handles) ViolationException.Require(!Handle.IsAlive(handle), "a row is alive after its collection was disposed");
            }
        };
        CompactingWorker compactor = new();
        Action<Random> compacting = random =>
        {
            while (run.Goes) compactor.Compact(Volatile.Read(ref current).Table.Context, random);
        };
        run.ContinueUntil(() => Volatile.Read(ref disposed) > 20);
        run.Work([disposer, compacting, .. Enumerable.Repeat(worker, Math.Max(1, run.Threads - 1))]);
        current.Table.Dispose();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{disposed:N0} collections; {compactor.Summary}");
    }

    private sealed record Generation(TaggedTable Table, ulong[] Handles, long[] Tags);

    private static Generation MakeGeneration(ScenarioRun run, MemoryManager manager)
    {
        TaggedTable table = new(manager, slotsPerBlock: 8);
        long[] tags = [.. Enumerable.Range(0, Rows).Select(_ => run.NextTag())];
        return new Generation(table, [.. tags.Select(table.Add)], tags);
    }

    private static void UseOrSeeDisposed(ScenarioRun run, Generation generation, Random random)
    {
        int index = random.Next(Rows);
        generation.Table.Verify(generation.Handles[index], generation.Tags[index], static () => Thread.SpinWait(50));
        if (random.Next(2) == 0) generation.Table.Rewrite(generation.Handles[index]);
        ulong added = 0;
        try
        {
            long tag = run.NextTag();
            added = generation.Table.Add(tag);
            generation.Table.Verify(added, tag);
            if (random.Next(2) == 0) generation.Table.Context.Removal.TryRemove(added);
        }
        catch (ObjectDisposedException) when (generation.Table.Context.IsDisposed)
        {
            // Expected: the disposer was faster.
        }
    }
}
