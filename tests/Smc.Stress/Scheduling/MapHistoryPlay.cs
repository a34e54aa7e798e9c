using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Linearizability;
using Smc.Stress.Maps;

namespace Smc.Stress.Scheduling;

/// <summary>Actors use the same two keys of a map in all ways, among keys that make its chunk be split and merged; whatever the schedule, the history is linearizable.</summary>
internal sealed class MapHistoryPlay : Play
{
    private const int Actors = 3;
    private const int OperationsPerActor = 6;

    // Outside of the keys that come and go between them.
    private static readonly int[] s_keys = [1, 30];

    public override string Name => "ordered map: histories of two keys";

    protected override int ExpectedSteps => Actors * OperationsPerActor * 6;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        OrderedMap<int, long> map = new(new OrderedMapOptions { Manager = table.Context.Manager, ChunkCapacity = 8 }, KeyCodec.For<int>(), new CopiesCodec());
        MapWorkload workload = new(map, s_keys);
        for (int i = 0; i < Actors; i++)
        {
            int actor = i;
            MapWorkload.Worker worker = workload.NewWorker();
            Random random = new(unchecked(scheduler.Seed * 31 + i));
            scheduler.Add(() =>
            {
                for (int operation = 0; operation < OperationsPerActor; operation++)
                {
                    worker.Act(random);
                    ControlledScheduler.Step();
                    int other = 11 + actor + operation % 4 * Actors;
                    if (operation % 3 < 2) map.Set(other, operation);
                    else map.Remove(other - 2 * Actors);
                    ControlledScheduler.Step();
                }
            });
        }
        AddAdvancer(scheduler, 4);
        return () =>
        {
            string? violation = LinearizabilityChecker.FindViolation<MapModel, MapOperation>(workload.History);
            ViolationException.Require(violation is null, $"not linearizable: {violation}");
            Invariants.Check(map.Table);
            map.Dispose();
            for (int i = 0; i < 3 * Epoch.Grace; i++) Epoch.TryAdvance();
        };
    }
}
