using Smc.Collections.Kernels;
using Smc.Stress.Scheduling;
using Switches = Smc.Memory.Diagnostics.Mutants;

namespace Smc.Stress.Mutants;

/// <summary>All mutants, each with the play or scenario that shows it. docs/models/expected.txt lists those of the protocols.</summary>
internal static class MutantCatalog
{
    public static IReadOnlyList<Mutant> All { get; } =
    [
        new("no-barrier", "epochs without the process-wide barrier", static on => Switches.NoBarrier = on, PlayCatalog.AnnouncementAfterFirstAdvance.Run),
        new("scan-before-barrier", "the advancer scans first and runs the barrier after", static on => Switches.ScanBeforeBarrier = on, PlayCatalog.AnnouncementAfterBarrier.Run),
        new("barrier-only-once", "only the first advance of a thread runs the barrier", static on => Switches.BarrierOnlyOnce = on, PlayCatalog.AnnouncementAfterFirstAdvance.Run),
        new("advance-without-cas", "the global epoch is incremented, not compared and exchanged", static on => Switches.AdvanceWithoutCas = on, PlayCatalog.TwoIncrements.Run),
        new("announce-without-reread", "the epoch is announced without a second look", static on => Switches.AnnounceWithoutReread = on, PlayCatalog.RecentAnnouncement.Run),
        new("reuse-after-one-epoch", "slots are re-used one epoch after the removal", static on => Switches.ReuseAfterOneEpoch = on, PlayCatalog.Reuse.Run),
        new("entry-reused-at-once", "an entry is re-used, with its slot, without waiting", static on => Switches.EntryReusedAtOnce = on, PlayCatalog.Reuse.Run),
        new("local-stamp", "slots are stamped with the remover's own epoch", static on => Switches.LocalStamp = on, PlayCatalog.AdvanceBeforeRemoval.Run),
        new("stamp-before-removal", "the stamp is read before the entry is dead", static on => Switches.StampBeforeRemoval = on, PlayCatalog.AdvanceBeforeRemoval.Run),
        new("handle-from-dead-row", "a dead entry's incarnation is that of the next row", static on => Switches.HandleFromDeadRow = on, PlayCatalog.ReuseAfterScan.Run),
        new("chunk-freed-at-removal", "the strings of a row are freed when it is removed", static on => Switches.ChunkFreedAtRemoval = on, PlayCatalog.Reuse.Run),
        new("chunk-freed-at-update", "a replaced string is freed at once", static on => Switches.ChunkFreedAtUpdate = on, PlayCatalog.Text.Run),
        new("chunk-freed-at-move", "the old chunk of a moved string is freed at once", static on => Switches.ChunkFreedAtMove = on, PlayCatalog.TextMovedAndRead.Run),
        new("string-moved-without-cas", "a moved string's word is stored, not compared and exchanged", static on => Switches.StringMovedWithoutCas = on, PlayCatalog.TextMovedAndReplaced.Run),
        new("sharing-ends-at-once", "a column stops sharing texts without waiting for the kernels that rely on it", static on => Switches.SharingEndsAtOnce = on, PlayCatalog.SharedText.Run),
        new("publish-ignores-dispose", "a row is published into a collection that was disposed", static on => Switches.PublishIgnoresDispose = on, PlayCatalog.Dispose.Run),
        new("range-restarts-incarnations", "the next tenant of a range starts at incarnation 1", static on => Switches.RangeRestartsIncarnations = on, RangeSuccession.Run),
        new("freed-before-its-time", "a policy frees in batches without a look at the stamp", static on => Switches.FreedBeforeItsTime = on, PlayCatalog.BatchReclamation.Run),
        new("freed-little-by-little", "a policy frees a little at a time without a look at the stamp", static on => Switches.FreedBeforeItsTime = on, PlayCatalog.AmortisedReclamation.Run),
        new("compaction-without-grace", "rows move without waiting for writers that found them unfrozen", static on => Switches.CompactionWithoutGrace = on, PlayCatalog.MovedAndWritten.Run),
        new("compaction-after-one-epoch", "rows move one epoch after they were frozen", static on => Switches.CompactionAfterOneEpoch = on, PlayCatalog.MovedAndWritten.Run),
        new("writer-ignores-freeze", "a frozen row is written in place", static on => Switches.WriterIgnoresFreeze = on, PlayCatalog.MovedAndWritten.Run),
        new("write-leaves-no-mark", "a row that was written after it was copied is not copied again", static on => Switches.WriteLeavesNoMark = on, PlayCatalog.MovedAndWritten.Run),
        new("copied-before-grace", "rows are copied before the grace, while some are still written in place", static on => Switches.CopiedBeforeGrace = on, PlayCatalog.MovedAndWritten.Run),
        new("mark-cleared-after-copy", "the mark of a write is cleared after the copy that it may be too late for", static on => Switches.MarkClearedAfterCopy = on, PlayCatalog.MovedAndWritten.Run),
        new("unlocked-before-moved", "a row is unlocked before its entry names the new place", static on => Switches.UnlockedBeforeMoved = on, PlayCatalog.MovedAndWritten.Run),
        new("source-freed-after-one-epoch", "old blocks are freed one epoch after their rows moved", static on => Switches.SourceFreedAfterOneEpoch = on, PlayCatalog.MovedAndRead.Run),
        new("remover-locates-first", "the remover looks where the row is before it is dead", static on => Switches.RemoverLocatesFirst = on, PlayCatalog.MovedAndRemoved.Run),
        new("remover-ignores-lock", "a row is removed while it is being moved", static on => Switches.RemoverIgnoresLock = on, PlayCatalog.MovedAndRemoved.Run),
        new("scan-reads-old-while-moving", "a scan that arrives while rows move reads the old blocks", static on => Switches.ScanReadsOldWhileMoving = on, PlayCatalog.MovedAndScanned.Run),
        new("phase-not-set-before-moving", "rows move while scans may still choose the old blocks", static on => Switches.PhaseNotSetBeforeMoving = on, PlayCatalog.MovedAndScanned.Run),
        new("thaw-over-lock", "a compaction that gives up unlocks rows that others have locked", static on => Switches.ThawOverLock = on, PlayCatalog.GivenUp.Run),
        new("scan-reads-whole-target", "a scan in several sections reads all of the target for each old block", static on => Switches.ScanReadsWholeTarget = on, PlayCatalog.MovedAndWrittenAndScannedInSections.Run),
        new("scan-forgets-second-move", "a scan in several sections follows its rows through the last of two compactions only", static on => Switches.ScanForgetsSecondMove = on, PlayCatalog.MovedTwice.Run),
        new("chosen-row-gives-its-id", "a row that dies after it was chosen to move gives its id to another slot", static on => Switches.ChosenRowGivesItsId = on, PlayCatalog.MovedWhileDying.Run),
        new("dispose-forgets-groups", "the end of a collection hides from scans which rows are on the move", static on => Switches.DisposeForgetsGroups = on, PlayCatalog.MovedAndDisposedWhileScanned.Run),
        new("helper-moves-again", "a scan moves a row again that has moved and is frozen by the next compaction", static on => Switches.HelperMovesAgain = on, PlayCatalog.MovedAgainAndScanned.Run),
        new("helper-passes-locked-row", "a scan takes a row that is being moved for moved", static on => Switches.HelperPassesLockedRow = on, PlayCatalog.MovedAndWrittenAndScanned.Run),
        new("helper-leaves-dead", "a scan leaves the copies of dead rows to the compactor", static on => Switches.HelperLeavesDead = on, PlayCatalog.MovedAndScanned.Run),
        new("moved-row-is-dropped", "a row that died after it moved is taken for one that died before", static on => Switches.MovedRowIsDropped = on, PlayCatalog.MovedAndScanned.Run),
        new("direct-word-copied", "a direct reference is copied from row to row as it is", static on => Switches.DirectWordCopied = on, PlayCatalog.DirectReferenceCopied.Run),
        new("repair-without-grace", "references are repaired right after the move", static on => Switches.RepairWithoutGrace = on, PlayCatalog.DirectReferenceStoredLate.Run),
        new("freed-after-repair", "old blocks are freed right after references to them are repaired", static on => Switches.FreedAfterRepair = on, PlayCatalog.DirectReferenceReadLate.Run),
        new("repair-keeps-dead", "repair leaves references to dead rows as they are", static on => Switches.RepairKeepsDead = on, PlayCatalog.DirectReferenceToDeadRow.Run),
        new("repair-overwrites", "repair stores, it does not compare and exchange", static on => Switches.RepairOverwrites = on, PlayCatalog.DirectReferenceErased.Run),
        new("merged-out-of-turn", "what a thread found in its part of a scan is added before that of the parts before", static on => ScanMutants.MergesOutOfTurn = on, PartsOfScans.Run),
        new("forwarded-to-any-row", "a moved row's reference leads to whatever its entry holds", static on => Switches.ForwardedToAnyRow = on, PlayCatalog.DirectReferenceForwarded.Run),
        new("packed-page-discarded-at-once", "a page of entries is given back as soon as it is packed", static on => Switches.PackedPageDiscardedAtOnce = on, PlayCatalog.PackedAndRestored.Run),
        new("packed-outside-section", "entries are packed outside a critical section", static on => Switches.PackedOutsideSection = on, PlayCatalog.Packed.Run),
        new("packing-forgets-removal", "a row that dies while its entry is packed lives on there", static on => Switches.PackingForgetsRemoval = on, PlayCatalog.Packed.Run),
        new("restoring-forgets-removal", "a row that dies while its entry is restored lives on there", static on => Switches.RestoringForgetsRemoval = on, PlayCatalog.PackedAndRestored.Run),
        new("restored-ids-begin-anew", "ids of a restored page start at the first incarnation", static on => Switches.RestoredIdsBeginAnew = on, PlayCatalog.PackedAndRestored.Run),
        new("restored-before-discarded", "a page of entries is restored before it was given back, which it is then", static on => Switches.RestoredBeforeDiscarded = on, PlayCatalog.PackedAndRestoredInHaste.Run),
        new("packed-page-freed-at-once", "a packed page is freed as soon as it is restored", static on => Switches.PackedPageFreedAtOnce = on, PlayCatalog.PackedAndRestored.Run),
        new("packed-again-at-once", "a page is packed again while somebody looks for an entry where it was packed before", static on => Switches.PackedAgainAtOnce = on, PlayCatalog.PackedTwice.Run),
        new("packed-entry-looked-up-once", "who finds an entry neither in place nor packed does not look again", static on => Switches.PackedEntryLookedUpOnce = on, PlayCatalog.PackedAndRestored.Run),
    ];
}
