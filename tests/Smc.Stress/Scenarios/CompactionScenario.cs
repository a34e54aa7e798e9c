using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Most rows of many blocks are removed, and what is left is moved together, again and again, while others add, write, remove and scan in one
/// section and in several. Rows that stay are found, whole, by handle and by every scan exactly once.
/// </summary>
internal sealed class CompactionScenario(bool rowLayout) : Scenario
{
    private const int Staying = 64;
    private const int Wave = 400;

    public override string Name => rowLayout ? "compaction-rows" : "compaction";

    public override string Description => "sparse blocks moved together while others work, " + (rowLayout ? "row layout" : "columnar layout");

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 12, rowLayout);
        (ulong Handle, long Tag)[] staying = new (ulong, long)[Staying];
        for (int i = 0; i < Staying; i++)
        {
            staying[i] = Add(run, table);
            for (int filler = 0; filler < 5; filler++) table.TryRemove(Add(run, table).Handle);
        }
        HashSet<long> tags = [.. staying.Select(static row => row.Tag)];
        CompactingWorker compactor = new();
        long scans = 0;
        Action<Random> scanner = random =>
        {
            for (; run.Goes; Interlocked.Increment(ref scans)) Check(Scans.Scan(table, inOneSection: random.Next(2) == 0), tags);
        };
        Action<Random> mutator = random => Mutate(run, table, staying, random);
        run.ContinueUntil(() => compactor.RowsMoved > 20 && Volatile.Read(ref scans) > 0);
        run.Work([compactor.For(run, table.Context), .. Enumerable.Range(0, Math.Max(2, run.Threads - 1)).Select(i => i % 2 == 0 ? mutator : scanner)]);
        foreach ((ulong handle, long tag) in staying) ViolationException.Require(table.Verify(handle, tag), $"row {tag} is lost");
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{compactor.Summary}, {scans:N0} scans");
    }

    private static (ulong Handle, long Tag) Add(ScenarioRun run, TaggedTable table)
    {
        long tag = run.NextTag();
        return (table.Add(tag), tag);
    }

    /// <summary>
    /// Adds a wave of rows, which fills blocks, and removes most of them, which leaves the blocks sparse, and the rest some waves later; writes
    /// and reads in between.
    /// </summary>
    private static void Mutate(ScenarioRun run, TaggedTable table, (ulong Handle, long Tag)[] staying, Random random)
    {
        Queue<(ulong Handle, long Tag)> left = [];
        while (run.Goes)
        {
            List<(ulong Handle, long Tag)> wave = [];
            for (int i = random.Next(Wave); i > 0; i--) wave.Add(Add(run, table));
            foreach ((ulong Handle, long Tag) row in wave)
            {
                Use(table, staying[random.Next(Staying)], random);
                if (random.Next(8) == 0) left.Enqueue(row);
                else Remove(table, row);
            }
            while (left.Count > Wave) Remove(table, left.Dequeue());
            if (random.Next(4) == 0) Epoch.TryAdvance();
        }
        foreach ((ulong Handle, long Tag) row in left) Remove(table, row);
    }

    private static void Use(TaggedTable table, (ulong Handle, long Tag) row, Random random)
    {
        ViolationException.Require(table.TryWrite(row.Handle, row.Tag), $"row {row.Tag} is gone");
        if (random.Next(8) == 0) ViolationException.Require(table.Rewrite(row.Handle) && table.Verify(row.Handle, row.Tag), $"row {row.Tag} is gone");
    }

    private static void Remove(TaggedTable table, (ulong Handle, long Tag) row)
    {
        ViolationException.Require(table.Verify(row.Handle, row.Tag), $"row {row.Tag} is gone before its removal");
        ViolationException.Require(table.TryRemove(row.Handle), $"row {row.Tag} cannot be removed");
        ViolationException.Require(!table.Verify(row.Handle, row.Tag), $"row {row.Tag} is there after its removal");
    }

    private static void Check(List<long> seen, HashSet<long> staying)
    {
        HashSet<long> tags = [];
        foreach (long tag in seen) ViolationException.Require(tags.Add(tag), $"a scan saw row {tag} twice");
        ViolationException.Require(tags.IsSupersetOf(staying), "a scan missed a row that was there all the time");
    }
}
