using Smc.Stress.Linearizability;

namespace Smc.Stress.Scheduling;

/// <summary>Actors use the same two rows in any way that there is; whatever the schedule, the history is linearizable.</summary>
internal sealed class RegisterPlay : Play
{
    private const int Actors = 3;
    private const int OperationsPerActor = 5;

    public override string Name => "histories of two rows";

    protected override int ExpectedSteps => Actors * OperationsPerActor * 5;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        RegisterWorkload workload = new(table, places: 2);
        workload.Fill();
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
        return () =>
        {
            string? violation = LinearizabilityChecker.FindViolation(workload.History);
            ViolationException.Require(violation is null, $"not linearizable: {violation}");
        };
    }
}
