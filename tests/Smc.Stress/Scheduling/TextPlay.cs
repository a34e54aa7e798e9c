using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>A reader looks twice at the text of a row that is rewritten meanwhile, while new rows take what chunks are free.</summary>
internal sealed class TextPlay : Play
{
    public override string Name => "texts";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        const long Tag = 10;
        ulong handle = table.Add(Tag);
        scheduler.Add(() => ReadTwice(table, handle, Tag));
        scheduler.Add(() =>
        {
            for (int i = 0; i < 3; i++)
            {
                table.Rewrite(handle);
                ControlledScheduler.Step();
                table.Add(Tag + 1 + i);
            }
        });
        AddAdvancer(scheduler, 3);
        return static () => { };
    }

    private static void ReadTwice(TaggedTable table, ulong handle, long tag)
    {
        for (int i = 0; i < 2; i++)
        {
            using CriticalSection section = CriticalSection.Enter();
            if (!Handle.TryLocate(handle, out RowLocation location)) return;
            ulong word = table.TextAt(location.Block, location.Slot);
            ControlledScheduler.Step();
            TaggedTable.VerifyText(word, tag);
            ControlledScheduler.Step();
            TaggedTable.VerifyText(word, tag);
        }
    }
}
