using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/packing.pml with the code in place of the model: three rows share a page of entries that is packed, and restored, while others read,
/// write and remove them.
/// </summary>
/// <remarks>
/// Checked as in the model: a row that stays is found at any time and is its handle's row; one that was removed is not found again, and neither
/// is a later row with its entry; nobody reads memory that was given back.
/// </remarks>
/// <param name="isRestored">True if the page is restored, and packed and restored once more.</param>
/// <param name="hasAdder">True for somebody who adds rows. He would wait for the context's lock where restoring has it, so not with that.</param>
/// <param name="isReplaced">True if a row of the page gives way to another, which restores the page, and the page is packed again.</param>
/// <param name="inHaste">True if the compactor does not wait until the packed pages are given back.</param>
/// <param name="script">The interleaving of schedule 0.</param>
internal sealed class PackingPlay(bool isRestored = false, bool hasAdder = false, bool isReplaced = false, bool inHaste = false, Cue[]? script = null) : Play
{
    /// <summary>A row dies, and somebody reserves its slot, and with it the entry, while the packer believes that the row lives.</summary>
    public static readonly Cue[] ReservedWhilePacked =
    [
        new(Packer, ProtocolStep.PageChecked), new(Packer, ProtocolStep.PageChecked), new(Remover), new(Advancer),
        new(Adder, ProtocolStep.SlotTaken), new(Packer, ProtocolStep.EntriesPacked), new(Adder),
    ];

    /// <summary>Somebody finds an entry packed, its page restored, and the entry packed again.</summary>
    public static readonly Cue[] LookedForWhilePackedAgain =
    [
        // To the removal, and behind the grace that follows it.
        new(Packer, ProtocolStep.OutsideLibrary), new(Packer, ProtocolStep.OutsideLibrary), new(Reader, ProtocolStep.EntryFoundPacked),
        new(Packer, ProtocolStep.OutsideLibrary), new(Reader, ProtocolStep.PackedPageRead), new(Packer, ProtocolStep.EntriesPacked), new(Reader),
    ];

    private const int Packer = 0, Reader = 1, Remover = 3, Adder = 5, Advancer = 6;

    private const int SlotsPerBlock = 64;
    private const int Blocks = 12;
    private const int FirstKept = 8 * SlotsPerBlock;

    // Takes the ids of the two empty blocks of the third page, and of one of the second.
    private const int Restored = 3 * SlotsPerBlock;
    private static readonly CompactionOptions s_withoutPacking = new() { LeastPagesToPack = int.MaxValue };

    // One row in the first page, whose free ids go to the slots that compaction leaves free; three in the third.
    private static readonly int[] s_kept = [5, FirstKept + 3, FirstKept + SlotsPerBlock + 7, FirstKept + SlotsPerBlock + 9];

    public override string Name => $"packing{(isRestored ? " and restoring" : "")}{(hasAdder ? ", adder" : "")}{(isReplaced ? ", twice" : "")}{(inHaste ? ", in haste" : "")}";

    protected override IReadOnlyList<Cue> Script => script ?? [];

    protected override int SlotsOfBlock => SlotsPerBlock;

    protected override int ExpectedSteps => isRestored || isReplaced ? 120 : 70;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        List<StageRow> rows = Shrink(table, out List<ulong> gone);
        List<StageRow> added = [];
        List<ulong> fillers = isReplaced ? Fill(table) : [];
        scheduler.Add(() => Pack(table, rows[3], fillers));
        scheduler.Add(() => Read(table, rows[1]));
        scheduler.Add(() => Write(table, rows[2]));
        if (!isReplaced) scheduler.Add(() => Remove(table, rows[3]));
        scheduler.Add(() => Read(table, rows[3]));
        if (hasAdder) scheduler.Add(() => added.Add(Add(table, Blocks * SlotsPerBlock + 1)));
        AddAdvancer(scheduler, 4);
        return () => CheckEnd(table, [.. rows, .. added], gone);
    }

    private void Pack(TaggedTable table, StageRow replaced, List<ulong> fillers)
    {
        Pack(table);
        if (isReplaced)
        {
            Remove(table, replaced);
            foreach (ulong filler in fillers) table.TryRemove(filler);
            for (int i = 0; i < Epoch.Grace; i++) Epoch.TryAdvance();
            ControlledScheduler.Step();
            table.Add(2 * Blocks * SlotsPerBlock);
            ControlledScheduler.Step();
            Pack(table);
        }
        if (!isRestored) return;
        table.Context.Allocator.Reserve(Restored);
        ControlledScheduler.Step();
        table.Context.Clearing.TrimExcess();
        Pack(table);
        table.Context.Allocator.Reserve(Restored);
    }

    private void Pack(TaggedTable table)
    {
        using CancellationTokenSource cancellation = new();
        table.Context.Compaction.Run(new CompactionOptions { LeastPagesToPack = 1, Observer = StopWhenPacked }, cancellation.Token);

        void StopWhenPacked(ProtocolStep step)
        {
            if (inHaste && step == ProtocolStep.EntriesPacked) cancellation.Cancel();
        }
    }

    private static List<StageRow> Shrink(TaggedTable table, out List<ulong> gone)
    {
        List<StageRow> rows = [.. Enumerable.Range(0, Blocks * SlotsPerBlock).Select(i => Add(table, i + 1))];
        gone = [.. rows.Where((_, i) => !s_kept.Contains(i)).Select(static row => row.Handle)];
        foreach (ulong handle in gone) table.TryRemove(handle);
        for (int i = 0; i < Epoch.Grace; i++) Epoch.TryAdvance();
        table.Context.Compaction.Run(s_withoutPacking);
        return [.. s_kept.Select(i => rows[i])];
    }

    // Fills the block with the rows, so that none of its slots' ids is free, and no other id: what is added next takes the slot of a row that was
    // removed, if they are enough, and the id of a packed page.
    private static List<ulong> Fill(TaggedTable table)
    {
        ulong[] added = [.. Enumerable.Range(1, SlotsPerBlock - s_kept.Length).Select(i => table.Add(Blocks * SlotsPerBlock + 1 + i))];
        return [.. added.Take(3)];
    }

    private static StageRow Add(TaggedTable table, long tag) => new(table.Add(tag), tag);

    private static void Read(TaggedTable table, StageRow row)
    {
        for (int turn = 0; turn < 3; turn++)
        {
            ControlledScheduler.Step();
            bool mustBeThere = !row.IsLeaving, mayBeThere = !row.IsGone;
            bool isThere = table.Verify(row.Handle, row.Tag, ControlledScheduler.Step);
            ViolationException.Require(isThere || !mustBeThere || row.IsLeaving, $"row {row.Tag} is lost");
            ViolationException.Require(!isThere || mayBeThere, $"row {row.Tag} is there after its removal");
        }
    }

    private static void Write(TaggedTable table, StageRow row)
    {
        for (int turn = 0; turn < 3; turn++)
        {
            ControlledScheduler.Step();
            using CriticalSection section = CriticalSection.Enter();
            ViolationException.Require(TaggedTable.TryBeginWrite(row.Handle, out RowLocation location, out bool isLocked), $"row {row.Tag} is lost for its writer");
            row.WriteAt(table, location);
            if (isLocked) RowWriter.End(row.Handle);
        }
    }

    private static void Remove(TaggedTable table, StageRow row)
    {
        ControlledScheduler.Step();
        row.IsLeaving = true;
        ViolationException.Require(table.TryRemove(row.Handle), $"row {row.Tag} cannot be removed");
        row.IsGone = true;
    }

    private static void CheckEnd(TaggedTable table, List<StageRow> rows, List<ulong> gone)
    {
        // What was retired is given back now; then whoever finds a row finds it for good.
        for (int i = 0; i <= Epoch.Grace; i++) Epoch.TryAdvance();
        foreach (StageRow row in rows)
        {
            bool isThere = table.TryRead(row.Handle, out long value);
            ViolationException.Require(isThere != row.IsLeaving, $"row {row.Tag} is {(isThere ? "there after its removal" : "lost")}");
            ViolationException.Require(!isThere || value == row.Written, $"row {row.Tag} has {value} at the end, but {row.Written} was written last");
        }
        Invariants.Check(table.Context);
        // Fewer than there are free ids.
        HashSet<ulong> known = [.. gone, .. rows.Select(static row => row.Handle)];
        for (int i = 0; i < 3 * SlotsPerBlock; i++)
        {
            ulong handle = table.Add(10_000 + i);
            ViolationException.Require(known.Add(handle), "a new row has the handle of an old one");
        }
        ViolationException.Require(gone.TrueForAll(handle => !table.IsAlive(handle)), "a row is there after its removal");
        Invariants.Check(table.Context);
    }
}
