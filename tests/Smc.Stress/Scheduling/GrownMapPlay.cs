using Smc.Collections;
using Smc.Memory.OrderedChunks;

namespace Smc.Stress.Scheduling;

/// <summary>A map whose only chunk gets its second group of sorted cells, and a sample for it, while others look up keys of the first: all of them are found.</summary>
internal sealed class GrownMapPlay : Play
{
    private const int Before = SortedPrefixes.GroupSize;
    private const int Added = 3;

    public override string Name => "ordered map: a chunk gets another group while its keys are looked up";

    protected override int ExpectedSteps => 40;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        OrderedMap<int, long> map = new(new OrderedMapOptions { Manager = table.Context.Manager, ChunkCapacity = 2 * Before });
        for (int key = 0; key < Before; key++) map.Set(key, key);
        scheduler.Add(() =>
        {
            for (int key = Before; key < Before + Added; key++)
            {
                map.Set(key, key);
                ControlledScheduler.Step();
            }
        });
        for (int getter = 0; getter < 2; getter++)
        {
            int first = getter * Before / 2;
            scheduler.Add(() =>
            {
                for (int key = first; key < first + Added; key++)
                {
                    ViolationException.Require(map.TryGetValue(key, out long value) && value == key, "a key that is always there was not found");
                    ControlledScheduler.Step();
                }
            });
        }
        return () =>
        {
            ViolationException.Require(map.Keys.SequenceEqual(Enumerable.Range(0, Before + Added)), "the map has other keys than it was given");
            map.Dispose();
        };
    }
}
