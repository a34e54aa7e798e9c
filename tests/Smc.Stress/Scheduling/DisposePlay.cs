using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>A row is added while its collection is disposed: either it was there before and died, or the addition fails.</summary>
internal sealed class DisposePlay : Play
{
    public override string Name => "addition against disposal";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ulong added = 0;
        scheduler.Add(() => added = AddOrFail(table));
        scheduler.Add(table.Dispose);
        return () => ViolationException.Require(added == 0 || !Handle.IsAlive(added), "a row is alive after its collection was disposed");
    }

    private static ulong AddOrFail(TaggedTable table)
    {
        try
        {
            return table.Add(1);
        }
        catch (ObjectDisposedException)
        {
            return 0;
        }
    }
}
