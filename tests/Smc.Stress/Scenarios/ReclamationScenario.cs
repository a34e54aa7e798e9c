using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// A manager of one method whose garbage alone moves the epoch on, while some threads do nothing, some only read, and others come, work a little and
/// go, now and then without leaving their section. It keeps freeing, and nothing that a reader is at.
/// </summary>
internal sealed class ReclamationScenario(ReclamationMethod method) : Scenario
{
    private const int Rows = 64;
    private const int IdleThreads = 2;

    public override string Name => $"reclamation-{method.ToString().ToLowerInvariant()}";

    public override string Description => $"strings replaced under {method} by threads that come and go, beside idle ones and readers";

    public override Verdict Run(ScenarioRun run)
    {
        MemoryManager manager = new(new MemoryManagerOptions { Reclamation = method });
        TaggedTable table = new(manager, slotsPerBlock: 8);
        (ulong Handle, long Tag)[] rows = [.. Enumerable.Range(1, Rows).Select(tag => (table.Add(tag), (long)tag))];
        long before = Epoch.Current, rewrites = 0, visits = 0, most = 0;
        run.ContinueUntil(() => Volatile.Read(ref rewrites) > 20_000 && Volatile.Read(ref visits) > 20 && Epoch.Current - before > 20);
        using ManualResetEventSlim end = new();
        Thread[] idle = [.. Enumerable.Range(0, IdleThreads).Select(_ => new Thread(() => run.Guard(() => BeIdle(table, rows[0], end))) { IsBackground = true })];
        foreach (Thread thread in idle) thread.Start();
        run.Work([.. Enumerable.Repeat<Action<Random>>(Rewrite, Math.Max(1, run.Threads - 2)), Read, Come]);
        end.Set();
        foreach (Thread thread in idle) thread.Join();
        table.CheckInvariants();
        table.Dispose();
        ScenarioRun.RequireAllGivenBack(manager);
        manager.Dispose();
        return Verdict.HeldIf(run.HasHappened, $"{rewrites:N0} strings replaced, {visits:N0} threads came and went, {Epoch.Current - before:N0} epochs, at most {most / 1024:N0} KiB waited");

        void Rewrite(Random random)
        {
            for (int i = 0; run.Goes; i++)
            {
                table.Rewrite(rows[random.Next(Rows)].Handle);
                Interlocked.Increment(ref rewrites);
                if (i % 256 == 0) most = Math.Max(most, table.Context.GarbageBytes);
            }
        }

        void Read(Random random)
        {
            while (run.Goes)
            {
                (ulong handle, long tag) = rows[random.Next(Rows)];
                ViolationException.Require(table.Verify(handle, tag, static () => Thread.SpinWait(50)), $"row {tag} is gone");
            }
        }

        void Come(Random random)
        {
            while (run.Goes)
            {
                int seed = random.Next();
                bool dies = random.Next(8) == 0;
                Thread visitor = new(() => run.Guard(() => Visit(new Random(seed), dies)));
                visitor.Start();
                visitor.Join();
                Interlocked.Increment(ref visits);
            }
        }

        void Visit(Random random, bool dies)
        {
            for (int i = random.Next(2000); i > 0; i--) table.Rewrite(rows[random.Next(Rows)].Handle);
            if (dies) _ = CriticalSection.Enter();
            else if (random.Next(2) == 0) Epoch.DetachThread();
        }
    }

    private static void BeIdle(TaggedTable table, (ulong Handle, long Tag) row, ManualResetEventSlim end)
    {
        table.Verify(row.Handle, row.Tag);
        end.Wait();
    }
}
