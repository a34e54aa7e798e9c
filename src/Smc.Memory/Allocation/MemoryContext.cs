using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Garbage;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>
/// The blocks, entries and strings of one collection, as parts. Rows are added in two steps (<see cref="RowAllocator.Allocate"/>, write, <see cref="RowPublisher.Publish(in RowSlot)"/>)
/// and removed in one; both may happen from any thread at any time, while others read.
/// </summary>
/// <remarks>
/// A context lives until it or its manager is disposed, whether anybody still refers to it or not: handles do not keep it alive, but they
/// may be all that is left of it.
/// It makes the parts in the order in which they need each other, and ends them; what they promise stands at the top of each. None calls the context, and whoever needs a part takes that part.
/// Locks, in the order in which they are taken: the lock of a repair of direct references, the compaction gate, what indexes take (RowStripes), the latches of cursors, the collection's lock
/// (<see cref="CollectionLife.Lock"/>), the locks of pool and budget.
/// None but the gate is held
/// while user code runs, while a row is written or while the epoch is advanced.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MemoryContext : IDisposable
{
    private readonly CollectionLife _life;
    private readonly Departures _departures;
    private readonly GroupFormation _formation;
    private readonly LiveCounters _counters = new();
    private readonly CollectionUsage _usage;

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
        Reclaimer reclaimer = manager.Reclaimer;
        int slots = options.BlockCapacity ?? layout.Capacity;
        int queueAt = Math.Max(1, (int)Math.Ceiling(options.LimboThreshold * slots));
        int sparseAt = options.CompactionOccupancy == 0 ? int.MaxValue : slots - (int)(options.CompactionOccupancy * slots);
        SnapshotMarks snapshots = new();
        _life = new CollectionLife(name);
        Garbage = new GarbageGate(options.Garbage, name);
        AdditionGate = new AdditionGate(_life, Garbage, manager.Gate, reclaimer);
        CompactionGate = new CompactionGate();
        _departures = new Departures(reclaimer, CompactionGate);
        Strings = new StringHeap(manager.Budget, reclaimer, layout, options);
        References = ReferenceColumn.Of(layout);
        Entries = new EntryTable(_life, manager, _departures, Math.Max(options.MaxRows, slots), options.IncarnationBits);
        Retired = new RetiredRows(Entries, manager, layout.BytesPerRow);
        RowCleaner cleaner = new(layout, Strings, Retired);
        Indexes = new IndexSet(_life, Entries, reclaimer);
        Store = new BlockStore(_life, layout, Entries, manager.Arenas, _departures, slots, queueAt);
        Referrers = new ReferrersToRows(_departures, reclaimer);
        DirectTargets = new DirectTargets(_life, CompactionGate, Store, Retired);
        Allocator = new RowAllocator(_life, Store, Entries, cleaner, snapshots, Referrers, reclaimer);
        StaleCodes = new StaleCodes(this, Store, areRewritten: options.CompactionOccupancy > 0);
        SparseBlocks sparse = new(this, Store, sparseAt, options.BackgroundCompactionBytes);
        Removal = new RowRemoval(Store, Entries, Indexes, _counters, Retired, sparse, reclaimer);
        Versions = new BlockVersions(this, _life, Store, Entries, Allocator, Retired, snapshots, _departures, Referrers, Strings);
        Publisher = new RowPublisher(_life, Entries, Versions, Indexes, _counters, Allocator, Removal, cleaner, References);
        Retirement = new RowRetirement(_life, Entries, Indexes, _counters, Retired, Removal, reclaimer, layout.BytesPerRow);
        StringCompaction = new StringCompaction(_life, CompactionGate, Store, Strings, cleaner, _counters, Retired, snapshots, reclaimer);
        _formation = new GroupFormation(_life, Store, Entries, Allocator, cleaner, _departures, Referrers, snapshots, CompactionGate, Retired);
        EmptyBlocks emptyBlocks = new(_life, Store, Entries, Allocator, cleaner, Strings, _departures, Referrers, snapshots);
        Clearing = new RowClearing(_life, Store, Removal, Retired, emptyBlocks, snapshots, Strings, StringCompaction, reclaimer);
        EntryPacking? packing = options.PackEntries && PackedEntries.IsSupported ? new(_life, Entries, _departures, Referrers, snapshots, reclaimer) : null;
        Compaction = new CollectionCompaction(
            this, _life, CompactionGate, new CodeRewriting(Store, snapshots, StaleCodes), _formation, emptyBlocks, Entries, packing, StringCompaction, _departures, Referrers, snapshots, reclaimer, options.CompactionOccupancy);
        _usage = new CollectionUsage(Store, Entries, Retired, Indexes, Versions, Strings, _departures, _counters);
        RangeRegistry.Register(Entries.Range, this);
        try
        {
            manager.Add(this);
        }
        catch (ObjectDisposedException)
        {
            RangeRegistry.Unregister(Entries.Range);
            RangeRegistry.Return(Entries.Range);
            throw;
        }
    }

    /// <summary>Name of the collection.</summary>
    public string Name => _life.Name;

    /// <summary>Arrangement of the rows.</summary>
    public BlockLayout Layout { get; }

    /// <summary>The manager that the memory belongs to.</summary>
    public MemoryManager Manager { get; }

    /// <summary>True from the beginning of <see cref="Dispose"/> on.</summary>
    public bool IsDisposed => _life.IsDisposed;

    /// <summary>Throws if the collection was disposed.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfDisposed() => _life.ThrowIfDisposed();

    /// <summary>Rows that are not retired; exact when nobody is adding, retiring or removing.</summary>
    public long Count => _counters.Live;

    /// <summary>Rows removed or retired since the context was made.</summary>
    public long Removals => _counters.Gone;

    /// <summary>
    /// Whether a dense id may have stood for another row before: one that was removed, or one of an earlier collection whose entries this one has. Then a reference does not tell by its dense id alone which row it
    /// leads to.
    /// </summary>
    public bool HasReusedIds => _counters.Gone != 0 || Entries.HadTenants;

    /// <summary>Rows that are retired and not reclaimed; exact when nobody retires or removes.</summary>
    public long RetiredRows => Retired.Count;

    /// <summary>
    /// The blocks at this moment: every row is in exactly one of them. Their addresses are good inside the critical section in which the list
    /// is read; an enumeration in several sections takes a <see cref="BlockRoute"/>.
    /// </summary>
    /// <remarks>While a compaction moves a group of blocks this waits until it has, some microseconds up to a millisecond.</remarks>
    public BlockList Blocks => Store.List.Decide();

    /// <summary>Every dense id in use is below this. It grows while others add.</summary>
    public long EntryLimit
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            return Store.EntryLimit;
        }
    }

    /// <summary>Bytes by what they are used for.</summary>
    public MemoryUsage Usage => _usage.Bytes;

    /// <summary>
    /// Bytes of removed rows, replaced strings and old blocks that a reader may still be at. Exact when nobody is at work. Limbo that can be
    /// re-used is not counted, nor are strings of removed rows, which are freed when their place is re-used. Rows removed just before their
    /// block was given up count twice.
    /// </summary>
    public long GarbageBytes => _usage.Garbage;

    /// <summary>The strings of the rows.</summary>
    public StringHeap Strings { get; }

    /// <summary>The entries of the rows.</summary>
    public EntryTable Entries { get; }

    /// <summary>The section of an addition.</summary>
    public AdditionGate AdditionGate { get; }

    /// <summary>Places for rows.</summary>
    public RowAllocator Allocator { get; }

    /// <summary>Rows that come to life.</summary>
    public RowPublisher Publisher { get; }

    /// <summary>The end of a row.</summary>
    public RowRemoval Removal { get; }

    /// <summary>How rows are retired, and reclaimed.</summary>
    public RowRetirement Retirement { get; }

    /// <summary>The end of all rows.</summary>
    public RowClearing Clearing { get; }

    /// <summary>The indexes of the collection.</summary>
    public IndexSet Indexes { get; }

    /// <summary>To whom rows refer directly.</summary>
    public DirectTargets DirectTargets { get; }

    /// <summary>Who moves rows, and who minds.</summary>
    public CompactionGate CompactionGate { get; }

    /// <summary>Compactions of the rows.</summary>
    public CollectionCompaction Compaction { get; }

    /// <summary>Compactions of the strings.</summary>
    public StringCompaction StringCompaction { get; }

    /// <summary>Which blocks there are.</summary>
    internal BlockStore Store { get; }

    /// <summary>How many columns have unknown codes.</summary>
    internal StaleCodes StaleCodes { get; }

    /// <summary>Where the garbage stands between the marks of the collection.</summary>
    internal GarbageGate Garbage { get; }

    /// <summary>Where rows keep references.</summary>
    internal ReferenceColumn[] References { get; }

    /// <summary>Which rows are retired.</summary>
    internal RetiredRows Retired { get; }

    /// <summary>What snapshots keep of the blocks.</summary>
    internal BlockVersions Versions { get; }

    /// <summary>The collections whose rows refer directly to rows of this one.</summary>
    internal ReferrersToRows Referrers { get; }

    /// <summary>The collection that made a handle, alive or not; null for 0 and when the collection is gone.</summary>
    public static MemoryContext? Find(ulong handle) => EntryRef.Of(handle).Context is { } context && context.Entries.Owns(handle) ? context : null;

    /// <summary>
    /// Ends the collection: its rows are dead from here on. Does not wait for readers; the memory goes back when the last of them that is
    /// inside a critical section now has left it and the epoch has moved on twice.
    /// </summary>
    public void Dispose()
    {
        if (!_life.TryEnd()) return;
        ProtocolSteps.Reach(ProtocolStep.DisposeMarked);
        Allocator.Clear();
        BlockList blocks;
        lock (_life.Lock)
        {
            blocks = Store.TakeAll();
            Versions.Clear();
        }
        using (CriticalSection.Enter()) Removal.EndRowsOf(blocks, keepSlots: false);
        RangeRegistry.Unregister(Entries.Range);
        RetiredContext rest = new(this, blocks);
        // A compaction that is at work on the blocks retires them when it ends, which it does at once.
        lock (_life.Lock)
        {
            if (Compaction.TryLeaveRest(rest)) return;
        }
        _departures.Retire(rest);
        Manager.Reclaimer.AdvanceTwice();
    }

    // Runs two epochs after Dispose, when the blocks are freed.
    private void FreeTheRest()
    {
        foreach (BlockRef target in _formation.UnlistedTargets) Store.Free(target);
        Indexes.Release();
        Retired.Release();
        Strings.Release();
        Entries.Release();
        DirectTargets.Leave();
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
                    context.Manager.Reclaimer.Retire(this);
                    return true;
                }
                if (context.Referrers.Await(this)) return true;
            }
            for (; _freed < blocks.Count; _freed++, pieces--)
            {
                if (pieces <= 0) return false;
                context.Store.Free(blocks[_freed]);
            }
            context.FreeTheRest();
            pieces--;
            MemoryEventSource.Log.BlocksFreed(context.Name, blocks.Count, (long)blocks.Count * context.Layout.BlockBytes);
            return true;
        }
    }
}
