using System.Numerics;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Scans while others add and remove. A row that is there all the time is seen exactly once by every scan; every row seen is whole; a
/// handle made from a scanned row names that row or nobody, for ever.
/// </summary>
internal sealed class ScanScenario : Scenario
{
    private const int Stable = 40;

    public override string Name => "scan";

    public override string Description => "scans and handles made from them, while rows come and go";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 6);
        HashSet<long> stable = [];
        for (int i = 0; i < Stable; i++)
        {
            long tag = run.NextTag();
            stable.Add(tag);
            table.Add(tag);
        }
        long scans = 0;
        Action<Random> scanner = _ => ScanAgainAndAgain(run, table, stable, ref scans);
        Action<Random> churner = random => Churn(run, table, random);
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref scans) > 2 && table.Context.Removals > 500);
        run.Work([compactor.For(run, table.Context), .. Enumerable.Range(0, Math.Max(2, run.Threads)).Select(i => i % 2 == 0 ? scanner : churner)]);
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{scans:N0} scans, {table.Context.Removals:N0} removals; {compactor.Summary}");
    }

    private static void Churn(ScenarioRun run, TaggedTable table, Random random)
    {
        Queue<ulong> rows = [];
        while (run.Goes)
        {
            rows.Enqueue(table.Add(run.NextTag()));
            if (rows.Count > random.Next(60)) table.Context.Removal.TryRemove(rows.Dequeue());
            if (random.Next(200) == 0) Epoch.TryAdvance();
        }
    }

    private static void ScanAgainAndAgain(ScenarioRun run, TaggedTable table, HashSet<long> stable, ref long scans)
    {
        List<(ulong Handle, long Tag)> seen = [];
        for (; run.Goes; Interlocked.Increment(ref scans))
        {
            foreach ((ulong handle, long tag) in seen) table.Verify(handle, tag);
            seen.Clear();
            Scan(table, seen);
            HashSet<long> tags = [];
            foreach ((_, long tag) in seen) ViolationException.Require(tags.Add(tag), $"a scan saw row {tag} twice");
            ViolationException.Require(tags.IsSupersetOf(stable), "a scan missed a row that was there all the time");
        }
    }

    private static unsafe void Scan(TaggedTable table, List<(ulong Handle, long Tag)> seen)
    {
        using CriticalSection section = CriticalSection.Enter();
        BlockList blocks = table.Context.Blocks;
        for (int i = 0; i < blocks.Count; i++)
        {
            BlockRef block = blocks[i];
            ulong* validity = (ulong*)BlockHeader.Validity(block.Address);
            for (int word = 0; word * 64 < block.SlotCount; word++)
            {
                for (ulong rows = Volatile.Read(ref validity[word]); rows != 0; rows &= rows - 1)
                {
                    int slot = word * 64 + BitOperations.TrailingZeroCount(rows);
                    long tag = table.TagAt(block, slot);
                    table.VerifyAt(new RowLocation(block, slot), tag);
                    ulong handle = block.HandleAt(slot);
                    if (handle != 0) seen.Add((handle, tag));
                }
            }
        }
    }
}
