using Smc.Memory.Reclamation;

namespace Smc.Stress.Scheduling;

/// <summary>All plays.</summary>
internal static class PlayCatalog
{
    public static Play Reuse { get; } = new ReusePlay(readers: 1, buffered: false, scanFirst: false, lives: 1);

    public static Play LongReuse { get; } = new ReusePlay(readers: 2, buffered: true, scanFirst: false);

    public static Play ReuseWithBuffers { get; } = new ReusePlay(readers: 1, buffered: true, scanFirst: false, lives: 1);

    public static Play TwoIncrements { get; } =
        new ReusePlay(readers: 1, buffered: false, scanFirst: false, lives: 1, advances: 1, script: Counterexamples.TwoIncrements);

    public static Play AdvanceBeforeRemoval { get; } =
        new ReusePlay(readers: 1, buffered: false, scanFirst: false, lives: 1, advances: 1, script: Counterexamples.AdvanceBeforeRemoval);

    public static Play AnnouncementAfterBarrier { get; } = new ReusePlay(
        readers: 1, buffered: true, scanFirst: false, lives: 1, advances: 1, advancers: 1, script: Counterexamples.AnnouncementAfterBarrier);

    public static Play AnnouncementAfterFirstAdvance { get; } = new ReusePlay(
        readers: 1, buffered: true, scanFirst: false, lives: 1, advances: 3, advancers: 1, script: Counterexamples.AnnouncementAfterFirstAdvance);

    public static Play ReuseAfterScan { get; } = new ReusePlay(readers: 1, buffered: false, scanFirst: true, lives: 2);

    public static Play RecentAnnouncement { get; } = new RecentAnnouncementPlay();

    public static Play Text { get; } = new TextPlay();

    public static Play TextMovedAndRead { get; } = new TextMovePlay(isReplaced: false);

    public static Play TextMovedAndReplaced { get; } = new TextMovePlay(isReplaced: true);

    public static Play TextMovedAfterSnapshot { get; } = new TextMoveAndSnapshotPlay(isDead: false);

    public static Play DeadTextAfterSnapshot { get; } = new TextMoveAndSnapshotPlay(isDead: true);

    public static Play SharedText { get; } = new SharedTextPlay();

    public static Play Dispose { get; } = new DisposePlay();

    public static Play Registers { get; } = new RegisterPlay(compacted: false);

    public static Play MovedRegisters { get; } = new RegisterPlay(compacted: true);

    public static Play MovedAndRead { get; } = new CompactionPlay(new CompactionCast { Readers = 1 }, Counterexamples.ReadBeforeMove);

    public static Play MovedWhileDying { get; } = new CompactionPlay(new CompactionCast { Remover = true, Adder = true }, Counterexamples.DeadBeforeIdsAreGiven);

    public static Play MovedAndWritten { get; } = new CompactionPlay(new CompactionCast { Writers = 1, Readers = 1 });

    public static Play MovedAndWrittenByTwo { get; } = new CompactionPlay(new CompactionCast { Writers = 2 });

    public static Play MovedAndRemoved { get; } = new CompactionPlay(new CompactionCast { Writers = 1, Remover = true, Readers = 1 });

    public static Play MovedAndScanned { get; } = new CompactionPlay(new CompactionCast { Scan = true, Writers = 1, Remover = true });

    public static Play MovedAndWrittenAndScannedInSections { get; } = new CompactionPlay(new CompactionCast { LongScan = true, Writers = 1 });

    public static Play MovedAndScannedInSections { get; } = new CompactionPlay(new CompactionCast { LongScan = true, Writers = 1, Remover = true });

    public static Play MovedTwice { get; } = new CompactionPlay(new CompactionCast { LongScan = true, Twice = true });

    public static Play MovedAndWrittenAndScanned { get; } =
        new CompactionPlay(new CompactionCast { Scan = true, Writers = 1 }, Counterexamples.ScannedWhileLocked);

    public static Play MovedAgainAndScanned { get; } =
        new CompactionPlay(new CompactionCast { Scan = true, Thinner = true }, Counterexamples.FrozenAgainWhileScanned);

    public static Play GivenUp { get; } = new CompactionPlay(new CompactionCast { Canceller = true, Writers = 2, Remover = true });

    public static Play MovedAndFilled { get; } = new CompactionPlay(new CompactionCast { Adder = true, Scan = true, Writers = 1 });

    public static Play MovedAndDisposed { get; } = new CompactionPlay(new CompactionCast { Disposer = true, Adder = true, Writers = 1, Readers = 1, LongScan = true });

    public static Play MovedAndDisposedWhileScanned { get; } =
        new CompactionPlay(new CompactionCast { Disposer = true, Writers = 1, LongScan = true }, Counterexamples.DisposedWhileMoving);

    public static Play BatchReclamation { get; } = new ReclamationPlay("batch reclamation", static () => new BatchReclamation());

    public static Play AmortisedReclamation { get; } =
        new ReclamationPlay("amortised reclamation", static () => new AmortisedReclamation());

    public static Play TokenRing { get; } = new TokenRingPlay(otherAdvancer: false);

    public static Play TokenRingAndAdvances { get; } = new TokenRingPlay(otherAdvancer: true);

    public static Play ReclamationThatDrainsAgain { get; } =
        new ReclamationPlay("reclamation that drains again", static () => new BatchReclamation(), drainsAgain: true);

    public static Play RemovalAndDispose { get; } = new RemovalAndDisposePlay();

    public static Play DirectReferences { get; } = new DirectReferencePlay(new DirectReferenceCast { Eraser = true });

    public static Play DirectReferencesAndRemoval { get; } = new DirectReferencePlay(new DirectReferenceCast { Remover = true });

    public static Play DirectReferenceCopied { get; } = new DirectReferencePlay(new DirectReferenceCast(), DirectReferencePlay.CopiedBehindTheWalk);

    public static Play DirectReferenceStoredLate { get; } = new DirectReferencePlay(new DirectReferenceCast(), DirectReferencePlay.StoredBehindTheWalk);

    public static Play DirectReferenceReadLate { get; } = new DirectReferencePlay(new DirectReferenceCast(), DirectReferencePlay.ReadAndRepaired);

    public static Play DirectReferenceToDeadRow { get; } =
        new DirectReferencePlay(new DirectReferenceCast { Remover = true }, DirectReferencePlay.RemovedBeforeTheMove);

    public static Play DirectReferenceErased { get; } = new DirectReferencePlay(new DirectReferenceCast { Eraser = true }, DirectReferencePlay.ErasedDuringRepair);

    public static Play DirectReferenceForwarded { get; } =
        new DirectReferencePlay(new DirectReferenceCast { Remover = true }, DirectReferencePlay.EntryTakenBeforeRepair);

    public static Play Packed { get; } = new PackingPlay(hasAdder: true, script: PackingPlay.ReservedWhilePacked);

    public static Play PackedAndRestored { get; } = new PackingPlay(isRestored: true);

    public static Play PackedAndRestoredInHaste { get; } = new PackingPlay(isRestored: true, inHaste: true);

    public static Play PackedTwice { get; } = new PackingPlay(isReplaced: true, script: PackingPlay.LookedForWhilePackedAgain);

    public static Play SliceWritten { get; } = new SlicePlay(new SliceCast { Writers = 2, Readers = 1, Lives = 1 });

    public static Play SliceRead { get; } = new SlicePlay(new SliceCast { Writers = 1, Readers = 1, Lives = 0 });

    public static Play SliceReadAndReused { get; } = new SlicePlay(new SliceCast { Readers = 1, Lives = 2 });

    public static Play SliceDeletedTwice { get; } = new SlicePlay(new SliceCast { Writers = 1, Deleters = 2, Stale = true, Lives = 2 });

    public static Play SliceInScopes { get; } = new SlicePlay(new SliceCast { Writers = 1, Scopes = 2, Lives = 1 });

    public static Play SliceUsedUp { get; } = new SlicePlay(new SliceCast { Readers = 2, Writers = 1, Lives = 3, VersionBits = 1 });

    public static Play SliceOfManyTenants { get; } = new SlicePlay(new SliceCast { Readers = 1, Deleters = 0, Lives = 1, FormerTenants = 4096 });

    public static Play SlicesDisposed { get; } = new SlicePlay(new SliceCast { Writers = 1, Readers = 1, Scopes = 1, Lives = 2, Disposer = true });

    public static Play SlicePublishedAndDisposed { get; } = new SlicePlay(new SliceCast { Readers = 1, Lives = 1, Disposer = true });

    public static Play SliceBlocks { get; } = new SliceBlocksPlay();

    public static Play IndexReadByHash { get; } = new IndexPlay(new IndexCast { Remover = true });

    public static Play IndexAdded { get; } = new IndexPlay(new IndexCast { Added = [IndexPlay.B] });

    public static Play IndexAddedTwice { get; } = new IndexPlay(new IndexCast { Added = [IndexPlay.B, IndexPlay.B] });

    public static Play IndexAddedAndRefused { get; } = new IndexPlay(new IndexCast { IsExact = true, Added = [IndexPlay.B, IndexPlay.B], FirstFails = true });

    public static Play IndexAddedOverRemoval { get; } = new IndexPlay(new IndexCast { IsExact = true, Added = [IndexPlay.A], Remover = true });

    public static Play IndexRemoved { get; } = new IndexPlay(new IndexCast { IsExact = true, Remover = true });

    public static Play IndexChanged { get; } = new IndexPlay(new IndexCast { IsExact = true, Setter = true });

    public static Play IndexChangedAndAdded { get; } = new IndexPlay(new IndexCast { Added = [IndexPlay.A, IndexPlay.B], Setter = true });

    public static Play IndexGrown { get; } = new IndexPlay(new IndexCast { IsExact = true, IsFull = true, Added = [IndexPlay.B], Remover = true });

    public static Play IndexGrownTwice { get; } = new IndexPlay(new IndexCast { IsExact = true, IsFull = true, Added = [IndexPlay.B, IndexPlay.B + 1], Setter = true });

    public static Play IndexChangedAndRemoved { get; } = new IndexPlay(new IndexCast { IsExact = true, Remover = true, Setter = true });

    public static Play OrderedIndexAdded { get; } = new OrderedIndexPlay(new OrderedIndexCast { Added = 3 });

    public static Play OrderedIndexChanged { get; } = new OrderedIndexPlay(new OrderedIndexCast { Setter = true, IsDescending = true });

    public static Play OrderedIndexChangedAndAsked { get; } = new OrderedIndexPlay(new OrderedIndexCast { Setter = true, Query = true });

    public static Play OrderedIndexFirst { get; } = new OrderedIndexPlay(new OrderedIndexCast { Setter = true, Remover = true, First = true });

    public static Play OrderedIndexWalked { get; } = new OrderedIndexPlay(new OrderedIndexCast { Setter = true, Walk = true });

    public static Play OrderedIndexChangedAndRemoved { get; } = new OrderedIndexPlay(new OrderedIndexCast { Added = 2, Setter = true, Remover = true, Query = true, IsDescending = true });

    public static Play MapSplit { get; } = new MapPlay(new MapCast { Adders = 3 });

    public static Play MapMerged { get; } = new MapPlay(new MapCast { Adders = 1, Removers = 3 });

    public static Play MapGrown { get; } = new GrownMapPlay();

    public static Play MapScannedUpwards { get; } = new MapPlay(new MapCast { Removers = 3, Ascending = 1 });

    public static Play MapScannedDownwards { get; } = new MapPlay(new MapCast { Adders = 3, Descending = 1 });

    public static Play MapScannedBothWays { get; } = new MapPlay(new MapCast { Adders = 2, Removers = 2, Setters = 1, Ascending = 1, Descending = 1 });

    public static Play MapSetAndRead { get; } = new MapPlay(new MapCast { Setters = 2, Getters = 1, Ascending = 1 });

    public static Play MapDisposed { get; } = new MapPlay(new MapCast { Adders = 2, Removers = 1, Setters = 1, Ascending = 1, Descending = 1, Disposer = true });

    public static Play MapHistories { get; } = new MapHistoryPlay();

    public static Play SnapshotOfGroups { get; } = new SnapshotPlay(new SnapshotCast());

    public static Play SnapshotOfTwoWriters { get; } = new SnapshotPlay(new SnapshotCast { Writers = 2 });

    public static Play SnapshotAndRemoval { get; } = new SnapshotPlay(new SnapshotCast { Remover = true });

    public static Play SnapshotAndSetter { get; } = new SnapshotPlay(new SnapshotCast { Setter = true });

    public static Play SnapshotAndReader { get; } = new SnapshotPlay(new SnapshotCast { Reader = true });

    public static Play TextsOfTwoSnapshots { get; } = new HeldTextsPlay();

    public static Play SnapshotsOverSnapshots { get; } = new SnapshotPlay(new SnapshotCast { Writers = 2, Second = true });

    public static Play SnapshotAndCompaction { get; } = new SnapshotPlay(new SnapshotCast { Writers = 2, Compactor = true });

    public static Play Retired { get; } = new RetirePlay(new RetireCast());

    public static Play RetiredByTwo { get; } = new RetirePlay(new RetireCast { Mutators = 2, Scans = 2 });

    public static Play RetiredAndCompaction { get; } = new RetirePlay(new RetireCast { Compactor = true });

    public static Play RetiredAndStoredBefore { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true }, RetirePlay.StoredBefore);

    public static Play RetiredAndStoredDuring { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true }, RetirePlay.StoredDuring);

    public static Play RetiredAndStoredWhileDeciding { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true }, RetirePlay.StoredWhileDeciding);

    public static Play RetiredAndStoredAfter { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true }, RetirePlay.StoredAfter);

    public static Play RetiredWithMap { get; } = new RetirePlay(new RetireCast { Mutators = 2, Scans = 2, Map = true });

    public static Play RetiredAndPutBefore { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true, Map = true }, RetirePlay.PutBefore);

    public static Play RetiredAndPutLate { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true, Map = true }, RetirePlay.PutLate);

    public static Play RetiredAndStoredInDraft { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true, Publisher = true }, RetirePlay.StoredInDraft);

    public static Play RetiredAndStoredInDraftOfLater { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true, Publisher = true }, RetirePlay.StoredInDraftOfLater);

    public static Play RetiredWhileDraft { get; } = new RetirePlay(new RetireCast { Mutators = 0, Storer = true, Publisher = true }, RetirePlay.ScannedWhileDraft);

    public static Play RetiredAndMovedBeforeItsTurn { get; } = new RetirePlay(new RetireCast { Mutators = 0, Compactor = true, LateReferrer = true }, RetirePlay.MovedBeforeItsTurn);

    public static Play OnRemoveSetNull { get; } = new OnRemovePlay(restricts: false);

    public static Play OnRemoveRestricted { get; } = new OnRemovePlay(restricts: true);

    public static Play SnapshotsAndAll { get; } = new SnapshotPlay(new SnapshotCast { Writers = 2, Second = true, Remover = true, Compactor = true, Reader = true });

    public static IReadOnlyList<Play> All { get; } =
    [
        Reuse, LongReuse, ReuseWithBuffers, TwoIncrements, AdvanceBeforeRemoval, AnnouncementAfterBarrier, AnnouncementAfterFirstAdvance,
        ReuseAfterScan, RecentAnnouncement, Text, TextMovedAndRead, TextMovedAndReplaced, TextMovedAfterSnapshot, DeadTextAfterSnapshot, SharedText, Dispose, Registers, BatchReclamation, AmortisedReclamation,
        TokenRing, TokenRingAndAdvances,
        MovedRegisters, MovedAndRead, MovedWhileDying, MovedAndWritten, MovedAndWrittenByTwo, MovedAndRemoved, MovedAndScanned, MovedAndWrittenAndScannedInSections,
        MovedAndScannedInSections, MovedTwice, MovedAndWrittenAndScanned, MovedAgainAndScanned, GivenUp, MovedAndFilled, MovedAndDisposed, MovedAndDisposedWhileScanned,
        DirectReferences, DirectReferencesAndRemoval, DirectReferenceCopied, DirectReferenceStoredLate, DirectReferenceReadLate,
        DirectReferenceToDeadRow, DirectReferenceErased, DirectReferenceForwarded, Packed, PackedAndRestored, PackedAndRestoredInHaste, PackedTwice,
        ReclamationThatDrainsAgain, RemovalAndDispose,
        SliceWritten, SliceRead, SliceReadAndReused, SliceDeletedTwice, SliceInScopes, SliceUsedUp, SliceOfManyTenants, SlicesDisposed, SlicePublishedAndDisposed,
        SliceBlocks,
        IndexReadByHash, IndexAdded, IndexAddedTwice, IndexAddedAndRefused, IndexAddedOverRemoval, IndexRemoved, IndexChanged,
        IndexChangedAndAdded, IndexChangedAndRemoved, IndexGrown, IndexGrownTwice,
        OrderedIndexAdded, OrderedIndexChanged, OrderedIndexChangedAndAsked, OrderedIndexFirst, OrderedIndexChangedAndRemoved,
        MapSplit, MapMerged, MapGrown, MapScannedUpwards, MapScannedDownwards, MapScannedBothWays, MapSetAndRead, MapDisposed, MapHistories,
        SnapshotOfGroups, SnapshotOfTwoWriters, SnapshotAndRemoval, SnapshotAndSetter, SnapshotAndReader, TextsOfTwoSnapshots, SnapshotsOverSnapshots, SnapshotAndCompaction, SnapshotsAndAll,
        Retired, RetiredByTwo, RetiredAndCompaction, RetiredAndStoredBefore, RetiredAndStoredDuring, RetiredAndStoredWhileDeciding, RetiredAndStoredAfter,
        RetiredWithMap, RetiredAndPutBefore, RetiredAndPutLate, RetiredAndStoredInDraft, RetiredAndStoredInDraftOfLater, RetiredWhileDraft, RetiredAndMovedBeforeItsTurn,
        OnRemoveSetNull, OnRemoveRestricted,
    ];
}
