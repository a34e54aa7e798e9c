using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// Texts are moved out of a nearly empty segment while a snapshot is taken, a row is written, so that the block gets a successor, and the snapshot ends. Whoever moves texts may have come to the
/// block before: its words are those of the successor now. What the row has stays readable, and a chunk is freed once.
/// </summary>
/// <param name="isDead">Whether the text is that of a dead row, whose slot nobody has taken yet.</param>
internal sealed class TextMoveAndSnapshotPlay(bool isDead) : Play
{
    private const int Mover = 0;
    private const int Snapshotter = 1;

    // One is long enough for a chunk, and two lie in the row.
    private const long Tag = 40, ShortTag = 61, OtherShortTag = 122;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    public override string Name => isDead ? "texts of dead rows freed and snapshots" : "texts moved and snapshots";

    protected override int SlotsOfBlock => 2;

    protected override IReadOnlyList<Cue> Script => [new(Mover, ProtocolStep.StringFound), new(Snapshotter), new(Mover)];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ulong row = table.Add(Tag), other = table.Add(ShortTag);
        long bytes = table.Context.Strings.LiveBytes;
        if (isDead) table.TryRemove(row);
        PassGrace();
        table.ScatterStrings();
        scheduler.Add(() => table.Context.StringCompaction.Compact());
        scheduler.Add(() =>
        {
            using MemorySnapshot snapshot = MemorySnapshot.Take([table.Context], TimeSpan.FromMinutes(1), maxBytes: null, CancellationToken.None);
            ControlledScheduler.Step();
            using WriteWindow window = WriteWindow.Enter();
            table.TryWrite(other, 1);
        });
        return () =>
        {
            // If a window was open when the snapshot ended, a thread of the pool lets texts go when the window is closed.
            ViolationException.Require(SpinWait.SpinUntil(() => !table.Context.Strings.IsHolding, s_patience), "the snapshot has ended, and its texts are still held");
            PassGrace();
            ulong inItsPlace = isDead ? table.Add(OtherShortTag) : 0;
            ViolationException.Require(isDead || table.Verify(row, Tag), "the row is lost");
            table.Context.Manager.Reclaimer.AdvanceTwice();
            long expected = isDead ? 0 : bytes, live = table.Context.Strings.LiveBytes + table.Context.Strings.RetiredBytes;
            ViolationException.Require(live == expected, $"{live} bytes of texts are in use, and rows have {expected}");
            ViolationException.Require(inItsPlace == 0 || table.Verify(inItsPlace, OtherShortTag), "the row that came after is lost");
        };
    }

    private static void PassGrace()
    {
        for (int i = 0; i <= Epoch.Grace; i++) Epoch.TryAdvance();
    }
}
