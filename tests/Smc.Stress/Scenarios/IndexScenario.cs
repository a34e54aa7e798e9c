using System.Runtime.InteropServices;
using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Writers add and remove rows and change their keys, each among keys that the others use, too; finders look keys up; rows move meanwhile, and a second index comes and goes.
/// </summary>
internal sealed class IndexScenario : Scenario
{
    /// <summary>Few, so that writers meet.</summary>
    private const int Keys = 400;

    /// <summary>Keys that stay with their rows.</summary>
    private const int Staying = 100;

    /// <summary>Rows of one writer that go at once.</summary>
    private const int MostRemoved = 4;

    public override string Name => "index";

    public override string Description => "a unique index: additions, removals and changes of keys against look-ups, compactions and the creation of another index";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = 12, CompactionOccupancy = 0 });
        UniqueIndex<Account, long> byNumber = accounts.CreateUniqueIndex(a => a.Number);
        Account[] staying = new Account[Staying];
        for (int i = 0; i < Staying; i++) staying[i] = Account.Open(accounts, KeyOf(Keys + i), branch: 0);
        long found = 0, changes = 0, refused = 0, built = 0;
        Action<Random> finder = random =>
        {
            while (run.Goes)
            {
                int stays = random.Next(Staying);
                ViolationException.Require(byNumber.TryFind(KeyOf(Keys + stays), out Account same) && same == staying[stays], "a row that stays was not found");
                if (FindOne(byNumber, KeyOf(random.Next(Keys)))) Interlocked.Increment(ref found);
            }
        };
        Action<Random> writer = random =>
        {
            List<Account> own = [];
            while (run.Goes)
            {
                if (Write(accounts, own, random)) Interlocked.Increment(ref changes);
                else Interlocked.Increment(ref refused);
                if (random.Next(200) == 0) Epoch.TryAdvance();
            }
        };
        Action<Random> builder = random =>
        {
            while (run.Goes)
            {
                using UniqueIndex<Account, (long, int)> second = accounts.CreateUniqueIndex(a => ValueTuple.Create(a.Number, a.Branch));
                for (int i = 0; i < Staying; i++) ViolationException.Require(second.TryFind((KeyOf(Keys + i), 0), out Account row) && row == staying[i], "a new index lacks a row that stays");
                Interlocked.Increment(ref built);
                Thread.Sleep(random.Next(3));
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref found) > 1000 && Volatile.Read(ref changes) > 1000 && Volatile.Read(ref built) > 2);
        run.Work([compactor.For(run, accounts.OpenContext()), builder, .. Enumerable.Range(0, Math.Max(2, run.Threads)).Select(i => i % 2 == 0 ? finder : writer)]);
        Check(accounts, byNumber);
        byNumber.Dispose();
        accounts.Dispose();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{found:N0} rows found, {changes:N0} changes, {refused:N0} refused, {built:N0} indexes built meanwhile; {compactor.Summary}");
    }

    // Some keys are wider than the hash.
    private static long KeyOf(int i) => i % 3 == 0 ? (1L << 50) + i : i + 1;

    private static bool FindOne(UniqueIndex<Account, long> byNumber, long key)
    {
        if (!byNumber.TryFind(key, out Account row)) return false;
        // The row may have gone or have got another key since, but it is one of this collection's.
        try
        {
            ViolationException.Require(row.Branch == 1, $"the row of key {key} is of branch {row.Branch}");
            return true;
        }
        catch (RowRemovedException)
        {
            return false;
        }
    }

    /// <summary>Adds a row, removes one of the writer's own, or changes its key, which nobody else does.</summary>
    /// <returns>False if the key was refused.</returns>
    private static bool Write(Collection<Account> accounts, List<Account> own, Random random)
    {
        long key = KeyOf(random.Next(Keys));
        int which = own.Count == 0 ? -1 : random.Next(own.Count);
        long before = which < 0 ? 0 : own[which].Number;
        try
        {
            switch (which < 0 ? 0 : random.Next(4))
            {
                case 0 or 1 when own.Count < Keys / 4:
                    own.Add(Account.Open(accounts, key, branch: 1));
                    ViolationException.Require(own[^1].Number == key, "an added row has another key");
                    break;
                case 2:
                    Account row = own[which];
                    row.Number = key;
                    ViolationException.Require(row.Number == key, "a changed row has another key");
                    break;
                case 3:
                    own[which].Set(number: key, balance: key * 5);
                    break;
                default:
                    int count = Math.Min(1 + random.Next(MostRemoved), own.Count - which);
                    bool isRemoved = count == 1 ? accounts.Remove(own[which]) : accounts.RemoveRange(CollectionsMarshal.AsSpan(own).Slice(which, count)) == count;
                    ViolationException.Require(isRemoved, "a row was removed twice");
                    own.RemoveRange(which, count);
                    break;
            }
            return true;
        }
        catch (DuplicateKeyException)
        {
            ViolationException.Require(which < 0 || own[which].Number == before, "a refused change has changed the key");
            return false;
        }
    }

    private static void Check(Collection<Account> accounts, UniqueIndex<Account, long> byNumber)
    {
        HashSet<long> keys = [];
        foreach (Account row in accounts)
        {
            ViolationException.Require(keys.Add(row.Number), $"two rows have the key {row.Number}");
            ViolationException.Require(byNumber.TryFind(row.Number, out Account found) && found == row, $"the row with key {row.Number} is not found");
        }
        ViolationException.Require(byNumber.LongCount == keys.Count, $"{byNumber.LongCount} words for {keys.Count} rows");
        Memory.Diagnostics.Invariants.Check(accounts.OpenContext());
    }
}
