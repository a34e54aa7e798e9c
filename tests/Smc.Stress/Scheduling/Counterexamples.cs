using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// Interleavings that show a mutant for certain, taken from the counterexamples of the model checker. Random schedules meet them rarely.
/// Unless it says otherwise, for <see cref="ReusePlay"/> with one reader: 0 reads, 1 removes and adds, 2 and 3 advance.
/// </summary>
internal static class Counterexamples
{
    private const int Reader = 0;
    private const int Mutator = 1;
    private const int Advancer = 2;
    private const int SecondAdvancer = 3;

    /// <summary>Both advancers have scanned for the same epoch, and both move it on.</summary>
    public static readonly Cue[] TwoIncrements =
    [
        new(Reader, ProtocolStep.IncarnationMatched),
        new(Advancer, ProtocolStep.AdvanceScanned),
        new(SecondAdvancer, ProtocolStep.AdvanceScanned),
        new(Mutator, ProtocolStep.OutsideLibrary),
        new(Advancer),
        new(SecondAdvancer),
        new(Mutator),
        new(Reader),
    ];

    /// <summary>The epoch moves on between the remover's look at it and the removal; a reader of the new epoch still finds the row.</summary>
    public static readonly Cue[] AdvanceBeforeRemoval =
    [
        new(Mutator, ProtocolStep.RemoveEntered),
        new(Advancer, ProtocolStep.OutsideLibrary),
        new(Reader, ProtocolStep.IncarnationMatched),
        new(Mutator, ProtocolStep.OutsideLibrary),
        new(SecondAdvancer, ProtocolStep.OutsideLibrary),
        new(Mutator),
        new(Reader),
    ];

    /// <summary>The reader announces after a barrier and looks again before the increment that the barrier was for.</summary>
    public static readonly Cue[] AnnouncementAfterBarrier =
    [
        new(Advancer, ProtocolStep.AdvanceScanned),
        new(Reader, ProtocolStep.IncarnationMatched),
        new(Mutator, ProtocolStep.OutsideLibrary),
        new(Advancer),
        new(Mutator),
        new(Reader),
    ];

    /// <summary>The reader announces after the first advance; two more follow while the announcement is in the store buffer.</summary>
    public static readonly Cue[] AnnouncementAfterFirstAdvance =
    [
        new(Advancer, ProtocolStep.OutsideLibrary),
        new(Reader, ProtocolStep.IncarnationMatched),
        new(Mutator, ProtocolStep.OutsideLibrary),
        new(Advancer),
        new(Mutator),
        new(Reader),
    ];

    /// <summary>
    /// <see cref="CompactionPlay"/> with a compactor (0) and a reader (1): the reader finds its row in the old block just before the row moves
    /// and looks again when the compactor is done.
    /// </summary>
    public static readonly Cue[] ReadBeforeMove =
    [
        new(0, ProtocolStep.RowsCopied),
        new(1, ProtocolStep.IncarnationMatched),
        new(1, ProtocolStep.OutsideLibrary),
        new(0),
        new(1),
    ];

    /// <summary>
    /// <see cref="CompactionPlay"/> with a compactor (0), a remover (1), an adder (2) and an advancer (3): a row that was chosen dies, and its
    /// death is two epochs old when the compactor looks for ids of dead rows. Found by the scenario "everything" before it was a play.
    /// </summary>
    public static readonly Cue[] DeadBeforeIdsAreGiven =
    [
        new(0, ProtocolStep.RowsChosen),
        new(1),
        new(3),
        new(0),
        new(2),
    ];

    /// <summary>
    /// <see cref="CompactionPlay"/> with a compactor (0), a writer (1), a scan in several sections (2) and a disposer (3): both rows have moved
    /// and have been written, their group is not done yet, and the collection ends when the scan has just seen that it has not. Found by
    /// schedule 1001210 before it was a play.
    /// </summary>
    public static readonly Cue[] DisposedWhileMoving =
    [
        new(0, ProtocolStep.GroupMoving),
        new(0, ProtocolStep.RowsMoved),
        new(1),
        new(2, ProtocolStep.OutsideLibrary),
        new(2, ProtocolStep.OutsideLibrary),
        new(3),
        new(2),
        new(0),
    ];

    /// <summary>
    /// <see cref="CompactionPlay"/> with a compactor (0), a writer (1) and a scan (2): a row was written after it was copied, and the compactor
    /// has locked it to copy it again when the scan arrives.
    /// </summary>
    public static readonly Cue[] ScannedWhileLocked =
    [
        new(0, ProtocolStep.GroupMoving),
        new(1, ProtocolStep.OutsideLibrary),
        new(1, ProtocolStep.OutsideLibrary),
        new(1, ProtocolStep.OutsideLibrary),
        new(0, ProtocolStep.RowLocked),
        new(2),
        new(0),
    ];

    /// <summary>
    /// <see cref="CompactionPlay"/> with a compactor (0), a scan (1) and a thinner (2): the scan is about to move a row; the compactor moves
    /// it, and freezes it again with the target when the scan goes on.
    /// </summary>
    public static readonly Cue[] FrozenAgainWhileScanned =
    [
        new(0, ProtocolStep.GroupMoving),
        new(1, ProtocolStep.HelperArrived),
        new(0, ProtocolStep.GroupDone),
        new(2),
        new(0, ProtocolStep.RowsFrozen),
        new(1),
        new(0),
    ];
}
