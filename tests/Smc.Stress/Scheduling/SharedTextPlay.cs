using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>
/// A row holds a text from beginning to end. A kernel asks how the column holds it and compares words, while a writer gives the row the same text
/// again and again and others make the column stop sharing texts: the kernel finds the row.
/// </summary>
internal sealed class SharedTextPlay : Play
{
    private const string Text = "the text that the row always has";

    public override string Name => "texts shared and compared by their words";

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ulong handle = table.Add(1), other = table.Add(2);
        table.SetShared(handle, Text);
        scheduler.Add(() => LookFor(table, handle));
        scheduler.Add(() =>
        {
            for (int i = 0; i < 4; i++)
            {
                table.SetShared(handle, Text);
                ControlledScheduler.Step();
            }
        });
        scheduler.Add(() =>
        {
            for (int i = 0; i < TaggedTable.MaxSharedTexts; i++)
            {
                table.SetShared(other, $"another text, number {i}");
                ControlledScheduler.Step();
            }
        });
        AddAdvancer(scheduler, 4);
        return static () => { };
    }

    private static void LookFor(TaggedTable table, ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        TextForm form = table.FindShared(table.Context.Strings.Store(Text));
        for (int i = 0; i < 3; i++)
        {
            ControlledScheduler.Step();
            ViolationException.Require(Handle.TryLocate(handle, out RowLocation location), "the row is lost");
            ulong word = table.TextAt(location.Block, location.Slot);
            ViolationException.Require(!form.IsExact || word == form.Word, "a row with the text has another word than the kernel was told");
            ViolationException.Require(StringWord.Equals(word, form.Word), "the row has another text");
        }
    }
}
