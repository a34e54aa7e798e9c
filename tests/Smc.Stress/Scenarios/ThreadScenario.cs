using Smc.Memory;
using Smc.Memory.Epochs;

namespace Smc.Stress.Scenarios;

/// <summary>Threads come and go, some of them without leaving their section. Their slots come back and the epoch moves on.</summary>
internal sealed class ThreadScenario : Scenario
{
    public override string Name => "threads";

    public override string Description => "thousands of short threads, some of which die inside a section";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 8);
        long started = 0, leaking = 0;
        long leakedBefore = Epoch.LeakedSections;
        run.ContinueUntil(() => Volatile.Read(ref started) > 50 && Volatile.Read(ref leaking) > 0);
        run.WorkOnAll(random =>
        {
            while (run.Goes)
            {
                bool leak = random.Next(10) == 0;
                Thread thread = new(() => run.Guard(() => LiveShortly(run, table, leak)));
                thread.Start();
                if (random.Next(3) != 0) thread.Join();
                Interlocked.Increment(ref started);
                if (leak) Interlocked.Increment(ref leaking);
            }
        });
        for (int i = 0; i < 1000 && ThreadSlots.ReclaimDead() >= 0 && Epoch.LeakedSections - leakedBefore < leaking; i++) Thread.Sleep(1);
        run.Rethrow();
        ViolationException.Require(Epoch.LeakedSections - leakedBefore == leaking, $"{leaking} sections were leaked, {Epoch.LeakedSections - leakedBefore} noticed");
        ViolationException.Require(Epoch.TryAdvance(), "the epoch does not move after all threads have ended");
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{started:N0} threads, {leaking:N0} died inside, {ThreadSlots.Used} slots");
    }

    private static void LiveShortly(ScenarioRun run, TaggedTable table, bool leak)
    {
        long tag = run.NextTag();
        ulong handle = table.Add(tag);
        ViolationException.Require(table.Verify(handle, tag), $"row {tag} is gone before its removal");
        ViolationException.Require(table.Context.Removal.TryRemove(handle), $"row {tag} cannot be removed");
        Epoch.TryAdvance();
        if (leak) _ = CriticalSection.Enter();
    }
}
