using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Writers move money between an account and its deposit, in groups; they open and close both, rewrite texts, clear and fill a third collection. Snapshots see what belongs together,
/// by scan, by kernel, by reference and by handle, and see it again as long as they are open. Rows are compacted meanwhile, and some snapshots are lost.
/// </summary>
internal sealed class SnapshotScenario : Scenario
{
    private const int Pairs = 150;
    private const long Sum = 1_000_000;
    private const int Generation = 30;

    // The whole process may stand still for a while.
    private static readonly SnapshotOptions s_patient = new() { TimeLimit = TimeSpan.FromMinutes(10) };

    public override string Name => "snapshot";

    public override string Description => "snapshots of three collections under groups of writes, removals, texts, Clear and compaction: sums by scan, by kernel, by reference, by handle";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        World world = new(manager);
        Tally tally = new();
        long groups = 0, cleared = 0;
        Action<Random> reader = random =>
        {
            while (run.Goes) Read(world, random, tally);
        };
        Action<Random> writer = random =>
        {
            while (run.Goes)
            {
                world.Change(random);
                if (Interlocked.Increment(ref groups) % 100 == 0) Epoch.TryAdvance();
            }
        };
        Action<Random> clearer = random =>
        {
            for (int generation = 1; run.Goes; generation++)
            {
                world.Refill(generation);
                cleared++;
                if (random.Next(2) == 0) Thread.Sleep(1);
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref tally.Taken) > 50 && Volatile.Read(ref groups) > 2000 && Volatile.Read(ref cleared) > 20);
        Action<Random>[] roles = [reader, writer, writer, reader];
        run.Work([compactor.For(run, world.Accounts.OpenContext()), clearer, .. Enumerable.Range(0, Math.Max(4, run.Threads)).Select(i => roles[i % roles.Length])]);
        Memory.Diagnostics.Invariants.Check(world.Accounts.OpenContext());
        Memory.Diagnostics.Invariants.Check(world.Deposits.OpenContext());
        world.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{tally.Taken:N0} snapshots, {tally.Lost:N0} lost, looked at {tally.Looks:N0} times, {groups:N0} groups, {cleared:N0} times cleared; {compactor.Summary}");
    }

    /// <summary>Takes a snapshot, and sometimes a second while the first is open, and looks at each several times.</summary>
    private static void Read(World world, Random random, Tally tally)
    {
        SnapshotOptions options = s_patient with { MaxBytes = random.Next(10) == 0 ? random.Next(200_000) : null };
        try
        {
            using Snapshot first = Take(world, options, tally);
            (long, int, int) seen = Look(world, first, random, tally);
            if (random.Next(3) == 0)
            {
                using Snapshot second = Take(world, s_patient, tally);
                Look(world, second, random, tally);
                if (random.Next(2) == 0) first.Dispose();
                Look(world, second, random, tally);
            }
            if (random.Next(4) == 0) Thread.Sleep(random.Next(3));
            (long, int, int) again = Look(world, first, random, tally);
            ViolationException.Require(seen == again, $"a snapshot saw {seen}, and then {again}");
        }
        catch (SnapshotLostException)
        {
            Interlocked.Increment(ref tally.Lost);
        }
        catch (ObjectDisposedException)
        {
            // The first, above.
        }
    }

    private static Snapshot Take(World world, SnapshotOptions options, Tally tally)
    {
        Snapshot taken = Snapshot.Take(options, world.Accounts, world.Deposits, world.Notes);
        Interlocked.Increment(ref tally.Taken);
        return taken;
    }

    private static (long Sum, int Pairs, int Notes) Look(World world, Snapshot snapshot, Random random, Tally tally)
    {
        Interlocked.Increment(ref tally.Looks);
        Query<Account> accounts = snapshot.Of(world.Accounts);
        Query<Deposit> deposits = snapshot.Of(world.Deposits);
        // The balances themselves tell one moment from another.
        long balances = accounts.Sum(a => a.Balance);
        int pairs = deposits.Count();
        ViolationException.Require(accounts.Count() == pairs, $"{accounts.Count()} accounts, but {pairs} deposits");
        long sum = balances + deposits.Sum(d => d.Amount);
        ViolationException.Require(sum == pairs * Sum, $"the sum of {pairs} pairs is {sum}");
        switch (random.Next(4))
        {
            case 0:
                int wrong = deposits.Count(d => d.Amount + d.Holder.Balance != Sum);
                ViolationException.Require(wrong == 0, $"{wrong} deposits do not agree with their account, by reference");
                break;
            case 1:
                int wrongDirect = deposits.Count(d => d.Amount + d.Via.Balance != Sum);
                ViolationException.Require(wrongDirect == 0, $"{wrongDirect} deposits do not agree with their account, by direct reference");
                break;
            case 2:
                int met = 0;
                foreach (Deposit row in deposits)
                {
                    met++;
                    long both = snapshot.Read(row, d => d.Amount + d.Holder.Balance);
                    ViolationException.Require(both == Sum, $"a deposit and its account have {both}, by handle");
                }
                ViolationException.Require(met == pairs, $"{met} rows were enumerated, and {pairs} counted");
                break;
            default:
                foreach (var account in accounts.Select(a => new { a.Balance, a.Owner }).ToList())
                    ViolationException.Require(account.Owner == OwnerOf(account.Balance), $"an account with {account.Balance} belongs to '{account.Owner}'");
                break;
        }
        List<long> generations = snapshot.Of(world.Notes).Select(n => n.Number).ToList();
        ViolationException.Require(generations.Count is 0 or Generation && generations.Distinct().Count() <= 1, $"{generations.Count} notes of {generations.Distinct().Count()} generations");
        string texts = string.Join('|', snapshot.Of(world.Notes).Select(n => n.Owner).ToList().Distinct());
        ViolationException.Require(generations.Count == 0 || texts == Account.OwnerOf(generations[0]), $"notes of generation {(generations.Count == 0 ? 0 : generations[0])} have the text '{texts}'");
        return (balances, pairs, generations.Count == 0 ? 0 : (int)generations[0]);
    }

    private static string OwnerOf(long balance) => $"somebody with the balance {balance} and a name";

    private sealed class Tally
    {
        public long Taken;
        public long Lost;
        public long Looks;
    }

    private sealed class World : IDisposable
    {
        private readonly (Account Account, Deposit Deposit)[] _pairs = new (Account, Deposit)[Pairs];
        private readonly object[] _locks = [.. Enumerable.Range(0, Pairs).Select(_ => new object())];

        public World(MemoryManager manager)
        {
            Accounts = new Collection<Account>(new CollectionOptions { Name = "accounts", Manager = manager, BlockCapacity = 12, CompactionOccupancy = 0 });
            Deposits = new Collection<Deposit>(new CollectionOptions { Name = "deposits", Manager = manager, BlockCapacity = 20, CompactionOccupancy = 0 });
            Notes = new Collection<Account>(new CollectionOptions { Name = "notes", Manager = manager, BlockCapacity = 12, CompactionOccupancy = 0 });
            for (int i = 0; i < Pairs; i++) _pairs[i] = Open(i);
        }

        public Collection<Account> Accounts { get; }

        public Collection<Deposit> Deposits { get; }

        public Collection<Account> Notes { get; }

        public void Dispose()
        {
            Deposits.Dispose();
            Accounts.Dispose();
            Notes.Dispose();
        }

        /// <summary>Changes some pairs in one group.</summary>
        public void Change(Random random)
        {
            int which = random.Next(Pairs);
            lock (_locks[which])
            {
                using WriteGroup group = WriteGroup.Begin();
                (Account account, Deposit deposit) = _pairs[which];
                if (account == default)
                {
                    _pairs[which] = Open(random.Next(1000));
                    return;
                }
                switch (random.Next(8))
                {
                    case 0:
                        Accounts.Remove(account);
                        Deposits.Remove(deposit);
                        _pairs[which] = default;
                        break;
                    case 1:
                        account.Set(balance: 0, owner: OwnerOf(0));
                        deposit.Set(amount: Sum, tag: which);
                        break;
                    case 2:
                        deposit.Via = account;
                        deposit.Tag = null;
                        break;
                    default:
                        long part = random.Next(1000);
                        account.Balance -= part;
                        deposit.Amount += part;
                        account.Owner = OwnerOf(account.Balance);
                        break;
                }
            }
        }

        public void Refill(int generation)
        {
            using WriteGroup group = WriteGroup.Begin();
            Notes.Clear();
            for (int i = 0; i < Generation; i++) Account.Open(Notes, generation, 0);
        }

        private (Account Account, Deposit Deposit) Open(long balance)
        {
            Account account = Accounts.Add(number: balance + 1, branch: 0, balance: balance, owner: OwnerOf(balance));
            return (account, Deposits.Add(holder: account, via: account, amount: Sum - balance, tag: null));
        }
    }
}
