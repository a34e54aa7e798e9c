namespace Smc.Memory.Diagnostics;

/// <summary>
/// Deliberate mistakes in the protocols, one switch each. The stress program compiles these sources with <c>SMC_MUTANTS</c> and must catch
/// every one of them; everywhere else the switches are constants that the compiler folds away.
/// </summary>
internal static class Mutants
{
#if SMC_MUTANTS
    // The stress program assigns them, by name.
#pragma warning disable CS0649
    public static bool NoBarrier, ScanBeforeBarrier, BarrierOnlyOnce, AdvanceWithoutCas, AnnounceWithoutReread;
    public static bool ReuseAfterOneEpoch, EntryReusedAtOnce, LocalStamp, StampBeforeRemoval, HandleFromDeadRow, RemovedRowIsNull;
    public static bool ChunkFreedAtRemoval, ChunkFreedAtUpdate, RangeRestartsIncarnations, PublishIgnoresDispose, FreedBeforeItsTime;
    public static bool ChunkFreedAtMove, StringMovedWithoutCas, SharingEndsAtOnce;
    public static bool CompactionWithoutGrace, CompactionAfterOneEpoch, WriterIgnoresFreeze, WriteLeavesNoMark, RemoverLocatesFirst;
    public static bool RemoverIgnoresLock, ScanReadsOldWhileMoving, SourceFreedAfterOneEpoch, UnlockedBeforeMoved;
    public static bool PhaseNotSetBeforeMoving, ThawOverLock, ScanReadsWholeTarget, ScanForgetsSecondMove, ChosenRowGivesItsId, DisposeForgetsGroups;
    public static bool CopiedBeforeGrace, MarkClearedAfterCopy, HelperMovesAgain, HelperPassesLockedRow, HelperLeavesDead, MovedRowIsDropped;
    public static bool RepairWithoutGrace, FreedAfterRepair, RepairKeepsDead, RepairOverwrites, ForwardedToAnyRow, DirectWordCopied;
    public static bool PackedPageDiscardedAtOnce, PackedOutsideSection, PackingForgetsRemoval, RestoringForgetsRemoval, RestoredIdsBeginAnew;
    public static bool RestoredBeforeDiscarded, PackedPageFreedAtOnce, PackedEntryLookedUpOnce, PackedAgainAtOnce;
    public static bool DrainReenters, RemovalAsksBeforeSection;
    public static bool SliceVersionMasked, SliceReadersOneBit, SliceAddress32, SliceDeleteBlind, SliceDeleteTwice, SliceLockSplit, SliceNotLast, SliceWritesUnlocked;
    public static bool SliceVersionsWrap, SliceLeaks, SliceUnlockStores, SliceKeepsCount, SliceCheckedFirst, SliceKeepsVersion, SlicePublishIgnoresDispose, SliceBlockFreedAtOnce;
    public static bool IndexTrustsHash, IndexShowsEarly, IndexClaimsOverMotion, IndexTakesAnyWord, IndexWithoutStripes, IndexPublishesFirst;
    public static bool IndexKillsFirst, IndexRefusesMotion, IndexBelievesSmallSegments, IndexSettlesInOldSegment, IndexCopiesBeforeLatch;
    public static bool ChunkPutIgnoresFreeze, ChunkCopiedUnlatched, ScanBeginsChunkAnew, ScanKeepsPreviousChunk;
    public static bool SnapshotNoWait, SnapshotLookedForFirst, SnapshotNumberLate, SnapshotLocatesFirst, SnapshotNoLatch, SnapshotRemovesBlind, SnapshotReadsCurrent;
    public static bool RetireNoBarrier, RetireNotBack, RetireStoresCondemned, RetireNoFirstWait, RetireNoSecondWait, RetireForgetsRest, RetirePublishesBlind, RetiredRowMovesVisible;
    public static bool SnapshotFreesAll, SnapshotFreesNow, SnapshotKeepsLink, SnapshotFastEarly, SnapshotMovesOpen, SnapshotMovesStaleGroup, SnapshotMovesOutside, SnapshotListsEarly;
    public static bool TokenPassedInside, TokenTakenWithoutBarrier, TokenTakenFromReader, TokenKeepsRound;
#pragma warning restore CS0649
#else
    public static bool NoBarrier => false;
    public static bool RetireNoBarrier => false;
    public static bool RetireNotBack => false;
    public static bool RetireStoresCondemned => false;
    public static bool RetireNoFirstWait => false;
    public static bool RetireNoSecondWait => false;
    public static bool RetireForgetsRest => false;
    public static bool RetirePublishesBlind => false;
    public static bool RetiredRowMovesVisible => false;
    public static bool SnapshotNoWait => false;
    public static bool SnapshotLookedForFirst => false;
    public static bool SnapshotNumberLate => false;
    public static bool SnapshotLocatesFirst => false;
    public static bool SnapshotNoLatch => false;
    public static bool SnapshotRemovesBlind => false;
    public static bool SnapshotReadsCurrent => false;
    public static bool SnapshotFreesAll => false;
    public static bool SnapshotFreesNow => false;
    public static bool SnapshotKeepsLink => false;
    public static bool SnapshotFastEarly => false;
    public static bool SnapshotMovesOpen => false;
    public static bool SnapshotMovesStaleGroup => false;
    public static bool SnapshotMovesOutside => false;
    public static bool SnapshotListsEarly => false;
    public static bool ScanBeforeBarrier => false;
    public static bool BarrierOnlyOnce => false;
    public static bool AdvanceWithoutCas => false;
    public static bool AnnounceWithoutReread => false;
    public static bool ReuseAfterOneEpoch => false;
    public static bool EntryReusedAtOnce => false;
    public static bool LocalStamp => false;
    public static bool StampBeforeRemoval => false;
    public static bool HandleFromDeadRow => false;
    public static bool RemovedRowIsNull => false;
    public static bool ChunkFreedAtRemoval => false;
    public static bool ChunkFreedAtUpdate => false;
    public static bool RangeRestartsIncarnations => false;
    public static bool PublishIgnoresDispose => false;
    public static bool FreedBeforeItsTime => false;
    public static bool ChunkFreedAtMove => false;
    public static bool StringMovedWithoutCas => false;
    public static bool SharingEndsAtOnce => false;
    public static bool CompactionWithoutGrace => false;
    public static bool CompactionAfterOneEpoch => false;
    public static bool WriterIgnoresFreeze => false;
    public static bool WriteLeavesNoMark => false;
    public static bool RemoverLocatesFirst => false;
    public static bool RemoverIgnoresLock => false;
    public static bool ScanReadsOldWhileMoving => false;
    public static bool SourceFreedAfterOneEpoch => false;
    public static bool UnlockedBeforeMoved => false;
    public static bool PhaseNotSetBeforeMoving => false;
    public static bool ThawOverLock => false;
    public static bool ScanReadsWholeTarget => false;
    public static bool ScanForgetsSecondMove => false;
    public static bool ChosenRowGivesItsId => false;
    public static bool DisposeForgetsGroups => false;
    public static bool CopiedBeforeGrace => false;
    public static bool MarkClearedAfterCopy => false;
    public static bool HelperMovesAgain => false;
    public static bool HelperPassesLockedRow => false;
    public static bool HelperLeavesDead => false;
    public static bool MovedRowIsDropped => false;
    public static bool RepairWithoutGrace => false;
    public static bool FreedAfterRepair => false;
    public static bool RepairKeepsDead => false;
    public static bool RepairOverwrites => false;
    public static bool ForwardedToAnyRow => false;
    public static bool DirectWordCopied => false;
    public static bool PackedPageDiscardedAtOnce => false;
    public static bool PackedOutsideSection => false;
    public static bool PackingForgetsRemoval => false;
    public static bool RestoringForgetsRemoval => false;
    public static bool RestoredIdsBeginAnew => false;
    public static bool RestoredBeforeDiscarded => false;
    public static bool PackedPageFreedAtOnce => false;
    public static bool PackedEntryLookedUpOnce => false;
    public static bool PackedAgainAtOnce => false;
    public static bool DrainReenters => false;
    public static bool RemovalAsksBeforeSection => false;
    public static bool SliceVersionMasked => false;
    public static bool SliceReadersOneBit => false;
    public static bool SliceAddress32 => false;
    public static bool SliceDeleteBlind => false;
    public static bool SliceDeleteTwice => false;
    public static bool SliceLockSplit => false;
    public static bool SliceNotLast => false;
    public static bool SliceWritesUnlocked => false;
    public static bool SliceVersionsWrap => false;
    public static bool SliceLeaks => false;
    public static bool SliceUnlockStores => false;
    public static bool SliceKeepsCount => false;
    public static bool SliceCheckedFirst => false;
    public static bool SliceKeepsVersion => false;
    public static bool SlicePublishIgnoresDispose => false;
    public static bool SliceBlockFreedAtOnce => false;
    public static bool IndexTrustsHash => false;
    public static bool IndexShowsEarly => false;
    public static bool IndexClaimsOverMotion => false;
    public static bool IndexTakesAnyWord => false;
    public static bool IndexWithoutStripes => false;
    public static bool IndexPublishesFirst => false;
    public static bool IndexKillsFirst => false;
    public static bool IndexRefusesMotion => false;
    public static bool IndexSettlesInOldSegment => false;
    public static bool IndexCopiesBeforeLatch => false;
    public static bool ChunkPutIgnoresFreeze => false;
    public static bool ChunkCopiedUnlatched => false;
    public static bool ScanBeginsChunkAnew => false;
    public static bool ScanKeepsPreviousChunk => false;
    public static bool TokenPassedInside => false;
    public static bool TokenTakenWithoutBarrier => false;
    public static bool TokenTakenFromReader => false;
    public static bool TokenKeepsRound => false;

    /// <summary>No mistake: in a play with few keys, a small index tells keys by their hashes as a large one does.</summary>
    public static bool IndexBelievesSmallSegments => false;
#endif
}
