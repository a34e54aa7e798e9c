using Smc.Memory;
using Smc.Stress.Linearizability;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Histories of adding, reading, writing and removing the same few rows from several threads, checked against one thread that does the
/// same one by one. Short rounds, so that each check is short.
/// </summary>
internal sealed class LinearizabilityScenario : Scenario
{
    private const int OperationsPerRound = 300;

    public override string Name => "linearizability";

    public override string Description => "recorded histories of operations on shared rows, checked against a sequential model";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 4);
        CompactingWorker compactor = new();
        long rounds = 0, operations = 0;
        run.ContinueUntil(() => table.Context.Removals > table.Context.Store.List.Count * 8L);
        for (; run.Goes; rounds++)
        {
            RegisterWorkload workload = new(table, places: 4);
            workload.Fill();
            using Barrier start = new(run.Threads + 1);
            int round = (int)rounds;
            Action<Random> worker = random => Work(workload, start, new Random(unchecked(random.Next() + round)));
            Action<Random> compacting = random =>
            {
                start.SignalAndWait();
                compactor.Compact(table.Context, random);
            };
            run.Work([compacting, .. Enumerable.Repeat(worker, run.Threads)]);
            RowOperation[] history = [.. workload.History];
            operations += history.Length;
            if (LinearizabilityChecker.FindViolation(history) is { } violation) throw new ViolationException($"round {rounds}: not linearizable: {violation}");
            foreach (ulong row in history.Select(static operation => operation.Row).Distinct()) table.TryRemove(row);
            table.CheckInvariants();
        }
        return Verdict.HeldIf(run.HasHappened,
            $"{operations:N0} operations in {rounds:N0} histories, {table.Context.Removals:N0} removals; {compactor.Summary}");
    }

    private static void Work(RegisterWorkload workload, Barrier start, Random random)
    {
        RegisterWorkload.Worker worker = workload.NewWorker();
        start.SignalAndWait();
        for (int i = 0; i < OperationsPerRound; i++)
        {
            worker.Act(random);
            if (random.Next(50) == 0) Epoch.TryAdvance();
        }
    }
}
