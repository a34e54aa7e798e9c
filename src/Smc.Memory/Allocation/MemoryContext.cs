using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>
/// The blocks, entries and strings of one collection. Rows are added in two steps (<see cref="Allocate"/>, write, <see cref="Publish(in RowSlot)"/>)
/// and removed in one; both may happen from any thread at any time, while others read.
/// </summary>
/// <remarks>
/// A context lives until it or its manager is disposed, whether anybody still refers to it or not: handles do not keep it alive, but they
/// may be all that is left of it.
/// It owns the parts, makes them in the order in which they need each other, and ends them; what they promise stands at the top of each. None calls the context.
/// Locks, in the order in which they are taken: the lock of a repair of direct references, the compaction gate, what indexes take (RowStripes), the latches of cursors, the collection's lock
/// (<see cref="CollectionLife.Lock"/>), the locks of pool and budget.
/// None but the gate is held
/// while user code runs, while a row is written or while the epoch is advanced.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MemoryContext : IDisposable
{
    private readonly CollectionLife _life;
    private readonly EntryTable _entries;
    private readonly BlockStore _store;
    private readonly RowAllocator _allocator;
    private readonly RowPublisher _publisher;
    private readonly RowRemoval _removal;
    private readonly IndexSet _indexes;
    private readonly LiveCounters _counters = new();
    private readonly CompactionGate _gate = new();
    private readonly Departures _departures;
    private readonly GroupFormation _formation;
    private readonly EmptyBlocks _emptyBlocks;
    private readonly CollectionCompaction _compaction;
    private readonly StringCompaction _stringCompaction;
    private readonly DirectTargets _targets;
    private readonly SnapshotMarks _snapshots = new();
    private readonly double _compactionOccupancy;

    // Set by the monitor while the gate of the context or of its manager is closed.
    private bool _holdsAdditions;
    private bool _endsInterningLater;

    /// <summary>Makes an empty context. It maps nothing until the first row.</summary>
    /// <param name="manager">Owner of the memory.</param>
    /// <param name="layout">Arrangement of the rows.</param>
    /// <param name="name">Name of the collection, for messages.</param>
    /// <param name="options">Sizes and thresholds; the defaults if null.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    /// <exception cref="OffHeapMemoryException">The system does not reserve the addresses for <see cref="MemoryContextOptions.MaxRows"/>.</exception>
    /// <exception cref="PlatformNotSupportedException">Addresses need more than 48 bits.</exception>
    public MemoryContext(MemoryManager manager, BlockLayout layout, string name, MemoryContextOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(manager);
        ArgumentNullException.ThrowIfNull(layout);
        ArgumentNullException.ThrowIfNull(name);
        options ??= new MemoryContextOptions();
        MemoryContextOptions.Validate(options, layout);
        Manager = manager;
        Layout = layout;
        Gate = new GarbageGate(options.Garbage, name);
        Reclaimer = manager.Reclaimer;
        int slots = options.BlockCapacity ?? layout.Capacity;
        int queueAt = Math.Max(1, (int)Math.Ceiling(options.LimboThreshold * slots));
        _compactionOccupancy = options.CompactionOccupancy;
        int sparseAt = _compactionOccupancy == 0 ? int.MaxValue : slots - (int)(_compactionOccupancy * slots);
        _life = new CollectionLife(name);
        _departures = new Departures(Reclaimer, _gate);
        Strings = new StringHeap(manager.Budget, Reclaimer, layout, options);
        References = ReferenceColumn.Of(layout);
        _entries = new EntryTable(_life, manager, _departures, Math.Max(options.MaxRows, slots), options.IncarnationBits);
        Retired = new RetiredRows(_entries, manager, layout.BytesPerRow);
        RowCleaner cleaner = new(layout, Strings, Retired);
        _indexes = new IndexSet(_life, _entries, Reclaimer);
        _store = new BlockStore(_life, layout, _entries, manager.Arenas, _departures, slots, queueAt);
        Referrers = new ReferrersToRows(_departures, Reclaimer);
        _targets = new DirectTargets(_life, _gate, _store, Retired);
        _allocator = new RowAllocator(_life, _store, _entries, cleaner, _snapshots, Referrers, Reclaimer);
        _removal = new RowRemoval(_store, _entries, _indexes, _counters, Retired, new SparseBlocks(this, _store, sparseAt, options.BackgroundCompactionBytes));
        Versions = new BlockVersions(this, _life, _store, _entries, _allocator, _snapshots, _departures, Referrers, Strings);
        _publisher = new RowPublisher(_life, _entries, Versions, _indexes, _counters, _allocator, _removal, cleaner, References);
        Retirement = new RowRetirement(_life, _entries, _indexes, _counters, Retired, _removal, Reclaimer, layout.BytesPerRow);
        _stringCompaction = new StringCompaction(_life, _gate, _store, Strings, cleaner, _counters, Retired, _snapshots, Reclaimer);
        _formation = new GroupFormation(_life, _store, _entries, _allocator, cleaner, _departures, Referrers, _snapshots, _gate, Retired);
        _emptyBlocks = new EmptyBlocks(_life, _store, _entries, _allocator, cleaner, Strings, _departures, Referrers, _snapshots);
        EntryPacking? packing = options.PackEntries && PackedEntries.IsSupported ? new(_life, _entries, _departures, Referrers, _snapshots, Reclaimer) : null;
        _compaction = new CollectionCompaction(
            this, _life, _gate, _formation, _emptyBlocks, _entries, packing, _stringCompaction, _departures, Referrers, _snapshots, Reclaimer);
        RangeRegistry.Register(_entries.Range, this);
        try
        {
            manager.Add(this);
        }
        catch (ObjectDisposedException)
        {
            RangeRegistry.Unregister(_entries.Range);
            RangeRegistry.Return(_entries.Range);
            throw;
        }
    }

    /// <summary>Name of the collection.</summary>
    public string Name => _life.Name;

    /// <summary>Arrangement of the rows.</summary>
    public BlockLayout Layout { get; }

    /// <summary>The manager that the memory belongs to.</summary>
    public MemoryManager Manager { get; }

    /// <summary>The strings of the rows.</summary>
    public StringHeap Strings { get; }

    /// <summary>True from the beginning of <see cref="Dispose"/> on.</summary>
    public bool IsDisposed => _life.IsDisposed;

    /// <summary>Rows that are not retired; exact when nobody is adding, retiring or removing.</summary>
    public long Count => _counters.Live;

    /// <summary>Rows removed or retired since the context was made.</summary>
    public long Removals => _counters.Gone;

    /// <summary>Rows that are retired and not reclaimed; exact when nobody retires or removes.</summary>
    public long RetiredRows => Retired.Count;

    /// <summary>
    /// The blocks at this moment: every row is in exactly one of them. Their addresses are good inside the critical section in which the list
    /// is read; an enumeration in several sections takes a <see cref="BlockRoute"/>.
    /// </summary>
    /// <remarks>While a compaction moves a group of blocks this waits until it has, some microseconds up to a millisecond.</remarks>
    public BlockList Blocks => BlocksNow.Decide();

    /// <summary>Number of the entry with dense id 0: that of a row's entry (<see cref="Handle.EntryNumber"/>) is so much higher as its dense id says.</summary>
    public ulong FirstEntry => _entries.Of(0).Number;

    /// <summary>Every dense id in use is below this. It grows while others add.</summary>
    public long EntryLimit
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            return _store.EntryLimit;
        }
    }

    /// <summary>Entries that no row can use any more because their incarnations are used up.</summary>
    public long WornOutEntries => _entries.WornOut;

    /// <summary>Bytes by what they are used for.</summary>
    public MemoryUsage Usage
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            BlockList blocks = BlocksNow;
            long slots = (long)blocks.Count * _store.SlotsPerBlock;
            long used = 0, limbo = 0;
            for (int i = 0; i < blocks.Count; i++)
            {
                used += blocks[i].SlotCount;
                limbo += blocks[i].Limbo;
            }
            long row = Layout.BytesPerRow;
            long mappedBlocks = (long)blocks.Count * Layout.BlockBytes;
            long leaving = _departures.Bytes;
            long entries = _entries.Packed.MappedBytes + Retired.Bytes;
            long indexes = _indexes.Bytes;
            long snapshots = Versions.Bytes, held = Strings.HeldBytes;
            long strings = Strings.LiveBytes - held, retired = Strings.RetiredBytes, heap = Strings.MappedBytes;
            return new MemoryUsage(
                Live: (used - limbo) * row,
                Limbo: limbo * row,
                RetiredBlocks: leaving,
                Free: (slots - used) * row + heap - strings - held - retired,
                Strings: strings,
                RetiredStrings: retired,
                Indirection: entries,
                Headers: mappedBlocks - slots * row,
                Regions: 0,
                Slices: 0,
                Indexes: indexes,
                Snapshots: snapshots,
                Mapped: mappedBlocks + leaving + snapshots - held + heap + entries + indexes);
        }
    }

    /// <summary>
    /// Bytes of removed rows, replaced strings and old blocks that a reader may still be at. Exact when nobody is at work. Limbo that can be
    /// re-used is not counted, nor are strings of removed rows, which are freed when their place is re-used. Rows removed just before their
    /// block was given up count twice.
    /// </summary>
    public long GarbageBytes =>
        _counters.WaitingAt(GlobalEpoch.Now) * Layout.BytesPerRow + Strings.RetiredBytes + _departures.Bytes;

    /// <summary>The indexes of the collection in the order in which words are claimed; null if there are none. Good for the caller's critical section.</summary>
    public RowIndex[]? Indexes => _indexes.All;

    /// <summary>Scans that renew their section now. Rows must not move while there are any.</summary>
    public int RenewingScans => _gate.RenewingScans;

    /// <summary>The blocks that belong to the collection, those that a compaction is emptying among them: no list to look for rows in.</summary>
    internal BlockList BlocksNow => _store.List;

    /// <summary>Frees what this context retires.</summary>
    internal Reclaimer Reclaimer { get; }

    internal GarbageGate Gate { get; }

    /// <summary>Where rows keep references.</summary>
    internal ReferenceColumn[] References { get; }

    /// <summary>Which rows are retired.</summary>
    internal RetiredRows Retired { get; }

    /// <summary>How rows are retired, and reclaimed.</summary>
    internal RowRetirement Retirement { get; }

    /// <summary>What snapshots keep of the blocks.</summary>
    internal BlockVersions Versions { get; }

    /// <summary>The collections whose rows refer directly to rows of this one.</summary>
    internal ReferrersToRows Referrers { get; }

    /// <summary>True from before the first row is frozen until the last group has moved or was given up.</summary>
    internal bool IsCompacting => _gate.IsCompacting;

    /// <summary>The entries of the rows.</summary>
    internal EntryTable Entries => _entries;

    /// <summary>The collection that made a handle, alive or not; null for 0 and when the collection is gone.</summary>
    public static MemoryContext? Find(ulong handle) => EntryRef.Of(handle).Context is { } context && context.Owns(handle) ? context : null;

    /// <summary>True if the handle, alive or not, was made by this context. False for 0.</summary>
    /// <remarks>A range serves one collection after the other: handles of earlier ones have lower incarnations.</remarks>
    public bool Owns(ulong handle) => _entries.Owns(handle);

    /// <summary>
    /// Reserves a place for a row, which reads as zero and which nobody sees. It becomes a row with <see cref="Publish(in RowSlot)"/> or
    /// goes back with <see cref="Abandon(in RowSlot)"/>.
    /// </summary>
    /// <remarks>The caller stays inside one critical section from here until Publish or Abandon returns.</remarks>
    /// <exception cref="InvalidOperationException">The caller is not inside a critical section.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public RowSlot Allocate() => _allocator.Allocate();

    /// <summary>Reserves up to <paramref name="wanted"/> neighbouring places, at least one. Otherwise like <see cref="Allocate"/>.</summary>
    /// <inheritdoc cref="Allocate" path="/remarks|/exception"/>
    public RowRun AllocateRun(int wanted)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(wanted);
        return _allocator.AllocateRun(wanted);
    }

    /// <summary>Makes a row of a reserved place: from here on everybody sees it.</summary>
    /// <returns>The row's handle.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public ulong Publish(in RowSlot row) => _publisher.Publish(row);

    /// <summary>Makes rows of reserved places.</summary>
    /// <inheritdoc cref="Publish(in RowSlot)" path="/exception"/>
    /// <exception cref="InvalidOperationException">The collection has indexes, into which rows go one by one (<see cref="PublishIndexed"/>).</exception>
    public void Publish(in RowRun run) => _publisher.Publish(run);

    /// <summary>Publishes a reserved place, or reveals a draft, in a collection that has indexes.</summary>
    /// <param name="row">The place.</param>
    /// <param name="isDraft">Whether <see cref="PublishHidden"/> was called.</param>
    /// <param name="isPublished">True from the moment on from which the place is no longer the caller's to give back.</param>
    /// <param name="indexes">What <see cref="Indexes"/> was in the caller's critical section.</param>
    /// <returns>The handle; 0 if the row was removed while it was a draft.</returns>
    /// <safety>As <see cref="Publish(in RowSlot)"/> and <see cref="Reveal"/>.</safety>
    public ulong PublishIndexed(in RowSlot row, bool isDraft, RowIndex[] indexes, ref bool isPublished)
    {
        ArgumentNullException.ThrowIfNull(indexes);
        return _publisher.PublishIndexed(row, isDraft, indexes, ref isPublished);
    }

    /// <summary>
    /// Makes the handle of a reserved place work while enumerations and queries do not see the row: for an initialiser that sets the row's
    /// properties. Writers lock the row and leave zone maps and sketches alone (<see cref="RowWriter"/>). <see cref="Reveal"/> or <see cref="Withdraw"/> follows in the same critical section.
    /// </summary>
    /// <returns>The row's handle.</returns>
    public ulong PublishHidden(in RowSlot row) => _publisher.PublishHidden(row);

    /// <summary>Writes zone maps and sketches from the values of a row of <see cref="PublishHidden"/> and shows it to everybody.</summary>
    /// <returns>The row's handle; 0 if the row was removed while it was hidden.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public ulong Reveal(in RowSlot row) => _publisher.Reveal(row);

    /// <summary>Takes back a row of <see cref="PublishHidden"/> that nobody shall see.</summary>
    public void Withdraw(in RowSlot row) => _publisher.Withdraw(row);

    /// <summary>Gives a reserved place back, with the strings that were stored in it.</summary>
    public void Abandon(in RowSlot row) => _publisher.Abandon(row);

    /// <summary>
    /// Enters the critical section of an addition (<see cref="Allocate"/> … <see cref="Publish(in RowSlot)"/>); over the hard mark of a
    /// <see cref="GarbageBudget"/> it waits for readers first, or throws. Sections entered in other ways are not held up.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">More garbage waits for readers than the hard mark allows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CriticalSection EnterToAdd()
    {
        if (Volatile.Read(ref _holdsAdditions)) WaitForReaders();
        return CriticalSection.Enter();
    }

    /// <summary>Reserves places for rows, block by block from the first slot on. O(rows).</summary>
    /// <remarks>
    /// For many rows at once in a collection that nobody else has yet: all are reserved first, so that they can refer to each other, then filled by any number of threads, then published.
    /// Between reserving and publishing no critical section is held, so that a load from a slow source holds back nobody. It is not needed: what a section protects from
    /// is the removal of rows, compaction and <see cref="TrimExcess"/>, and nobody has the collection. What is left is that the manager is disposed; so every thread
    /// is in a section while it writes, and asks in it whether the collection is there.
    /// </remarks>
    /// <returns>The places in order.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <safety>The collection is new, and the caller is the only one who has it until <see cref="Publish(in RowRun)"/> has returned for all runs.</safety>
    public IReadOnlyList<RowRun> ReserveRuns(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        List<RowRun> runs = [];
        while (rows > 0)
        {
            using CriticalSection section = CriticalSection.Enter();
            RowRun run = _allocator.AllocateRun((int)Math.Min(rows, int.MaxValue));
            runs.Add(run);
            rows -= run.Count;
        }
        return runs;
    }

    /// <summary>The handle that a reserved place will have as a row.</summary>
    /// <param name="entry">The place's entry.</param>
    /// <safety>The entry is that of a reserved place of this collection.</safety>
    public ulong HandleToBe(EntryRef entry) => entry.HandleWith(_entries.NextIncarnation(entry));

    /// <summary>The word with which a row of this collection will refer directly to the row of a reserved place.</summary>
    /// <param name="target">The place, of another collection or this one.</param>
    /// <param name="handle">What <see cref="HandleToBe"/> gave for it.</param>
    /// <returns>The word; 0 if the other collection is disposed by now.</returns>
    /// <safety>As <see cref="ReserveRuns"/>, of both collections: the word goes into a row that is published after its target.</safety>
    public ulong DirectWordToBe(in RowSlot target, ulong handle) =>
        _targets.IsKnown(handle) ? DirectWord.Make(new RowLocation(target.Block, target.Slot), Handle.Incarnation(handle)) : 0;

    /// <summary>
    /// The word with which a row of this collection refers directly to the row of a handle; 0 if the handle is null or the row was removed.
    /// </summary>
    /// <safety>The caller is inside a critical section, stores the word in a column of storage <see cref="ColumnStorage.DirectReference"/>
    /// of this collection or nowhere, and does so before the section ends.</safety>
    public ulong DirectWordOf(ulong handle) => _targets.WordOf(handle);

    /// <summary>Writes zone maps and sketches of a block whose rows are written and not published: the steps of a sketch by the block's own values. O(rows × columns).</summary>
    /// <param name="block">The block.</param>
    /// <param name="slots">The slots of its rows, from 0 on.</param>
    /// <safety>As <see cref="ReserveRuns"/>. Values and null bits of all rows of the block are written, and no other thread writes to it.</safety>
    public void Summarize(BlockRef block, int slots)
    {
        foreach (ColumnLayout column in Layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) BlockSummary.Write(block, slots, column);
        }
    }

    /// <summary>
    /// Maps the blocks and entries for so many rows more, so that the calling thread can add them without running out of memory for rows
    /// (strings may), unless other threads add too.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; what was mapped until then stays.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Reserve(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        _allocator.Reserve(rows);
    }

    /// <summary>Removes the row of a handle. Readers that are at it may finish; the place is re-used two epochs later.</summary>
    /// <returns>False if the handle is null or the row was removed before; of several threads that remove a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public bool TryRemove(ulong handle)
    {
        if (handle == 0) return false;
        bool removed;
        using (CriticalSection.Enter())
        {
            // Inside the section: the entries of a collection that is disposed after this stay mapped until the section ends.
            RequireOwn(handle);
            removed = _removal.TryRemove(EntryRef.Of(handle), Handle.Incarnation(handle));
        }
        if (removed) Reclaimer.AddGarbage(Layout.BytesPerRow + _indexes.TakeGarbage());
        return removed;
    }

    /// <summary>Hides a row from scans and indexes. Handles and references find it until a scan finds none of the latter (<see cref="MemoryManager.CollectRetired"/>).</summary>
    /// <returns>False if the handle is null or the row was retired or removed before; of several threads that retire a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="InvalidOperationException">The row is being initialised.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">The hard mark of a <see cref="RetireBudget"/>, or the limit, leaves no memory; nothing is changed.</exception>
    public bool TryRetire(ulong handle)
    {
        if (handle == 0) return false;
        // Outside of the section, which a scan that makes room waits for, if its readers do.
        Manager.RetiredRowBytes.Reserve(Layout.BytesPerRow);
        bool isRetired = false;
        try
        {
            using CriticalSection section = CriticalSection.Enter();
            RequireOwn(handle);
            isRetired = Retirement.TryRetire(handle);
        }
        finally
        {
            if (!isRetired) Retired.GiveBackBytes();
        }
        return isRetired;
    }

    /// <summary>Removes all rows that are there, retired ones too, one by one, and gives back blocks that are empty then, and the strings that rows shared.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Clear()
    {
        ThrowIfDisposed();
        // Also of a group in motion: the old blocks know their rows wherever these are now.
        using (CriticalSection.Enter()) _removal.EndRowsOf(BlocksNow, keepSlots: true);
        EndClearing();
    }

    /// <summary>The handles of all rows that are there, retired ones too, and of those that a bulk addition hides.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public IReadOnlyList<ulong> CopyHandles()
    {
        ThrowIfDisposed();
        List<ulong> handles = [];
        using CriticalSection section = CriticalSection.Enter();
        BlockList blocks = Blocks;
        for (int i = 0; i < blocks.Count; i++)
        {
            foreach (int slot in Retired.SlotsOf(blocks[i]))
            {
                if (blocks[i].HandleAt(slot) is not 0 and ulong handle) handles.Add(handle);
            }
        }
        return handles;
    }

    /// <summary>Gives back what <see cref="Clear"/> gives back, when the caller has removed the rows.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void EndClearing()
    {
        TrimExcess();
        if (_snapshots.IsSnapshotted)
        {
            Volatile.Write(ref _endsInterningLater, true);
            return;
        }
        // Without readers the shared strings are gone when this returns.
        Strings.ResetInterning(_stringCompaction);
        for (int i = 0; i < InternedStrings.ResetGraces; i++) Reclaimer.AdvanceTwice();
    }

    /// <summary>Gives blocks without rows back, two epochs later.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void TrimExcess()
    {
        ThrowIfDisposed();
        if (_emptyBlocks.Retire(includeUnused: true, includeActive: true) > 0) Reclaimer.AdvanceTwice();
    }

    /// <summary>
    /// Moves the rows of sparse blocks together and gives back the blocks that are empty then, while others read, write, add and remove.
    /// See docs/compaction.md.
    /// </summary>
    /// <remarks>
    /// Readers never wait for it, writers while their row is being moved; a scan that arrives while a group of blocks is on the move moves
    /// what is left of it, some 40 ns a row. It waits itself for the critical sections that began before it. O(rows in sparse blocks).
    /// </remarks>
    /// <param name="options">What counts as sparse, and when to give up; the defaults if null.</param>
    /// <param name="cancellationToken">Ends the compaction early; that is no error, see <see cref="CompactionResult.IsComplete"/>.</param>
    /// <returns>What was done. Whatever that is, the collection is whole.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section, which the compaction would wait for.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">There is no memory for one block to move rows to. What was done before stays.</exception>
    public CompactionResult Compact(CompactionOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new CompactionOptions();
        CompactionOptions.Validate(options);
        ThrowIfDisposed();
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Compact waits for critical sections to end; it cannot be called inside one.");
        return _compaction.Run(options, cancellationToken);
    }

    /// <summary>
    /// Gives string memory back to the system: the strings in segments that are mostly free are copied together, in the order of the rows, and
    /// the segments are unmapped when no reader can be at them, which is at once if there are no readers.
    /// </summary>
    /// <remarks>
    /// Rows may be added, read, changed and removed meanwhile; nobody waits. Chunks do not know their row, so all rows are walked twice: a few nanoseconds
    /// for each string, a quarter of a microsecond for each that is moved.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public StringCompactionResult CompactStrings(CancellationToken cancellationToken = default)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Strings are compacted outside of critical sections: it would wait for the caller's own.");
        ThrowIfDisposed();
        return _stringCompaction.Compact(cancellationToken);
    }

    /// <summary>
    /// Asks, inside the section in which the scan took <see cref="Blocks"/>, whether it may renew that section between two blocks and still
    /// see every row that stays exactly once. If so <see cref="EndRenewing"/> follows at the end of the scan. Blocks that hold no rows may
    /// leave meanwhile: after each renewal the scan looks whether its blocks are still in <see cref="Blocks"/>.
    /// </summary>
    /// <returns>False while rows are being moved; the scan then stays in its one section, for whose end the compaction waits.</returns>
    public bool TryBeginRenewing() => _gate.TryBeginRenewing();

    /// <summary>The scan is over.</summary>
    public void EndRenewing() => _gate.EndRenewing();

    /// <summary>Makes additions, removals and changes maintain an index: those in sections that begin from here on; <see cref="AwaitGrace"/> waits for the others.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void AddIndex(RowIndex index)
    {
        ArgumentNullException.ThrowIfNull(index);
        _indexes.Add(index);
    }

    /// <summary>Waits for the end of all sections that are open now, of all threads.</summary>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void AwaitGrace(CancellationToken cancellationToken)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("An index is created outside of initialisers and critical sections: it would wait for the caller's own.");
        // What the caller has stored is visible before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        long end = GlobalEpoch.Now + Epoch.Grace;
        EpochWait wait = new(null, new CompactionPatience(null, null, cancellationToken));
        while (GlobalEpoch.Now < end)
        {
            if (!wait.TryWait()) cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>The handle of the row that has an id in one of its lives.</summary>
    public ulong HandleOf(uint id, uint incarnation) => _entries.Of(id).HandleWith(incarnation);

    /// <summary>Takes the stripe of a row, if the collection has indexes.</summary>
    /// <returns>The row's dense id.</returns>
    /// <safety>The caller saw <see cref="Indexes"/> not null in its critical section, and the handle is one of this collection.</safety>
    public uint EnterStripe(ulong handle)
    {
        uint id = _entries.IdOf(EntryRef.Of(handle));
        _indexes.Enter(id);
        return id;
    }

    /// <summary>Leaves the stripe that <see cref="EnterStripe"/> took, and counts what the index replaced meanwhile as garbage.</summary>
    public void ExitStripe(uint id) => _indexes.Exit(id);

    /// <summary>Whether enumerations see the row at a location: it is not a draft.</summary>
    /// <safety>The caller is inside the critical section in which it got the location.</safety>
    public static bool IsVisible(RowLocation location) => IndexTable.IsVisible(location);

    /// <summary>Sees to it that a block may be written until the caller's window ends: if a snapshot needs it as it is, it gets a successor, to which its rows' entries lead.</summary>
    /// <remarks>A location found before may be that of the old version. O(1), or the copy of a block (some 100 µs).</remarks>
    /// <safety>The caller is inside a <see cref="WriteWindow"/>, and inside the critical section in which it got the block.</safety>
    public void Prepare(BlockRef block) => Versions.Prepare(block);

    /// <summary>
    /// Ends the collection: its rows are dead from here on. Does not wait for readers; the memory goes back when the last of them that is
    /// inside a critical section now has left it and the epoch has moved on twice.
    /// </summary>
    public void Dispose()
    {
        if (!_life.TryEnd()) return;
        ProtocolSteps.Reach(ProtocolStep.DisposeMarked);
        _allocator.Clear();
        BlockList blocks;
        lock (_life.Lock)
        {
            blocks = _store.TakeAll();
            Versions.Clear();
        }
        using (CriticalSection.Enter()) _removal.EndRowsOf(blocks, keepSlots: false);
        RangeRegistry.Unregister(_entries.Range);
        RetiredContext rest = new(this, blocks);
        // A compaction that is at work on the blocks retires them when it ends, which it does at once.
        lock (_life.Lock)
        {
            if (_compaction.TryLeaveRest(rest)) return;
        }
        _departures.Retire(rest);
        Reclaimer.AdvanceTwice();
    }

    /// <summary>Compacts as the collection's options say.</summary>
    /// <returns>False if it should be tried again.</returns>
    internal bool TryCompactInBackground(TimeSpan patience)
    {
        try
        {
            return Compact(new CompactionOptions { Occupancy = _compactionOccupancy, TimeLimit = patience, IncludeActive = false }).IsComplete;
        }
        catch (OutOfMemoryException)
        {
            // Off the heap or on it.
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    internal void HoldAdditions(bool hold) => Volatile.Write(ref _holdsAdditions, hold);

    /// <summary>Memory of an index waits for readers: <see cref="ExitStripe"/>, or the removal of a row, moves the epoch on in time.</summary>
    internal void NoteIndexGarbage(long bytes) => _indexes.NoteGarbage(bytes);

    internal void RemoveIndex(RowIndex index) => _indexes.Remove(index);

    /// <summary>An index that was dropped has given its memory back.</summary>
    internal void Forget(RowIndex index) => _indexes.Forget(index);

    /// <summary>What a snapshot has of this collection.</summary>
    /// <safety>The caller is inside a critical section, and no window is open.</safety>
    internal MemorySnapshot.Part NotePart() => new(this, Blocks, Count);

    /// <summary>The last snapshot has ended, and no window is open in which a thread still copies for one.</summary>
    internal void EndSnapshots() => Versions.End(_gate);

    /// <summary>Does what had to wait for the end of the snapshots.</summary>
    internal void DoPostponed()
    {
        if (IsDisposed) return;
        bool trims = _emptyBlocks.WasPostponed(), endsInterning = Interlocked.Exchange(ref _endsInterningLater, false);
        try
        {
            if (trims) _emptyBlocks.Retire(includeUnused: false, includeActive: true);
            if (endsInterning && _stringCompaction.IsEmpty) Strings.ResetInterning(_stringCompaction);
        }
        catch (ObjectDisposedException)
        {
            // Meanwhile.
        }
        Reclaimer.AdvanceTwice();
    }

    /// <summary>Has a thread of the pool make blocks ready for the first writes: to copy into fresh pages takes fifty times as long.</summary>
    internal void TouchSpares()
    {
        if (Manager.Options.Limit is { } limit && Manager.MappedBytes > limit / 2) return;
        Versions.TouchSpares();
    }

    // Outside of any section and without a lock, so that nobody waits for the one who waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WaitForReaders()
    {
        bool isInside = Epoch.IsInsideSection;
        while (true)
        {
            // What waits may need no more than that somebody moves the epoch on.
            Reclaimer.AdvanceTwice();
            GarbageMonitor.Look();
            if (ClosedGate is not { } gate || IsDisposed) return;
            if (gate.IsOverdue) throw gate.Refuse(Epoch.OldestReader, isInside);
            if (isInside) return;
            Thread.Sleep(1);
        }
    }

    private GarbageGate? ClosedGate => Gate.IsClosed ? Gate : Manager.Gate.IsClosed ? Manager.Gate : null;

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(IsDisposed, this);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RequireOwn(ulong handle)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (!Owns(handle)) ThrowForeign(handle);
    }

    [DoesNotReturn]
    private void ThrowForeign(ulong handle)
    {
        string owner = Find(handle) is { } other ? $"the collection {other.Name}" : "no collection that exists";
        throw new ArgumentException($"The row belongs to {owner}, not to {Name}.", nameof(handle));
    }

    // Runs two epochs after Dispose, when the blocks are freed.
    private void FreeTheRest()
    {
        foreach (BlockRef target in _formation.UnlistedTargets) _store.Free(target);
        _indexes.Release();
        Retired.Release();
        Strings.Release();
        _entries.Release();
        Manager.Remove(this);
    }

    /// <summary>The memory of a disposed collection. A block is one piece.</summary>
    private sealed class RetiredContext(MemoryContext context, BlockList blocks) : RetiredMemory
    {
        private int _freed;

        public override IEnumerable<BlockRef> Blocks => [.. Enumerable.Range(0, blocks.Count).Select(i => blocks[i]), .. context._formation.UnlistedTargets];

        public override bool ReleaseSome(ref int pieces)
        {
            if (_freed == 0)
            {
                // Blocks that left before are freed first, whatever the order of the policy: they need entries and strings.
                if (!context._departures.IsLast)
                {
                    context.Reclaimer.Retire(this);
                    return true;
                }
                if (context.Referrers.Await(this)) return true;
            }
            for (; _freed < blocks.Count; _freed++, pieces--)
            {
                if (pieces <= 0) return false;
                context._store.Free(blocks[_freed]);
            }
            context.FreeTheRest();
            pieces--;
            MemoryEventSource.Log.BlocksFreed(context.Name, blocks.Count, (long)blocks.Count * context.Layout.BlockBytes);
            return true;
        }
    }
}
