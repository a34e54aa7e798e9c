using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/compaction.pml with the code in place of the model: two rows in two sparse blocks that become one, while others write, read,
/// remove and scan them.
/// </summary>
/// <remarks>
/// Checked as in the model. L: no write is lost, and nobody writes behind the compactor's back. A: an access through a handle gives a value
/// that was current during the access. P: a pointer kept in a section never goes back in time. M: nobody reads freed memory. R: a removed row
/// stays removed, and no scan that starts later shows it. E: a scan shows every row that stays exactly once. D: everybody gets on.
/// </remarks>
internal sealed class CompactionPlay(CompactionCast cast, Cue[]? script = null) : Play
{
    private const int SlotsPerBlock = 4;
    private static readonly CompactionOptions s_options = new() { Occupancy = 0.5 };

    public override string Name => "compaction: " + cast;

    protected override int ExpectedSteps =>
        (cast.Twice || cast.Thinner ? 90 : 45) + 12 * cast.Writers + 12 * cast.Readers + (cast.Scan || cast.LongScan ? 25 : 0) + (cast.Remover ? 10 : 0) + (cast.Adder ? 15 : 0);

    protected override int SlotsOfBlock => SlotsPerBlock;

    protected override IReadOnlyList<Cue> Script => script ?? [];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        CompactionStage stage = new(table, scheduler.Seed, blocks: cast.Twice || cast.Thinner ? 3 : 2);
        CancellationTokenSource cancellation = new();
        scheduler.Add(() => Compact(table, stage, cancellation.Token));
        for (int i = 0; i < cast.Writers; i++) scheduler.Add(new CompactionWriter(stage, scheduler.Seed + i).Run);
        for (int i = 0; i < cast.Readers; i++) scheduler.Add(new CompactionReader(stage, scheduler.Seed + i).Run);
        if (cast.Remover) scheduler.Add(() => stage.Remove(stage.Rows[0]));
        if (cast.Scan) scheduler.Add(() => new CompactionScan(stage).RunInOneSection());
        if (cast.LongScan) scheduler.Add(() => new CompactionScan(stage).RunInSections());
        if (cast.Adder) scheduler.Add(() => AddRows(table, stage));
        if (cast.Canceller) scheduler.Add(() => CancelLater(cancellation));
        if (cast.Disposer) scheduler.Add(stage.Dispose);
        if (cast.Thinner) scheduler.Add(() => ThinLater(stage));
        AddAdvancer(scheduler, 3);
        return () =>
        {
            cancellation.Dispose();
            stage.CheckEnd();
        };
    }

    private void Compact(TaggedTable table, CompactionStage stage, CancellationToken cancellation)
    {
        try
        {
            table.Context.Compaction.Run(s_options, cancellation);
            if (!cast.Twice) return;
            ControlledScheduler.Step();
            stage.MakeSparse(2);
            table.Context.Compaction.Run(s_options, cancellation);
        }
        catch (ObjectDisposedException) when (table.Context.IsDisposed)
        {
            // Expected: the disposer was faster.
        }
    }

    private static void AddRows(TaggedTable table, CompactionStage stage)
    {
        for (int i = 0; i < 3; i++)
        {
            ControlledScheduler.Step();
            try
            {
                stage.AddRow();
            }
            catch (ObjectDisposedException) when (table.Context.IsDisposed)
            {
                return;
            }
        }
    }

    private static void ThinLater(CompactionStage stage)
    {
        ControlledScheduler.Step();
        stage.MakeSparse(2);
    }

    private static void CancelLater(CancellationTokenSource cancellation)
    {
        for (int i = 0; i < 3; i++) ControlledScheduler.Step();
        cancellation.Cancel();
    }
}
