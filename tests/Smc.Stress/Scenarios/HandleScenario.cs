using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Threads add, remove and read rows through handles that they share. A handle reads its own row or says that it is gone; a handle seen
/// dead stays dead.
/// </summary>
internal sealed class HandleScenario(bool rowLayout) : Scenario
{
    private const int Cells = 256;
    private const int Kept = 512;

    private sealed record Cell(ulong Handle, long Tag);

    public override string Name => rowLayout ? "handles-rows" : "handles";

    public override string Description => "adds, removes and reads through shared handles, " + (rowLayout ? "row layout" : "columnar layout");

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 8, rowLayout);
        Cell?[] cells = new Cell?[Cells];
        long operations = 0;
        CompactingWorker compactor = new();
        Action<Random> worker = random =>
        {
            long mine = Churn(run, table, cells, random);
            Interlocked.Add(ref operations, mine);
        };
        // Re-use is what this is about: far fewer slots than rows were added.
        run.ContinueUntil(() => table.Context.Removals > table.Context.Store.List.Count * 16L);
        run.Work([compactor.For(run, table.Context), .. Enumerable.Repeat(worker, run.Threads)]);
        table.CheckInvariants();
        long live = cells.Count(cell => cell is not null && Handle.IsAlive(cell.Handle));
        ViolationException.Require(live == table.Context.Count, $"{live} live handles are known, the collection counts {table.Context.Count} rows");
        return Verdict.HeldIf(run.HasHappened, $"{operations:N0} operations, {table.Context.Removals:N0} removals, {table.Context.Store.List.Count:N0} blocks; {compactor.Summary}");
    }

    private static long Churn(ScenarioRun run, TaggedTable table, Cell?[] cells, Random random)
    {
        Cell[] dead = new Cell[Kept];
        int deadCount = 0;
        long operations = 0;
        for (; run.Goes; operations++)
        {
            int index = random.Next(Cells);
            Cell? cell = Volatile.Read(ref cells[index]);
            switch (random.Next(8))
            {
                case 0 or 1 when cell is null:
                    long tag = run.NextTag();
                    Cell added = new(table.Add(tag), tag);
                    Cell? previous = Interlocked.Exchange(ref cells[index], added);
                    if (previous is not null) table.Context.Removal.TryRemove(previous.Handle);
                    break;
                case 2 or 3 when cell is not null:
                    if (!table.Context.Removal.TryRemove(cell.Handle)) break;
                    Interlocked.CompareExchange(ref cells[index], null, cell);
                    dead[deadCount++ % Kept] = cell;
                    break;
                case 4 when deadCount > 0:
                    Cell gone = dead[random.Next(Math.Min(deadCount, Kept))];
                    ViolationException.Require(!table.Verify(gone.Handle, gone.Tag), $"row {gone.Tag} is alive after its removal");
                    break;
                case 5 when cell is not null:
                    table.Verify(cell.Handle, cell.Tag, static () => Thread.SpinWait(200));
                    break;
                case 6 when random.Next(64) == 0:
                    Epoch.TryAdvance();
                    break;
                default:
                    if (cell is not null) table.Verify(cell.Handle, cell.Tag);
                    break;
            }
        }
        return operations;
    }
}
