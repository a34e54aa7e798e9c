using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// All that the library can do, by every thread, on a few collections under one limit: rows come, go and are rewritten, initialisers
/// throw, queries and enumerations run, readers stall, threads die inside a section, collections are trimmed, cleared and disposed.
/// </summary>
internal sealed class EverythingScenario : Scenario
{
    private const long Limit = 96L << 20;
    private const int Collections = 3;
    private const int RowsPerThread = 400;

    public override string Name => "everything";

    public override string Description => "all operations on several collections under one limit, with stalled readers and dying threads";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = Limit });
        Collection<Account>[] current = [.. Enumerable.Range(0, Collections).Select(_ => Open(manager))];
        long operations = 0, refusals = 0, replaced = 0;
        CompactingWorker compactor = new();
        Action<Random> compacting = random =>
        {
            while (run.Goes)
            {
                try
                {
                    compactor.Compact(Volatile.Read(ref current[random.Next(Collections)]).OpenContext(), random);
                }
                catch (ObjectDisposedException)
                {
                    // Expected: a worker was faster.
                }
            }
        };
        Action<Random> worker = random =>
        {
            List<Known> known = [];
            for (; run.Goes; Interlocked.Increment(ref operations))
            {
                int index = random.Next(Collections);
                Collection<Account> accounts = Volatile.Read(ref current[index]);
                try
                {
                    Act(run, accounts, known, random);
                }
                catch (Exception refused) when (refused is ObjectDisposedException or RowRemovedException && accounts.IsDisposed)
                {
                    // Expected: another thread ended the collection, perhaps while the row was filled.
                }
                catch (OffHeapMemoryException)
                {
                    Interlocked.Increment(ref refusals);
                    known.RemoveAll(row => row.Accounts.IsDisposed || TryRemove(row));
                }
                if (random.Next(4000) != 0) continue;
                Collection<Account> ended = Interlocked.Exchange(ref current[index], Open(manager));
                ended.Dispose();
                Interlocked.Increment(ref replaced);
            }
        };
        run.ContinueUntil(() => Volatile.Read(ref operations) > 1000 && Volatile.Read(ref replaced) > 0);
        run.Work([compacting, .. Enumerable.Repeat(worker, run.Threads)]);
        foreach (Collection<Account> accounts in current)
        {
            Memory.Diagnostics.Invariants.Check(accounts.OpenContext());
            foreach (Account account in accounts) ViolationException.Require(account.Verify(account.Number), "an account is gone while nobody works");
        }
        foreach (Collection<Account> accounts in current) accounts.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, $"{operations:N0} operations, {replaced:N0} collections ended, {refusals:N0} refusals; {compactor.Summary}");
    }

    private readonly record struct Known(Collection<Account> Accounts, Account Account, long Number);

    private static Collection<Account> Open(MemoryManager manager) =>
        // Compacted by a worker of the scenario; the compaction in the background would go on while structures are checked at the end.
        new(new CollectionOptions { Manager = manager, BlockCapacity = 16, MaxRows = 1 << 16, CompactionOccupancy = 0 });

    private static void Act(ScenarioRun run, Collection<Account> accounts, List<Known> known, Random random)
    {
        switch (random.Next(100))
        {
            case < 30:
                long number = run.NextTag();
                known.Add(new Known(accounts, Account.Open(accounts, number, random.Next(4)), number));
                if (known.Count > RowsPerThread) Forget(known, random);
                break;
            case < 45 when known.Count > 0:
                Forget(known, random);
                break;
            case < 65 when known.Count > 0:
                Known read = known[random.Next(known.Count)];
                ViolationException.Require(read.Account.Verify(read.Number) || read.Accounts.IsDisposed, $"account {read.Number} is gone: {read.Account.DescribeEntry()}");
                break;
            case < 80 when known.Count > 0:
                Known written = known[random.Next(known.Count)];
                written.Account.Rewrite(written.Number, random);
                break;
            case < 84:
                FailInInitialiser(accounts, run.NextTag());
                break;
            case < 90:
                Query.Run(accounts, random.Next(4), static (IEnumerable<Account> accounts, int branch) =>
                    accounts.Where(a => a.Branch == branch).Sum(a => a.Balance));
                break;
            case < 93:
                foreach (Account account in accounts)
                {
                    if (random.Next(50) == 0) break;
                    _ = account.IsAlive;
                }
                break;
            case < 95:
                accounts.TrimExcess();
                break;
            case < 97:
                Epoch.TryAdvance();
                break;
            case 97 when random.Next(4) == 0:
                using (CriticalSection.Enter()) Thread.Sleep(random.Next(3));
                break;
            case 98 when random.Next(8) == 0:
                Thread dying = new(() => run.Guard(() => DieInside(run, accounts)));
                dying.Start();
                dying.Join();
                break;
        }
    }

    private static void Forget(List<Known> known, Random random)
    {
        int index = random.Next(known.Count);
        Known row = known[index];
        known[index] = known[^1];
        known.RemoveAt(known.Count - 1);
        // While another thread ends the collection the row may not be removed singly, and is there until its turn comes.
        if (!TryRemove(row)) ViolationException.Require(row.Accounts.IsDisposed, $"account {row.Number} cannot be removed: {row.Account.DescribeEntry()}");
        else ViolationException.Require(!row.Account.Verify(row.Number), $"account {row.Number} is there after its removal");
    }

    private static bool TryRemove(in Known row)
    {
        try
        {
            return row.Accounts.Remove(row.Account);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private static void FailInInitialiser(Collection<Account> accounts, long number)
    {
        try
        {
            accounts.AddNew(account =>
            {
                account.Number = number;
                account.Owner = Account.OwnerOf(number);
                throw new InvalidTimeZoneException();
            });
        }
        catch (InvalidTimeZoneException)
        {
            // Thrown above: no account is added.
        }
    }

    private static void DieInside(ScenarioRun run, Collection<Account> accounts)
    {
        _ = CriticalSection.Enter();
        try
        {
            long number = run.NextTag();
            Account account = Account.Open(accounts, number, branch: 5);
            ViolationException.Require(account.Verify(number) || accounts.IsDisposed, $"account {number} is gone");
            accounts.Remove(account);
        }
        catch (Exception refused) when (refused is ObjectDisposedException or OffHeapMemoryException || refused is RowRemovedException && accounts.IsDisposed)
        {
            // Expected: the collection ended, or there is no memory.
        }
    }
}
