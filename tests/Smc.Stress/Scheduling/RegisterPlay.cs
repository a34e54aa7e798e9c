using Smc.Memory;
using Smc.Stress.Linearizability;

namespace Smc.Stress.Scheduling;

/// <summary>Actors use the same two rows in any way that there is; whatever the schedule, the history is linearizable.</summary>
/// <param name="compacted">True if the rows are moved meanwhile.</param>
internal sealed class RegisterPlay(bool compacted) : Play
{
    private const int Actors = 3;
    private const int OperationsPerActor = 5;

    public override string Name => "histories of two rows" + (compacted ? ", moved meanwhile" : "");

    protected override int ExpectedSteps => Actors * OperationsPerActor * 5 + (compacted ? 80 : 0);

    protected override int SlotsOfBlock => 2;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        RegisterWorkload workload = new(table, places: 2);
        if (compacted) FillApart(table, workload);
        else workload.Fill();
        for (int i = 0; i < Actors; i++)
        {
            RegisterWorkload.Worker worker = workload.NewWorker();
            Random random = new(unchecked(scheduler.Seed * 31 + i));
            scheduler.Add(() =>
            {
                for (int operation = 0; operation < OperationsPerActor; operation++)
                {
                    worker.Act(random);
                    ControlledScheduler.Step();
                }
            });
        }
        AddAdvancer(scheduler, 6);
        if (compacted) scheduler.Add(() => CompactTwice(table));
        return () =>
        {
            string? violation = LinearizabilityChecker.FindViolation(workload.History);
            ViolationException.Require(violation is null, $"not linearizable: {violation}");
        };
    }

    // Each of the two rows gets a block of its own, half of which is empty.
    private static void FillApart(TaggedTable table, RegisterWorkload workload)
    {
        RegisterWorkload.Worker worker = workload.NewWorker();
        for (int place = 0; place < 2; place++)
        {
            worker.Add(place);
            table.TryRemove(table.Add(1000 + place));
        }
        for (int i = 0; i < Epoch.Grace; i++) Epoch.TryAdvance();
    }

    private static void CompactTwice(TaggedTable table)
    {
        for (int i = 0; i < 2; i++)
        {
            table.Context.Compaction.Run(new CompactionOptions { Occupancy = 0.5 });
            ControlledScheduler.Step();
        }
    }
}
