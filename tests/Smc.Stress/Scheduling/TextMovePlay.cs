using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>
/// The text of a row is moved to another segment while a reader looks at it twice and a writer replaces it; the writer's text is what stays.
/// </summary>
/// <param name="isReplaced">True for a writer, false for a reader beside the mover.</param>
internal sealed class TextMovePlay(bool isReplaced) : Play
{
    // Long enough for a chunk.
    private const long OldTag = 40, NewTag = 41;

    public override string Name => isReplaced ? "texts moved and replaced" : "texts moved and read";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ulong handle = table.Add(OldTag);
        table.ScatterStrings();
        scheduler.Add(() => table.Context.StringCompaction.Compact());
        if (!isReplaced)
        {
            scheduler.Add(() => Read(table, handle, OldTag));
            AddAdvancer(scheduler, 3);
            return static () => { };
        }
        scheduler.Add(() =>
        {
            ControlledScheduler.Step();
            table.SetText(handle, NewTag);
        });
        return () => Read(table, handle, NewTag);
    }

    private static void Read(TaggedTable table, ulong handle, long tag)
    {
        using CriticalSection section = CriticalSection.Enter();
        ViolationException.Require(Handle.TryLocate(handle, out RowLocation location), "the row is lost");
        ulong word = table.TextAt(location.Block, location.Slot);
        for (int i = 0; i < 3; i++)
        {
            TaggedTable.VerifyText(word, tag);
            ControlledScheduler.Step();
        }
    }
}
