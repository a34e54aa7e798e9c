using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Readers stay in their sections for long while others churn. What they hold stays theirs; re-use goes on between.</summary>
internal sealed class StalledReaderScenario : Scenario
{
    public override string Name => "stalled-readers";

    public override string Description => "readers that sleep inside a section, while rows come and go";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 8);
        (ulong Handle, long Tag)[] shared = new (ulong, long)[32];
        Lock guard = new();
        for (int i = 0; i < shared.Length; i++) shared[i] = AddNew();
        long stalls = 0;
        Action<Random> reader = random =>
        {
            for (; run.Goes; Interlocked.Increment(ref stalls))
            {
                (ulong handle, long tag) = Pick(random);
                table.Verify(handle, tag, () => Thread.Sleep(random.Next(1, 8)));
            }
        };
        Action<Random> churner = random =>
        {
            while (run.Goes)
            {
                (ulong handle, _) = Pick(random);
                if (!table.Context.Removal.TryRemove(handle)) continue;
                (ulong, long) added = AddNew();
                lock (guard) shared[Array.FindIndex(shared, row => row.Handle == handle)] = added;
                if (random.Next(20) == 0) Epoch.TryAdvance();
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref stalls) > 10 && table.Context.Removals > 100);
        run.Work([compactor.For(run, table.Context), .. Enumerable.Range(0, Math.Max(2, run.Threads)).Select(i => i % 2 == 0 ? churner : reader)]);
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{stalls:N0} stalls, {table.Context.Removals:N0} removals; {compactor.Summary}");

        (ulong, long) AddNew()
        {
            long tag = run.NextTag();
            return (table.Add(tag), tag);
        }

        (ulong, long) Pick(Random random)
        {
            lock (guard) return shared[random.Next(shared.Length)];
        }
    }
}
