using System.Diagnostics;

namespace Smc.Memory.Diagnostics;

/// <summary>A place in a protocol between two accesses to shared memory, where another thread may come in between.</summary>
internal enum ProtocolStep
{
    EpochRead,
    Announced,
    AdvanceEpochRead,
    AdvanceBarrier,
    AdvanceScanned,
    IncarnationMatched,
    RemoveEntered,
    EntryDead,
    ValidityCleared,
    StampRead,
    SlotTaken,
    EntryLive,
    BackPointerRead,
    DisposeMarked,
    StringCopied,

    /// <summary>Strings are moved: a word in a leaving segment was found, and is looked at in a window next.</summary>
    StringFound,

    /// <summary>Compactor: blocks are taken and the list shows their groups; no row is frozen.</summary>
    GroupsFormed,

    /// <summary>Compactor: all live rows of the groups are frozen.</summary>
    RowsFrozen,

    /// <summary>Compactor: the grace periods are over; everybody who writes a frozen row locks it.</summary>
    GracePassed,

    /// <summary>Compactor: it is decided which rows of a group move; the other slots of the target have no ids yet.</summary>
    RowsChosen,

    /// <summary>Compactor: the rows of a group are copied ahead.</summary>
    RowsCopied,

    /// <summary>Compactor: scans that arrive at the group help from here on.</summary>
    GroupMoving,

    /// <summary>Compactor or scan: a row that is about to move is locked.</summary>
    RowLocked,

    /// <summary>Compactor or scan: a row's entry names the new place and is still locked.</summary>
    LocationMoved,

    /// <summary>Compactor or scan: a row that moved is unlocked.</summary>
    RowUnlocked,

    /// <summary>Compactor: all rows of a group have moved; the list is as before.</summary>
    RowsMoved,

    /// <summary>Compactor: the list has the target in place of the old blocks, and scans help no more.</summary>
    GroupDone,

    /// <summary>Compactor: it gave up, and the rows of what did not move are thawed.</summary>
    GaveUp,

    /// <summary>Packer: every id in use of a page was seen to have a row.</summary>
    PageChecked,

    /// <summary>Packer: a page of entries is copied and in the table; an entry in place is about to become 0.</summary>
    EntryCopied,

    /// <summary>Packer: pages are packed; their memory is still there.</summary>
    EntriesPacked,

    /// <summary>Reader, writer, remover: an entry in place reads 0; the table is next.</summary>
    EntryFoundPacked,

    /// <summary>Reader, writer, remover: the table was read.</summary>
    PackedPageRead,

    /// <summary>Restorer: an entry is locked in its packed page and not in place yet.</summary>
    EntryLockedForGood,

    /// <summary>Restorer: an entry is in place, and still in its packed page.</summary>
    EntryShown,

    /// <summary>Reader: a direct reference leads to a slot whose row has moved; its entry is next.</summary>
    TombstoneRead,

    /// <summary>Repair: a reference to a block that leaves was read, and what it becomes is known.</summary>
    ReferenceRead,

    /// <summary>Repair: the reference has its new value.</summary>
    ReferenceRepaired,

    /// <summary>Writer: the row is not frozen and is about to be written in place.</summary>
    WriteInPlace,

    /// <summary>Writer: the frozen row is locked and about to be written.</summary>
    WriteLocked,

    /// <summary>Scan: the list is taken, and which copy of each group is read is about to be decided.</summary>
    BlocksTaken,

    /// <summary>Scan: a row of a group that is moving is next.</summary>
    HelperArrived,

    /// <summary>Scan: it was decided which blocks are read.</summary>
    BlocksDecided,

    /// <summary>Reader, writer or deleter of a slice: its header was read.</summary>
    SliceHeaderRead,

    /// <summary>Reader of a slice: its bytes were read; the second look at the header is next.</summary>
    SliceBytesRead,

    /// <summary>Owner: the slice is published; whether the heap was disposed is looked at next.</summary>
    SlicePublished,

    /// <summary>Deleter: the slice is marked.</summary>
    SliceDeleted,

    /// <summary>Writer or reader in a scope: left the slice; whether it has to be released is known.</summary>
    SliceLeft,

    /// <summary>Whoever releases a slice: it has its next version and is not on the free list yet.</summary>
    SliceReleased,

    /// <summary>Look-up in an index: a word whose place fits was read; its row is next.</summary>
    IndexWordRead,

    /// <summary>Writer: a word of an index is about to be stored, changed or taken out.</summary>
    IndexEntered,

    /// <summary>Writer: a word in motion was stored, or the key was refused.</summary>
    IndexClaimed,

    /// <summary>Writer: words of a row were set in motion, or are so no longer.</summary>
    IndexMotionSet,

    /// <summary>Writer: a word was taken out of an index.</summary>
    IndexWordOut,

    /// <summary>A segment that is full was copied; the directory still names it.</summary>
    IndexCopied,

    /// <summary>Reader, writer or scan of an ordered table: it knows which chunk a key belongs to, and is about to look into it or to take its latch.</summary>
    ChunkFound,

    /// <summary>Mutant of the rebalance: a chunk is copied and its latch is free.</summary>
    ChunkCopied,

    /// <summary>Token ring: who holds the token was read.</summary>
    TokenHeld,

    /// <summary>Token ring: the token is with the next thread, or the round is complete and the epoch is about to move.</summary>
    TokenPassed,

    /// <summary>Snapshot: new windows wait; those that are open are waited for next.</summary>
    SnapshotPending,

    /// <summary>Mutant of a snapshot: the number is drawn, writers go on and do not look yet.</summary>
    SnapshotDrawn,

    /// <summary>Writer: its window is open while a snapshot is.</summary>
    WindowOpened,

    /// <summary>Writer: a block was copied for a snapshot; list and entries name the old version.</summary>
    VersionCopied,

    /// <summary>Writer: the list names the copy; entries name the old version.</summary>
    VersionListed,

    /// <summary>Retire: the row's id says so, scans see it still.</summary>
    RetiredBitSet,

    /// <summary>Writer: knows the phase of the scan, and that the row it refers to is a candidate without a mark.</summary>
    BarrierPhaseRead,

    /// <summary>Writer of a map that is a root: the handle is admitted and stored next.</summary>
    RootAdmitted,

    /// <summary>Scan: windows of before have ended; references are read next.</summary>
    ScanBegun,

    /// <summary>Scan on several threads: one of them has taken a piece of a collection, and reads it next.</summary>
    ScanPieceTaken,

    /// <summary>Mutant of a scan: the word of a mark was read and is stored next.</summary>
    ScanMarkRead,

    /// <summary>Stress tests: a removal knows its closure, and decides next.</summary>
    ClosureFollowed,

    /// <summary>Scan: windows that marked have ended; the decision is next.</summary>
    ScanDeciding,

    /// <summary>Scan: rows without a mark are removed next.</summary>
    ScanCondemned,

    /// <summary>Somebody waits for another thread; a scheduler lets that one go on.</summary>
    Waiting,

    /// <summary>A step of the test's own, between two calls into the library.</summary>
    OutsideLibrary,
}

/// <summary>
/// Hands the steps of the protocols to a controlled scheduler. Calls exist only in sources compiled with <c>SMC_MUTANTS</c>.
/// </summary>
internal static class ProtocolSteps
{
#if SMC_MUTANTS
    /// <summary>Called at every step by the thread that is there; may block it until the scheduler lets it go on.</summary>
    public static Action<ProtocolStep>? Hook;

    [Conditional("SMC_MUTANTS")]
    public static void Reach(ProtocolStep step) => Hook?.Invoke(step);
#else
    [Conditional("SMC_MUTANTS")]
    public static void Reach(ProtocolStep step) => _ = step;
#endif
}
