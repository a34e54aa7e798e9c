using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Compiled queries and enumerations while others add, remove and rewrite rows. Accounts of branch 0 stay: every query that asks for
/// them gets all of them, once, whatever happens to the rest.
/// </summary>
internal sealed class QueryScenario(int degree) : Scenario
{
    private const int Staying = 200;

    private readonly QueryOptions _options = new() { DegreeOfParallelism = degree, MinRowsPerThread = 1 };

    public override string Name => degree == 1 ? "query" : "parallel-query";

    public override string Description => $"compiled queries{(degree == 1 ? "" : " on several threads each")} and enumerations, while rows come, go and are rewritten";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = 12, CompactionOccupancy = 0 });
        List<Account> staying = [];
        long sum = 0;
        for (int i = 0; i < Staying; i++)
        {
            long number = run.NextTag();
            staying.Add(Account.Open(accounts, number, branch: 0));
            sum += number;
        }
        long last = staying[^1].Number;
        long queries = 0, changes = 0;
        Action<Random> asker = random =>
        {
            using KernelOptions.Scope scope = Query.Use(_options);
            for (; run.Goes; Interlocked.Increment(ref queries)) Ask(accounts, staying[0].Number, last, sum, random.Next(5));
        };
        Action<Random> changer = random =>
        {
            Queue<(Account Account, long Number)> mine = [];
            for (; run.Goes; Interlocked.Increment(ref changes)) Change(run, accounts, staying, mine, random);
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref queries) > 50 && Volatile.Read(ref changes) > 500);
        run.Work([compactor.For(run, accounts.OpenContext()), .. Enumerable.Range(0, Math.Max(2, run.Threads)).Select(i => i % 2 == 0 ? asker : changer)]);
        Memory.Diagnostics.Invariants.Check(accounts.OpenContext());
        return Verdict.HeldIf(run.HasHappened, $"{queries:N0} queries, {changes:N0} changes; {compactor.Summary}");
    }

    private static void Ask(Collection<Account> accounts, long first, long last, long sum, int question)
    {
        switch (question)
        {
            case 0:
                long found = Query.Run(accounts, 0, static (IEnumerable<Account> accounts, int branch) =>
                    accounts.Where(a => a.Branch == branch).Sum(a => a.Number));
                ViolationException.Require(found == sum, $"the accounts that stay add up to {found}, not {sum}");
                break;
            case 1:
                // Numbers rise, so that zone maps leave out most blocks.
                int count = Query.Run(accounts, first, last, static (IEnumerable<Account> accounts, long first, long last) =>
                    accounts.Count(a => a.Number >= first && a.Number <= last));
                ViolationException.Require(count == Staying, $"a query found {count} of {Staying} accounts that stay");
                break;
            case 2:
                int owned = Query.Run(accounts, "owner", static (IEnumerable<Account> accounts, string prefix) =>
                    accounts.Count(a => a.Branch == 0 && a.Owner.StartsWith(prefix, StringComparison.Ordinal)));
                ViolationException.Require(owned == Staying, $"a query found {owned} of {Staying} accounts by their owners");
                break;
            case 3:
                // The query's rows come out of one section and are read in others.
                List<long> numbers = Query.Run(accounts, 0, static (IEnumerable<Account> accounts, int branch) =>
                    accounts.Where(a => a.Branch == branch).OrderBy(a => a.Number).Select(a => a.Number).ToList());
                ViolationException.Require(numbers.Count == Staying && numbers.Distinct().Count() == Staying && numbers[0] == first && numbers[^1] == last,
                    $"a sorted query has {numbers.Count} of {Staying} accounts");
                break;
            default:
                HashSet<long> seen = [];
                foreach (Account account in accounts)
                {
                    if (TryGetNumber(account, out long number)) ViolationException.Require(seen.Add(number), $"an enumeration met account {number} twice");
                }
                long met = seen.Count(number => number >= first && number <= last);
                ViolationException.Require(met == Staying, $"an enumeration met {met} of {Staying} accounts that stay");
                break;
        }
    }

    private static void Change(ScenarioRun run, Collection<Account> accounts, List<Account> staying, Queue<(Account Account, long Number)> mine, Random random)
    {
        if (random.Next(3) == 0)
        {
            Account account = staying[random.Next(Staying)];
            ViolationException.Require(account.Rewrite(account.Number, random), "an account that stays is gone");
            ViolationException.Require(account.Verify(account.Number), "an account that stays is gone");
            return;
        }
        long added = run.NextTag();
        mine.Enqueue((Account.Open(accounts, added, branch: 1 + random.Next(3)), added));
        if (mine.Count <= random.Next(100)) return;
        (Account gone, long number) = mine.Dequeue();
        ViolationException.Require(gone.Verify(number), $"account {number} is gone before its removal");
        ViolationException.Require(accounts.Remove(gone), $"account {number} cannot be removed");
        ViolationException.Require(!gone.Verify(number), $"account {number} is there after its removal");
        if (random.Next(100) == 0) Epoch.TryAdvance();
    }

    private static bool TryGetNumber(Account account, out long number)
    {
        number = 0;
        try
        {
            number = account.Number;
            return true;
        }
        catch (RowRemovedException)
        {
            return false;
        }
    }
}
