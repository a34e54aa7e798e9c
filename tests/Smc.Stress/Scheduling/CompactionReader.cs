using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Reads a row twice through one pointer and then once more through the handle, all in one section.</summary>
internal sealed class CompactionReader(CompactionStage stage, int choice)
{
    public void Run()
    {
        StageRow row = stage.Rows[choice & 1];
        ControlledScheduler.Step();
        using CriticalSection section = CriticalSection.Enter();
        long atStart = row.Written;
        if (!TryLocate(row, out RowLocation location)) return;
        long first = row.VerifyAt(stage.Table, location, atStart);
        ControlledScheduler.Step();
        // The pointer may show an old copy, but never an older one than before.
        row.VerifyAt(stage.Table, location, first);
        ControlledScheduler.Step();
        long now = row.Written;
        if (TryLocate(row, out location)) row.VerifyAt(stage.Table, location, now);
        ControlledScheduler.Step();
    }

    private static bool TryLocate(StageRow row, out RowLocation location)
    {
        if (Handle.TryLocate(row.Handle, out location)) return true;
        ViolationException.Require(row.IsLeaving, $"row {row.Tag} is gone");
        return false;
    }
}
