using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Rows come, go and get other texts while readers look at them, and one thread moves strings together all the time. A text that was read stays whole
/// until the section ends, a text that was set is the one that is read next, and in the end no chunk is lost.
/// </summary>
internal sealed class StringCompactionScenario : Scenario
{
    private const int Rows = 512;

    public override string Name => "string-compaction";

    public override string Description => "strings moved to other segments while rows are added, read, rewritten and removed";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 8);
        (ulong Handle, long Tag)[] rows = new (ulong, long)[Rows];
        Lock[] guards = [.. Enumerable.Range(0, Rows).Select(static _ => new Lock())];
        for (int i = 0; i < Rows; i++) rows[i] = AddNew(run, table);
        long operations = 0, moved = 0, freed = 0;
        Action<Random> worker = random =>
        {
            for (; run.Goes; Interlocked.Increment(ref operations)) Work(run, table, rows, guards, random);
        };
        Action<Random> mover = _ =>
        {
            while (run.Goes)
            {
                StringCompactionResult result = table.Context.StringCompaction.Compact();
                moved += result.BytesMoved;
                freed += result.BytesFreed;
            }
        };
        run.ContinueUntil(() => Volatile.Read(ref moved) > 10_000 && Volatile.Read(ref freed) > 10_000);
        run.Work([mover, .. Enumerable.Repeat(worker, Math.Max(2, run.Threads))]);
        CheckNothingIsLost(table);
        return Verdict.HeldIf(run.HasHappened, $"{operations:N0} operations, {moved:N0} bytes of strings moved, {freed:N0} bytes given back");
    }

    private static void Work(ScenarioRun run, TaggedTable table, (ulong Handle, long Tag)[] rows, Lock[] guards, Random random)
    {
        int index = random.Next(rows.Length);
        switch (random.Next(6))
        {
            case 0:
                lock (guards[index]) rows[index] = Replace(run, table, rows[index]);
                break;
            case 1:
                lock (guards[index])
                {
                    table.Rewrite(rows[index].Handle);
                    ViolationException.Require(table.Verify(rows[index].Handle, rows[index].Tag), "a row is lost");
                }
                break;
            case 2 when random.Next(50) == 0:
                table.ScatterStrings();
                break;
            case 3 when random.Next(20) == 0:
                Epoch.TryAdvance();
                break;
            default:
                (ulong handle, long tag) = Get(rows, guards[index], index);
                table.Verify(handle, tag, static () => Thread.SpinWait(200));
                break;
        }
    }

    private static (ulong, long) Get((ulong Handle, long Tag)[] rows, Lock guard, int index)
    {
        lock (guard) return rows[index];
    }

    private static (ulong, long) Replace(ScenarioRun run, TaggedTable table, (ulong Handle, long Tag) row)
    {
        ViolationException.Require(table.Context.Removal.TryRemove(row.Handle), $"row {row.Tag} was removed by nobody and is gone");
        return AddNew(run, table);
    }

    private static (ulong, long) AddNew(ScenarioRun run, TaggedTable table)
    {
        long tag = run.NextTag();
        return (table.Add(tag), tag);
    }

    // Whatever the rows do not hold was freed: a chunk that was freed twice or never shows in the sum.
    private static void CheckNothingIsLost(TaggedTable table)
    {
        table.Context.Clearing.Clear();
        for (int i = 0; i < 8; i++) Epoch.TryAdvance();
        table.CheckInvariants();
        MemoryUsage usage = table.Context.Usage;
        ViolationException.Require(usage is { Strings: 0, RetiredStrings: 0 }, $"without rows there are {usage.Strings} bytes of strings, {usage.RetiredStrings} retired");
    }
}
