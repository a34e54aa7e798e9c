using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Slices in more blocks than eight bits can number: each pointer leads to its own.</summary>
internal sealed class SliceBlocksPlay : Play
{
    private const int Blocks = 300;

    public override string Name => "slices in many blocks";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        SliceHeap heap = new(table.Context.Manager, new SliceHeapOptions { Stripes = 1, SlicesPerBlock = 1 });
        SafePtr[] slices = [.. Enumerable.Range(0, Blocks).Select(number => heap.Allocate(BitConverter.GetBytes(number)))];
        scheduler.Add(() =>
        {
            for (int number = 0; number < Blocks; number++)
            {
                bool isFound = heap.TryRead(slices[number], 0, static (bytes, _) => BitConverter.ToInt32(bytes), out int found);
                ViolationException.Require(isFound && found == number, $"the pointer to slice {number} leads to {(isFound ? found : "nothing")}");
            }
        });
        return heap.Dispose;
    }
}
