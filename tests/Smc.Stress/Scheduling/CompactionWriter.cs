using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Writes a row twice, in a section each: in place and once more through the same pointer, or under its lock if it is frozen.</summary>
internal sealed class CompactionWriter(CompactionStage stage, int choice)
{
    private const int Sections = 2;

    public void Run()
    {
        for (int turn = 0; turn < Sections; turn++)
        {
            ControlledScheduler.Step();
            Write(stage.Rows[(int)(unchecked((uint)(choice + turn)) % 2)]); // Seeds may be negative.
        }
    }

    private void Write(StageRow row)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (RowWriter.TryLocate(row.Handle, out RowLocation location))
        {
            row.WriteAt(stage.Table, location);
            ControlledScheduler.Step();
            row.WriteAt(stage.Table, location);
        }
        else if (RowWriter.TryBegin(row.Handle, out location, out bool isLocked))
        {
            row.WriteAt(stage.Table, location);
            ControlledScheduler.Step();
            if (isLocked) RowWriter.End(row.Handle);
        }
        else
        {
            ViolationException.Require(row.IsLeaving, $"row {row.Tag} is gone");
        }
    }
}
