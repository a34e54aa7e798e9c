using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Garbage;

namespace Smc.Stress.Scheduling;

/// <summary>A kernel is on its way to the blocks of a snapshot when that is lost, and what it kept is freed, or may be. The kernel must not go to them. One thread.</summary>
internal static class ScansOfLostSnapshots
{
    private const int Slots = 4;
    private const int Rows = 3 * Slots;

    public static void Run(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = Slots, CompactionOccupancy = 0 });
        List<Account> rows = [];
        for (int i = 0; i < Rows; i++) rows.Add(accounts.Add(number: i + 1, branch: 0, balance: 1, owner: ""));
        MemoryContext context = accounts.OpenContext();
        // One block can be kept, and no second.
        using Snapshot snapshot = Snapshot.Take(new SnapshotOptions { MaxBytes = context.Layout.BlockBytes }, accounts);
        Collection<Account> seen = (Collection<Account>)snapshot.Of(accounts);
        bool hasBegun = false;
        try
        {
            using SnapshotScope scope = SnapshotScope.Enter(seen);
            foreach (Account row in rows) row.Balance = 2;
            ViolationException.Require(snapshot.IsLost, $"seed {seed}: three blocks were kept, and there was room for one");
            for (int i = 0; i <= Epoch.Grace; i++)
            {
                Epoch.TryAdvance();
                manager.Reclaimer.Drain();
            }
            using CriticalSection section = CriticalSection.Enter();
            using BlockScanner scan = BlockScanner.Begin(seen, context.Layout.Hash, section);
            hasBegun = true;
        }
        catch (SnapshotLostException)
        {
            // As it should, if it came before the scan.
        }
        ViolationException.Require(!hasBegun, $"seed {seed}: a scan is at the blocks of a snapshot that was lost before its section began");
    }

    /// <summary>As <see cref="Run"/>, for a kernel that is between two blocks, and renews its section there.</summary>
    public static void RunRenewed(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Account> accounts = new(new CollectionOptions { Manager = manager, BlockCapacity = Slots, CompactionOccupancy = 0, Garbage = new GarbageBudget { SoftMark = 1 } });
        List<Account> rows = [];
        for (int i = 0; i < Rows; i++) rows.Add(accounts.Add(number: i + 1, branch: 0, balance: 1, owner: ""));
        MemoryContext context = accounts.OpenContext();
        using Snapshot snapshot = Snapshot.Take(new SnapshotOptions { MaxBytes = context.Layout.BlockBytes }, accounts);
        Collection<Account> seen = (Collection<Account>)snapshot.Of(accounts);
        bool isUnderPressure = false, hasGoneOn = false;
        try
        {
            using SnapshotScope scope = SnapshotScope.Enter(seen);
            using CriticalSection section = CriticalSection.Enter();
            using BlockScanner scan = BlockScanner.Begin(seen, context.Layout.Hash, section);
            bool hasBegun = scan.MoveNext();
            foreach (Account row in rows) row.Balance = 2;
            accounts.Remove(rows[0]);
            GarbageMonitor.Look();
            isUnderPressure = hasBegun && snapshot.IsLost && Epoch.IsUnderPressure;
            hasGoneOn = scan.MoveNext();
        }
        catch (SnapshotLostException)
        {
            // As it should, from the scan or, after it, from the scope.
        }
        ViolationException.Require(isUnderPressure, $"seed {seed}: the snapshot was not lost behind its first block, or the soft mark of one byte says nothing");
        ViolationException.Require(!hasGoneOn, $"seed {seed}: a scan is at the next block of a snapshot that was lost before its section was renewed");
    }
}
