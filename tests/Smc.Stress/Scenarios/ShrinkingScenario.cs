using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// A collection grows and shrinks to a few rows again and again, so that its entries are packed and restored, while threads add, remove, write
/// and read through handles that they share. A handle reads its own row or says that it is gone; a handle seen dead stays dead.
/// </summary>
internal sealed class ShrinkingScenario : Scenario
{
    private const int Cells = 4096;
    private const int Many = 3000;
    private const int Few = 120;
    private const int Kept = 4096;

    private bool _isShrinking;

    private sealed record Cell(ulong Handle, long Tag);

    public override string Name => "shrinking";

    public override string Description => "a collection grows and shrinks, its entries are packed and restored";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 48);
        Cell?[] cells = new Cell?[Cells];
        CompactingWorker compactor = new();
        long waves = 0, operations = 0;
        Action<Random> worker = random => Interlocked.Add(ref operations, Churn(run, table, cells, random));
        Action<Random> tide = random =>
        {
            for (; run.Goes; waves++)
            {
                Volatile.Write(ref _isShrinking, false);
                while (run.Goes && table.Context.Count < Many) Thread.Yield();
                Volatile.Write(ref _isShrinking, true);
                while (run.Goes && table.Context.Count > Few) Thread.Yield();
                for (int i = random.Next(1, 4); i > 0; i--) compactor.Compact(table.Context, random);
            }
        };
        run.ContinueUntil(() => table.Context.Entries.Packed is { PagesPacked: > 0, PagesRestored: > 0 });
        run.Work([tide, .. Enumerable.Repeat(worker, Math.Max(2, run.Threads - 1))]);
        table.CheckInvariants();
        long live = cells.Count(cell => cell is not null && Handle.IsAlive(cell.Handle));
        ViolationException.Require(live == table.Context.Count, $"{live} live handles are known, the collection counts {table.Context.Count} rows");
        (long packed, long restored) = (table.Context.Entries.Packed.PagesPacked, table.Context.Entries.Packed.PagesRestored);
        return Verdict.HeldIf(run.HasHappened,
            $"{operations:N0} operations in {waves:N0} waves, {packed:N0} pages packed, {restored:N0} restored; {compactor.Summary}");
    }

    private long Churn(ScenarioRun run, TaggedTable table, Cell?[] cells, Random random)
    {
        Cell[] dead = new Cell[Kept];
        int deadCount = 0;
        long operations = 0;
        for (; run.Goes; operations++)
        {
            int index = random.Next(Cells);
            Cell? cell = Volatile.Read(ref cells[index]);
            bool shrinks = Volatile.Read(ref _isShrinking);
            if (cell is null)
            {
                if (!shrinks || random.Next(256) == 0) Add(run, table, ref cells[index]);
                else if (deadCount > 0) VerifyDead(table, dead[random.Next(Math.Min(deadCount, Kept))]);
                continue;
            }
            switch (random.Next(shrinks ? 4 : 32))
            {
                case 0:
                    if (!table.TryRemove(cell.Handle)) break;
                    Interlocked.CompareExchange(ref cells[index], null, cell);
                    dead[deadCount++ % Kept] = cell;
                    break;
                case 1:
                    table.TryWrite(cell.Handle, cell.Tag);
                    break;
                case 2:
                    table.Verify(cell.Handle, cell.Tag, static () => Thread.SpinWait(200));
                    break;
                default:
                    table.Verify(cell.Handle, cell.Tag);
                    break;
            }
            if (operations % 4096 == 0) Epoch.TryAdvance();
        }
        return operations;
    }

    private static void Add(ScenarioRun run, TaggedTable table, ref Cell? cell)
    {
        long tag = run.NextTag();
        Cell? previous = Interlocked.Exchange(ref cell, new Cell(table.Add(tag), tag));
        if (previous is not null) table.TryRemove(previous.Handle);
    }

    private static void VerifyDead(TaggedTable table, Cell gone)
    {
        ViolationException.Require(!table.Verify(gone.Handle, gone.Tag), $"row {gone.Tag} is alive after its removal");
        ViolationException.Require(!table.IsAlive(gone.Handle), $"row {gone.Tag} counts as alive after its removal");
    }
}
