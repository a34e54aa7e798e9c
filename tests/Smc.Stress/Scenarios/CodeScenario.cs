using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Memory.Snapshots;
using Smc.Stress.Change;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Several threads set the same few cells again and again while their codes are written anew and kernels filter by them. Whenever no window is open, each code is unknown or that of its value.
/// Rows stay on their side of the range, so each query and each snapshot has as many inside as there are.
/// </summary>
internal sealed class CodeScenario : Scenario
{
    private const int Rows = 3000;
    private const int BlockCapacity = 512;
    private const int Hot = 96;
    private const int Added = 100;

    // The first block has no steps.
    private const int FirstHot = BlockCapacity + 100;

    public override string Name => "codes";

    public override string Description => "cells set by several threads while their codes are written anew";

    /// <summary>Tries for two seconds to see what a mutant does.</summary>
    public static void Attempt(int seed) => new CodeScenario().Run(new ScenarioRun(TimeSpan.FromSeconds(2), new StressOptions { Seed = seed }));

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using Collection<Whole> wholes = new(new CollectionOptions { Manager = manager, BlockCapacity = BlockCapacity, CompactionOccupancy = 0 });
        using Collection<Host> hosts = new(new CollectionOptions { Manager = manager, BlockCapacity = BlockCapacity, CompactionOccupancy = 0 });
        using Collection<Stay> stays = new(new CollectionOptions { Manager = manager, BlockCapacity = BlockCapacity, CompactionOccupancy = 0 });
        Host[] known = [.. Enumerable.Range(0, Members.Values).Select(n => hosts.Add(key: n, isInside: Members.IsInside(n)))];
        Whole[] cells = new Whole[Rows];
        Stay[] visits = new Stay[Rows];
        int inside = 0;
        for (int i = 0; i < Rows; i++)
        {
            int n = NumberOf(i);
            if (Members.IsInside(n)) inside++;
            cells[i] = Change.Whole.Add(wholes, i, n);
            visits[i] = stays.Add(number: i, key: n, begin: n, end: 50, host: known[n]);
        }
        MemoryContext[] contexts = [CollectionAccess.Context(wholes), CollectionAccess.Context(stays)];
        long writes = 0, rewritten = 0, checks = 0, queries = 0, snapshots = 0;
        Action<Random> writer = random =>
        {
            while (run.Goes)
            {
                int i = FirstHot + random.Next(Hot), n = Members.Move(random, NumberOf(i), 120);
                Whole whole = cells[i];
                Stay stay = visits[i];
                switch (random.Next(5))
                {
                    case 0: whole.Int = n; break;
                    case 1: whole.Wide = n * Change.Whole.WideStep; break;
                    case 2: whole.Set(@int: n, @long: n * Change.Whole.LongStep); break;
                    case 3: stay.Host = known[Members.Move(random, NumberOf(i), Members.Values)]; break;
                    default: (stay.Begin, stay.Key) = (n, n); break;
                }
                Interlocked.Increment(ref writes);
            }
        };
        Action<Random> adder = random =>
        {
            Queue<Whole> rows = [];
            while (run.Goes)
            {
                rows.Enqueue(random.Next(2) == 0 ? Change.Whole.Add(wholes, Rows, 90 + random.Next(10)) : wholes.AddNew(row => row.Int = 90 + random.Next(10)));
                if (rows.Count > Added)
                {
                    Whole leaving = rows.Dequeue();
                    // Its place has an unknown code when the next row gets it.
                    leaving.Int = 90 + random.Next(10);
                    wholes.Remove(leaving);
                }

                if (random.Next(20) == 0) Epoch.TryAdvance();
            }
        };
        Action<Random> rewriter = random =>
        {
            while (run.Goes)
            {
                MemoryContext context = contexts[random.Next(contexts.Length)];
                if (random.Next(30) == 0) Interlocked.Add(ref rewritten, context.Compaction.Run(new CompactionOptions { TimeLimit = TimeSpan.FromMilliseconds(20) }).CodesWritten);
                else context.Compaction.TryRewriteInBackground(TimeSpan.FromMilliseconds(20));
            }
        };
        Action<Random> checker = random =>
        {
            Exception? fault = null;
            while (run.Goes)
            {
                bool isChecked = SnapshotState.TryRunBetweenWindows(() =>
                {
                    try
                    {
                        foreach (MemoryContext context in contexts) CodeInvariants.Check(context);
                    }
                    catch (InvariantViolatedException violated)
                    {
                        fault = violated;
                    }
                });
                if (fault is not null) throw new ViolationException(fault.Message);
                if (isChecked) Interlocked.Increment(ref checks);
                Thread.Sleep(random.Next(3));
            }
        };
        Action<Random> reader = random =>
        {
            while (run.Goes)
            {
                Answers.Count(wholes.LongCount(r => r.Int >= 10 && r.Int < 90), inside);
                Answers.Count(wholes.LongCount(r => r.Wide > 9_500_000 && r.Wide < 89_500_000), inside);
                Answers.Count(stays.LongCount(s => s.Host.IsInside), inside);
                Answers.Count(stays.LongCount(s => s.Begin >= 10 && s.Begin < 90), inside);
                Interlocked.Increment(ref queries);
                if (random.Next(300) != 0) continue;
                using Snapshot snapshot = Snapshot.Take(wholes, stays);
                for (int again = 0; again < 3; again++)
                {
                    Answers.Count(Query.Run(snapshot.Of(wholes), static rows => rows.LongCount(r => r.Int >= 10 && r.Int < 90)), inside);
                    Answers.Count(Query.Run(snapshot.Of(stays), static rows => rows.LongCount(s => s.Begin >= 10 && s.Begin < 90)), inside);
                }
                Interlocked.Increment(ref snapshots);
            }
        };
        run.ContinueUntil(() => Volatile.Read(ref writes) > 10_000 && Volatile.Read(ref queries) > 100 && Volatile.Read(ref checks) > 20 && Volatile.Read(ref rewritten) > 0);
        run.Work([rewriter, checker, reader, adder, .. Enumerable.Repeat(writer, Math.Max(2, run.Threads - 2))]);
        foreach (MemoryContext context in contexts)
        {
            CodeInvariants.Check(context);
            Invariants.Check(context);
        }
        return Verdict.HeldIf(run.HasHappened, $"{writes:N0} writes, {queries:N0} times four queries, {snapshots:N0} snapshots, {checks:N0} checks, {rewritten:N0} codes written by compactions");
    }

    private static int NumberOf(int row) => (int)((long)row * 37 % Members.Values);
}
