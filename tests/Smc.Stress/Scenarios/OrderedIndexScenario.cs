using System.Runtime.InteropServices;
using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Writers add and remove rows and change their keys; readers enumerate ranges upwards and downwards, and ask queries that look ranges up; rows move meanwhile, and a second index comes and goes.
/// </summary>
internal sealed class OrderedIndexScenario : Scenario
{
    private const int Staying = 300;
    private const int Wandering = 50;

    /// <summary>Rows of one writer that go at once.</summary>
    private const int MostRemoved = 4;

    /// <summary>Keys of those that wander; those that stay have multiples of <see cref="Distance"/>.</summary>
    private const long Distance = 1000;
    private const long Greatest = Distance * (Staying + 1);

    // Rows of a branch are the same sort of row all their lives.
    private const int StayingBranch = 0;
    private const int WanderingBranch = 1;
    private const int OtherBranch = 2;

    public override string Name => "ordered-index";

    public override string Description => "an ordered index: additions, removals and changes of keys against ranges in both directions, queries, compactions and the creation of another index";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = 12, CompactionOccupancy = 0 });
        OrderedIndex<Account, long> byBalance = accounts.CreateIndex(a => a.Balance);
        Account[] staying = new Account[Staying];
        for (int i = 0; i < Staying; i++) staying[i] = Open(accounts, (i + 1) * Distance, StayingBranch);
        Account[] wandering = new Account[Wandering];
        for (int i = 0; i < Wandering; i++) wandering[i] = Open(accounts, i + 1, WanderingBranch);
        long scans = 0, asked = 0, changes = 0, built = 0;
        Action<Random> reader = random =>
        {
            while (run.Goes)
            {
                int from = random.Next(Staying), to = from + random.Next(40);
                Enumerate(byBalance, staying, from, Math.Min(to, Staying - 1), isDescending: random.Next(2) == 0);
                Interlocked.Increment(ref scans);
            }
        };
        Action<Random> asker = random =>
        {
            using var options = Query.Use(new QueryOptions { SeeksAlways = true });
            while (run.Goes)
            {
                long from = random.NextInt64(Greatest), to = from + random.NextInt64(30 * Distance);
                long expected = Enumerable.Range(1, Staying).Count(i => i * Distance >= from && i * Distance < to);
                long found = accounts.LongCount(a => a.Balance >= from && a.Balance < to && a.Branch == StayingBranch);
                ViolationException.Require(found == expected, $"of {expected} rows that stay a query found {found}");
                // These change their keys all the time, within the range.
                long wanderers = accounts.LongCount(a => a.Balance >= 1 && a.Balance < Greatest && a.Branch == WanderingBranch);
                ViolationException.Require(wanderers == Wandering, $"of {Wandering} rows that never leave the range a query found {wanderers}");
                Interlocked.Increment(ref asked);
            }
        };
        Action<Random> writer = random =>
        {
            List<Account> own = [];
            while (run.Goes)
            {
                Write(accounts, own, wandering, random);
                Interlocked.Increment(ref changes);
                if (random.Next(200) == 0) Epoch.TryAdvance();
            }
        };
        Action<Random> builder = random =>
        {
            while (run.Goes)
            {
                using OrderedIndex<Account, (int, long)> second = accounts.CreateIndex(a => ValueTuple.Create(a.Branch, a.Balance));
                ViolationException.Require(second.Range((StayingBranch, 0), (StayingBranch, long.MaxValue)).SequenceEqual(staying), "a new index lacks a row that stays");
                Interlocked.Increment(ref built);
                Thread.Sleep(random.Next(3));
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref scans) > 100 && Volatile.Read(ref asked) > 100 && Volatile.Read(ref changes) > 1000 && Volatile.Read(ref built) > 2);
        Action<Random>[] roles = [reader, writer, asker, writer];
        run.Work([compactor.For(run, accounts.OpenContext()), builder, .. Enumerable.Range(0, Math.Max(4, run.Threads)).Select(i => roles[i % roles.Length])]);
        Check(accounts, byBalance);
        byBalance.Dispose();
        accounts.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{scans:N0} ranges, {asked:N0} queries, {changes:N0} changes, {built:N0} indexes built meanwhile; {compactor.Summary}");
    }

    private static Account Open(Collection<Account> accounts, long key, int branch) => accounts.Add(number: key, branch: branch, balance: key, owner: "an owner of some length");

    private static void Enumerate(OrderedIndex<Account, long> byBalance, Account[] staying, int from, int to, bool isDescending)
    {
        IndexRange<Account, long> range = byBalance.Range((from + 1) * Distance, (to + 1) * Distance);
        List<Account> met = [];
        foreach (Account row in isDescending ? range.Descending() : range)
        {
            // Another thread may have removed it since.
            if (row.IsAlive && Array.IndexOf(staying, row) >= 0) met.Add(row);
        }
        if (isDescending) met.Reverse();
        ViolationException.Require(met.SequenceEqual(staying[from..(to + 1)]), $"of {to - from + 1} rows that stay {met.Count} were returned, or not in order");
    }

    private static void Write(Collection<Account> accounts, List<Account> own, Account[] wandering, Random random)
    {
        long key = random.NextInt64(1, Greatest);
        switch (random.Next(5))
        {
            case 0 or 1 when own.Count < 200:
                own.Add(Open(accounts, key, OtherBranch));
                break;
            case 2 when own.Count > 0:
                own[random.Next(own.Count)].Set(balance: key, number: key * 5);
                break;
            case 3 when own.Count > 0:
                int which = random.Next(own.Count);
                int count = Math.Min(1 + random.Next(MostRemoved), own.Count - which);
                bool isRemoved = count == 1 ? accounts.Remove(own[which]) : accounts.RemoveRange(CollectionsMarshal.AsSpan(own).Slice(which, count)) == count;
                ViolationException.Require(isRemoved, "a row was removed twice");
                own.RemoveRange(which, count);
                break;
            default:
                wandering[random.Next(wandering.Length)].Balance = key;
                break;
        }
    }

    private static void Check(Collection<Account> accounts, OrderedIndex<Account, long> byBalance)
    {
        ViolationException.Require(byBalance.All.Select(row => row.Balance).SequenceEqual(accounts.AsEnumerable().Select(row => row.Balance).Order()), "rows do not come in the order of their keys");
        ViolationException.Require(byBalance.LongCount == accounts.LongCount, $"{byBalance.LongCount} words for {accounts.LongCount} rows");
        Memory.Diagnostics.Invariants.Check(accounts.OpenContext());
    }
}
