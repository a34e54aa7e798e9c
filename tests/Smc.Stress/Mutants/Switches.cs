namespace Smc.Stress.Mutants;

/// <summary>
/// Deliberate mistakes, one switch each. The library knows nothing of them: when the stress program compiles the library's sources in, the texts in
/// <c>Edits/</c> put the mistakes into them. Every one must be caught.
/// </summary>
internal static class Switches
{
    // The catalogue assigns them.
#pragma warning disable CS0649
    public static bool NoBarrier, ScanBeforeBarrier, BarrierOnlyOnce, AdvanceWithoutCas, AnnounceWithoutReread;
    public static bool ReuseAfterOneEpoch, EntryReusedAtOnce, LocalStamp, StampBeforeRemoval, HandleFromDeadRow, RemovedRowIsNull;
    public static bool ChunkFreedAtRemoval, ChunkFreedAtUpdate, RangeRestartsIncarnations, RangeServesTwice, PublishIgnoresDispose, FreedBeforeItsTime;
    public static bool ChunkFreedAtMove, StringMovedWithoutCas, StringMovedInOldVersion, SharingEndsAtOnce;
    public static bool CompactionWithoutGrace, CompactionAfterOneEpoch, WriterIgnoresFreeze, WriteLeavesNoMark, RemoverLocatesFirst;
    public static bool RewritingDoesNotWait, RewritingEndsEarly, CodesVersionReturns, CodesAreLoadedTwice;
    public static bool CodesAreKept, OpenCodesAreTrusted, OpenStepsAreTrusted, OpenPairsAreTrusted, CodesAreUnbounded, RunsAreReadAgain, RowsWithoutEndsAreDropped, WaitingRowsAreForgotten, WaitingRowsEndWithBlock;
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
    public static bool IndexKillsFirst, IndexRefusesMotion, IndexSettlesInOldSegment, IndexCopiesBeforeLatch;
    public static bool ChunkPutIgnoresFreeze, ChunkCopiedUnlatched, ScanBeginsChunkAnew, ScanKeepsPreviousChunk, SampleStoredLate;
    public static bool SnapshotSectionUnseen, SnapshotPlainWhileOpen;
    public static bool SnapshotNoWait, SnapshotLookedForFirst, SnapshotNumberLate, SnapshotLocatesFirst, SnapshotNoLatch, SnapshotRemovesBlind, SnapshotReadsCurrent;
    public static bool SnapshotFreesAll, SnapshotFreesNow, SnapshotKeepsLink, SnapshotFastEarly, SnapshotMovesOpen, SnapshotMovesStaleGroup, SnapshotMovesOutside, SnapshotListsEarly, SnapshotLostUnasked, RenewedSnapshotUnasked;
    public static bool SnapshotForgetsDrawn, ArenaForgetsTouch;
    public static bool RetireNoBarrier, RetireNotBack, RetireStoresCondemned, RetireNoFirstWait, RetireNoSecondWait, RetireForgetsRest, RetirePublishesBlind, RetiredRowMovesVisible;
    public static bool RetireLeavesHelpers, RetireMarksTorn, RetireMarksOverwritten, RetireMarksAfterWindow, RetirePublishesOnce, RetireTakesCandidatesLate, RetireTracesNoStores, RetireForgetsKept;
    public static bool RetireLosesGrey, RetireForgetsDrafts, ScanLosesMoved, RootMapStoresBlind, RootMapWithoutWindow, RootMapLooksFirst;
    public static bool HiddenRowsAreFalse;
    public static bool OnRemoveClosesNothing, OnRemoveReadsOnce, OnRemoveAdmitsLate, OnRemoveKeepsClosure, OnRemoveTrustsWords, OnRemoveNeverHolds;
    public static bool TokenPassedInside, TokenTakenWithoutBarrier, TokenTakenFromReader, TokenKeepsRound;
    public static bool MergesOutOfTurn, PartsShareIndexes, SummariesAreTrusted, TextsAreLoadedAgain, ResultsAreOfPlaces, WaitingPairsAreForgotten, KeysAreTrusted;
    public static bool IndexIsSoughtEarly, NumbersAreTrusted, DoubtfulRowsAreTrusted, IndexForgetsFirst, IndexKeepsOldWord;
    public static bool MapDeletedIsAbsent, GroupsAreSplit, SortedTrustsWord, SortedShowsEarly, SortedAddsLast, SortedCountsNoMoves, FirstRowsAreTrusted, EarlierRoundsAreTrusted, PartnersAreTrusted, NullsAreForgotten, TakenKeysAreExcused;
    public static bool ListedKeysAreTrusted, ListedIntervalsAreTrusted, ListedNullsAreDropped, NullKeysAreSought, OrderedPartnersAreTrusted, OtherKeysAreDropped, TakenValuesAreTrusted, EarlyGroupsAreForgotten;

    /// <summary>No mistake: in a play with few keys, a small index tells keys by their hashes as a large one does.</summary>
    public static bool IndexBelievesSmallSegments;

    /// <summary>No mistake: ordered indexes have chunks of eight keys, so that a play shows what happens when they are written anew.</summary>
    public static bool IndexHasSmallChunks;

    /// <summary>No mistake: a setter may be interrupted between its column and the end of its change of key.</summary>
    public static bool KeysAreStoredInSteps;

    /// <summary>No mistake: all integers have one hash, so that a play shows what keys with one hash do.</summary>
    public static bool HashesCollide;

    /// <summary>No mistake: small integers have different hashes that belong in one bucket.</summary>
    public static bool HashesShareBucket;
#pragma warning restore CS0649
}
