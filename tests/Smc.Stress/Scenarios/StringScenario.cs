using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Strings are replaced while others read them. A text read in a section stays whole until the section ends.</summary>
internal sealed class StringScenario : Scenario
{
    private const int Rows = 64;

    public override string Name => "strings";

    public override string Description => "strings replaced and rows removed while others read the text";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 8);
        (ulong Handle, long Tag)[] rows = new (ulong, long)[Rows];
        Lock[] guards = [.. Enumerable.Range(0, Rows).Select(static _ => new Lock())];
        for (int i = 0; i < Rows; i++) rows[i] = AddNew(run, table);
        long rewrites = 0;
        run.ContinueUntil(() => Volatile.Read(ref rewrites) > 1000);
        run.WorkOnAll(random =>
        {
            for (; run.Goes; Interlocked.Increment(ref rewrites))
            {
                int index = random.Next(Rows);
                (ulong handle, long tag) = Get(index);
                switch (random.Next(4))
                {
                    case 0:
                        table.Rewrite(handle);
                        break;
                    case 1 when table.Context.Removal.TryRemove(handle):
                        lock (guards[index]) rows[index] = AddNew(run, table);
                        break;
                    default:
                        ReadTwice(table, handle, tag);
                        break;
                }
                if (random.Next(100) == 0) Epoch.TryAdvance();
            }
        });
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{rewrites:N0} operations, {table.Context.Usage.Strings:N0} bytes of strings");

        (ulong, long) Get(int index)
        {
            lock (guards[index]) return rows[index];
        }
    }

    private static (ulong, long) AddNew(ScenarioRun run, TaggedTable table)
    {
        long tag = run.NextTag();
        return (table.Add(tag), tag);
    }

    private static void ReadTwice(TaggedTable table, ulong handle, long tag)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!Handle.TryLocate(handle, out RowLocation location)) return;
        ulong word = table.TextAt(location.Block, location.Slot);
        TaggedTable.VerifyText(word, tag);
        Thread.SpinWait(100);
        TaggedTable.VerifyText(word, tag);
    }
}
