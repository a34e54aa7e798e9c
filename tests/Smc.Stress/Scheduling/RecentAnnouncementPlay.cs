using Smc.Memory;
using Smc.Memory.Epochs;

namespace Smc.Stress.Scheduling;

/// <summary>Inside a section the announced epoch is the current one or the one before.</summary>
internal sealed class RecentAnnouncementPlay : Play
{
    public override string Name => "announced epochs";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        scheduler.Add(Enter);
        AddAdvancer(scheduler, 4);
        return static () => { };
    }

    private static unsafe void Enter()
    {
        for (int i = 0; i < 3; i++)
        {
            using CriticalSection section = CriticalSection.Enter();
            long announced = ThreadSlots.Current->Announced - 1;
            ViolationException.Require(Epoch.Current - announced <= 1, $"epoch {announced} is announced in epoch {Epoch.Current}");
            ControlledScheduler.Step();
        }
    }
}
