using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Scenarios;

namespace Smc.Stress.Scheduling;

/// <summary>
/// A snapshot ends, and gives up the texts that were kept for it, while another one begins and a text is replaced, which that one still reads. Its chunk stays kept. (If it was given up, it would wait for
/// its readers, and be kept again after that: no reader could tell. So it is asked whether it is kept.)
/// </summary>
internal sealed class HeldTextsPlay : Play
{
    /// <summary>Too long to be shared with equal texts.</summary>
    private const int Length = 600;

    /// <summary>The last one is that in which texts are given up.</summary>
    private const int SectionsOfFirst = 4;

    private static readonly SnapshotOptions s_options = new() { TimeLimit = TimeSpan.FromMinutes(1) };
    private static readonly string s_first = new('a', Length), s_second = new('b', Length), s_third = new('c', Length);

    public override string Name => "texts held for two snapshots";

    protected override int ExpectedSteps => 60;

    // The first snapshot is closed, and gives up its texts next, when the second one begins.
    protected override IReadOnlyList<Cue> Script => [.. Enumerable.Repeat(new Cue(0, ProtocolStep.Announced), SectionsOfFirst), new(1, ProtocolStep.OutsideLibrary), new(0), new(1)];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        MemoryManager manager = new();
        Collection<Account> accounts = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        Account account = accounts.Add(number: 1, branch: 0, balance: 1, owner: s_first), other = accounts.Add(number: 2, branch: 0, balance: 1, owner: s_first);
        scheduler.Add(() =>
        {
            using Snapshot snapshot = Snapshot.Take(s_options, accounts);
            other.Owner = s_second;
        });
        scheduler.Add(() =>
        {
            using Snapshot snapshot = Snapshot.Take(s_options, accounts);
            string before = snapshot.Read(account, static a => a.Owner);
            account.Owner = s_third;
            ControlledScheduler.Step();
            ViolationException.Require(accounts.OpenContext().Strings.HeldBytes >= Length, "a text that a snapshot reads is not kept");
            string after = snapshot.Read(account, static a => a.Owner);
            ViolationException.Require(after == before, $"a snapshot saw the text {before[0]}…, and later {after[0]}…");
        });
        return () =>
        {
            ViolationException.Require(account.Owner == s_third && other.Owner == s_second, "a text that was written last is lost");
            Invariants.Check(accounts.OpenContext());
            accounts.Dispose();
            // The end of the last snapshot may still be under way, on a thread of the pool.
            manager.TrimExcess();
            ScenarioRun.RequireAllGivenBack(manager);
            manager.Dispose();
        };
    }
}
