using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Stress.Scenarios;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/snapshot.pml on the code: snapshots of accounts and deposits are taken while writers move money in groups, a pair is removed and the accounts are compacted.
/// </summary>
/// <remarks>
/// Checked as in the model. T: the sum that a snapshot sees is that between two groups. S: it sees the same by scan and by handle, and again as long as it is open.
/// A: a live reader never goes back. L: no write is lost. R: nobody is at a block that was freed.
/// </remarks>
internal sealed class SnapshotPlay(SnapshotCast cast) : Play
{
    private const long Sum = 1000;
    private const int Turns = 2;
    private const int SlotsPerBlock = 4;
    private const int Pairs = 3;
    private const int StepsOfALook = 2 + Pairs;

    private static readonly SnapshotOptions s_options = new() { TimeLimit = TimeSpan.FromMinutes(1) };
    private static readonly CompactionOptions s_compaction = new() { Occupancy = 0.9 };

    private readonly List<(Account Account, Deposit Deposit)> _pairs = [];
    private Collection<Account> _accounts = null!;
    private Collection<Deposit> _deposits = null!;

    public override string Name => $"snapshots: {cast}";

    // The setter is about to write when the snapshot is taken, and writes between its first look and its last.
    protected override IReadOnlyList<Cue> Script => cast.Setter
        ? [new(1 + cast.Writers, ProtocolStep.WriteInPlace), .. Enumerable.Repeat(new Cue(0, ProtocolStep.OutsideLibrary), StepsOfALook + 1), new(1 + cast.Writers), new(0)]
        : [];

    protected override int ExpectedSteps => 60 + (40 * cast.Writers) + (cast.Second ? 60 : 0) + (cast.Setter ? 20 : 0) + (cast.Remover ? 20 : 0) + (cast.Compactor ? 45 : 0) + (cast.Reader ? 20 : 0);

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        MemoryManager manager = new();
        _pairs.Clear();
        _accounts = new Collection<Account>(new CollectionOptions { Manager = manager, BlockCapacity = SlotsPerBlock, CompactionOccupancy = 0 });
        _deposits = new Collection<Deposit>(new CollectionOptions { Manager = manager, BlockCapacity = SlotsPerBlock, CompactionOccupancy = 0 });
        OpenPairs();
        scheduler.Add(() => Take(firstEndsFirst: scheduler.Seed % 3 == 0));
        for (int i = 0; i < cast.Writers; i++)
        {
            (Account Account, Deposit Deposit) own = _pairs[i];
            scheduler.Add(() => Move(own.Account, own.Deposit));
        }
        if (cast.Setter) scheduler.Add(() => SetBranch(_pairs[1].Account));
        if (cast.Remover) scheduler.Add(RemoveLast);
        if (cast.Compactor) scheduler.Add(() => _accounts.OpenContext().Compaction.Run(s_compaction, CancellationToken.None));
        if (cast.Reader) scheduler.Add(ReadNow);
        AddAdvancer(scheduler, 3);
        return () =>
        {
            Check();
            _deposits.Dispose();
            _accounts.Dispose();
            // The end of the last snapshot may still be under way, on a thread of the pool.
            manager.TrimExcess();
            ScenarioRun.RequireAllGivenBack(manager);
            manager.Dispose();
        };
    }

    private void OpenPairs()
    {
        List<Account> others = [];
        for (int i = 0; i < Pairs; i++)
        {
            Account account = _accounts.Add(number: i + 1, branch: 0, balance: Sum, owner: "");
            _pairs.Add((account, _deposits.Add(holder: account, via: account, amount: 0, tag: null)));
            // One row in the first block, and two in the second.
            for (int gap = 0; cast.Compactor && i == 0 && gap < SlotsPerBlock - 1; gap++) others.Add(_accounts.Add(number: 9, branch: 1, balance: 0, owner: ""));
        }
        foreach (Account other in others) _accounts.Remove(other);
    }

    private void Take(bool firstEndsFirst)
    {
        using Snapshot first = Snapshot.Take(s_options, _accounts, _deposits);
        string seen = Look(first);
        ControlledScheduler.Step();
        if (cast.Second)
        {
            using Snapshot second = Snapshot.Take(s_options, _accounts, _deposits);
            string seenBySecond = Look(second);
            ControlledScheduler.Step();
            if (firstEndsFirst) End(first);
            RequireSame(seenBySecond, Look(second));
            End(second);
            if (firstEndsFirst) return;
        }
        ControlledScheduler.Step();
        RequireSame(seen, Look(first));
        End(first);
    }

    /// <summary>Ends a snapshot, and has freed what only it kept, as far as readers allow it.</summary>
    private void End(Snapshot snapshot)
    {
        snapshot.Dispose();
        for (int i = 0; i <= Epoch.Grace; i++) Free();
    }

    /// <summary>All that a snapshot sees of both collections, in words.</summary>
    private string Look(Snapshot snapshot)
    {
        long balances = snapshot.Of(_accounts).Sum(a => a.Balance);
        ControlledScheduler.Step();
        long amounts = snapshot.Of(_deposits).Sum(d => d.Amount);
        ControlledScheduler.Step();
        int accounts = snapshot.Of(_accounts).Count(), deposits = snapshot.Of(_deposits).Count();
        ViolationException.Require(accounts == deposits, $"a snapshot sees {accounts} accounts and {deposits} deposits");
        ViolationException.Require(balances + amounts == accounts * Sum, $"a snapshot of {accounts} pairs sees {balances} in accounts and {amounts} in deposits");
        List<string> words = [];
        int met = 0;
        foreach ((Account account, Deposit deposit) in _pairs)
        {
            ControlledScheduler.Step();
            long? balance = Read(snapshot, account, static a => a.Balance), amount = Read(snapshot, deposit, static d => d.Amount);
            ViolationException.Require(balance is null == amount is null, "a snapshot sees one of a pair, by handle");
            ViolationException.Require(balance is null || balance + amount == Sum, $"a snapshot sees a pair with {balance} and {amount}, by handle");
            if (balance is not null) met++;
            words.Add($"{balance}+{amount}");
            if (cast.Setter) words.Add($"branch {Read(snapshot, account, static a => (long)a.Branch)}");
        }
        ViolationException.Require(met == accounts, $"a snapshot sees {met} accounts by handle, and {accounts} by scan");
        return $"{balances} and {amounts}: {string.Join(", ", words)}";
    }

    private static long? Read<T>(Snapshot snapshot, T row, Func<T, long> read)
        where T : unmanaged
    {
        try
        {
            return snapshot.Read(row, read);
        }
        catch (RowRemovedException)
        {
            return null;
        }
    }

    private static void RequireSame(string before, string after) =>
        ViolationException.Require(before == after, $"a snapshot saw {before}, and later {after}");

    private static void Move(Account account, Deposit deposit)
    {
        for (int turn = 0; turn < Turns; turn++)
        {
            using WriteGroup group = WriteGroup.Begin();
            ControlledScheduler.Step();
            account.Balance--;
            ControlledScheduler.Step();
            deposit.Amount++;
            ControlledScheduler.Step();
        }
    }

    // The rows of a scan, and their sums, are the same meanwhile.
    private static void SetBranch(Account account)
    {
        for (int turn = 0; turn < Turns; turn++)
        {
            account.Branch++;
            ControlledScheduler.Step();
        }
    }

    private void RemoveLast()
    {
        using WriteGroup group = WriteGroup.Begin();
        _accounts.Remove(_pairs[^1].Account);
        ControlledScheduler.Step();
        _deposits.Remove(_pairs[^1].Deposit);
    }

    private unsafe void ReadNow()
    {
        // Not an account: those are referred to by their place, and stay until references are repaired.
        Deposit deposit = _pairs[0].Deposit;
        for (int turn = 0; turn < 2; turn++)
        {
            using CriticalSection section = CriticalSection.Enter();
            long before = deposit.Amount;
            ViolationException.Require(Handle.TryLocate(RowHandle.ToBits(deposit), out RowLocation location), "a row that stays is gone");
            for (int i = 0; i < 4; i++) ControlledScheduler.Step();
            // SAFETY: what is freed stays mapped, with nonsense in it, while a play runs.
            ViolationException.Require(BlockHeader.FirstEntry(location.Block.Address) == _deposits.OpenContext().Entries.First.Number, "a reader was at a block that was freed");
            long after = deposit.Amount;
            ViolationException.Require(after >= before, $"a reader saw {before}, and later {after}");
        }
    }

    /// <summary>Moves the epoch on, and frees what is due.</summary>
    private void Free()
    {
        ControlledScheduler.Step();
        Epoch.TryAdvance();
        _accounts.OpenContext().Manager.Reclaimer.Drain();
    }

    private void Check()
    {
        for (int i = 0; i < _pairs.Count; i++)
        {
            if (cast.Remover && i == _pairs.Count - 1) continue;
            long moved = i < cast.Writers ? Turns : 0;
            (Account account, Deposit deposit) = _pairs[i];
            ViolationException.Require(account.Balance == Sum - moved && deposit.Amount == moved, $"{moved} were moved from account {i}, which has {account.Balance} now and its deposit {deposit.Amount}");
        }
        Invariants.Check(_accounts.OpenContext());
        Invariants.Check(_deposits.OpenContext());
    }
}
