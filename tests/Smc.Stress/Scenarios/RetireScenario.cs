using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Threads hang rows below others, retire them, and store handles that nobody else has, while scans reclaim what nothing refers to, rows are compacted and snapshots are taken. They
/// put such rows into a map that is a root, too, whose chunks are split and joined all the time.
/// From time to time the threads stop, and all that live rows lead to is looked at, while scans go on.
/// </summary>
internal sealed class RetireScenario : Scenario
{
    private const int Roots = 200;
    private const int Keys = 300;

    public override string Name => "retire";

    public override string Description => "rows are retired, revived by hidden handles, put into a map, removed and compacted while scans reclaim what no row and no map refers to";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.Default with { DegreeOfParallelism = 2 } });
        Collection<Link> links = new(new CollectionOptions { Manager = manager, BlockCapacity = 128, CompactionOccupancy = 0 });
        RootMap<int, Link> map = new(new OrderedMapOptions { Manager = manager, ChunkCapacity = 16 });
        Link[] roots = [.. Enumerable.Range(0, Roots).Select(i => Add(links, i))];
        using ReaderWriterLockSlim pause = new();
        long scans = 0, removed = 0, changes = 0, checks = 0;
        Action<Random> scanner = _ =>
        {
            while (run.Goes)
            {
                removed += manager.CollectRetired().Removed;
                Interlocked.Increment(ref scans);
                Epoch.TryAdvance();
            }
        };
        Action<Random> writer = random =>
        {
            List<Link> held = [];
            while (run.Goes)
            {
                pause.EnterReadLock();
                try
                {
                    Change(links, roots, map, held, random);
                    Interlocked.Increment(ref changes);
                }
                finally
                {
                    pause.ExitReadLock();
                }
            }
        };
        Action<Random> checker = random =>
        {
            while (run.Goes)
            {
                Thread.Sleep(random.Next(1, 20));
                using Snapshot? snapshot = random.Next(4) == 0 ? Snapshot.Take(links) : null;
                pause.EnterWriteLock();
                try
                {
                    Link.RequireWhole(links, map.Values);
                    checks++;
                }
                finally
                {
                    pause.ExitWriteLock();
                }
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref scans) > 50 && Volatile.Read(ref removed) > 500 && Volatile.Read(ref checks) > 20);
        run.Work([scanner, checker, compactor.For(run, links.OpenContext()), .. Enumerable.Repeat(writer, Math.Max(2, run.Threads - 3))]);
        manager.CollectRetired();
        int whole = Link.RequireWhole(links, map.Values);
        ViolationException.Require(whole == links.Count + links.RetiredCount, $"{links.Count} rows and {links.RetiredCount} retired ones are left, but {whole} can be reached");
        Memory.Diagnostics.Invariants.Check(links.OpenContext());
        string summary = $"{scans:N0} scans reclaimed {removed:N0} rows, {changes:N0} changes, looked at {checks:N0} times; {compactor.Summary}";
        links.Dispose();
        map.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, summary);
    }

    private static Link Add(Collection<Link> links, int number, Link? next = null) => links.Add(number: number, next: next, near: null, text: $"the text of row {number}, which takes a chunk");

    private static void Change(Collection<Link> links, Link[] roots, RootMap<int, Link> map, List<Link> held, Random random)
    {
        Link root = roots[random.Next(roots.Length)];
        try
        {
            switch (random.Next(10))
            {
                case 0 or 1:
                    Link added = Add(links, random.Next(), root.Next);
                    if (added.Next is { IsAlive: false }) added.Store(null, isNear: false);
                    root.Store(added, isNear: random.Next(4) == 0);
                    links.Retire(added);
                    break;
                case 2 when held.Count > 0:
                    root.Store(held[random.Next(held.Count)], isNear: random.Next(2) == 0);
                    break;
                case 3 when held.Count > 1:
                    // Retired rows that refer to each other, in cycles, too.
                    held[random.Next(held.Count)].Store(held[random.Next(held.Count)], isNear: random.Next(2) == 0);
                    break;
                case 4:
                    root.Store(null, isNear: random.Next(4) == 0);
                    break;
                case 5 when held.Count > 0:
                    Link row = held[random.Next(held.Count)];
                    ViolationException.Require(row.Text == $"the text of row {row.Number}, which takes a chunk", "a retired row has the text of another");
                    row.Text = $"the text of row {row.Number}, which takes a chunk";
                    break;
                case 6 when random.Next(4) == 0:
                    // Nothing may refer to it before it is removed.
                    Link lost = Add(links, random.Next());
                    links.Retire(lost);
                    links.Remove(lost);
                    break;
                case 7 when held.Count > 0:
                    int key = random.Next(Keys);
                    // At times the keys become few, so that chunks are joined.
                    if (key < (random.Next(64) == 0 ? Keys : Keys / 2)) map.Set(key, held[random.Next(held.Count)]);
                    else map.Remove(key);
                    break;
                case 8 when held.Count > 0:
                    if (map.Remove(random.Next(Keys), out Link taken)) held[random.Next(held.Count)] = taken;
                    break;
                case 9:
                    if (map.TryGetValue(random.Next(Keys), out Link mapped) && held.Count > 0) held[random.Next(held.Count)] = mapped;
                    break;
                default:
                    if ((random.Next(4) == 0 ? root.Near : root.Next) is not { } next) break;
                    if (held.Count < 32) held.Add(next);
                    else held[random.Next(held.Count)] = next;
                    break;
            }
        }
        catch (RowRemovedException)
        {
            // A held handle keeps nothing.
        }
    }
}
