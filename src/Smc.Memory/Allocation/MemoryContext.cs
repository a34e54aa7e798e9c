using System.ComponentModel;
using System.Numerics;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Garbage;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>
/// The blocks, entries and strings of one collection. Rows are added in two steps (<see cref="Allocate"/>, write, <see cref="Publish(in RowSlot)"/>)
/// and removed in one; both may happen from any thread at any time, while others read.
/// </summary>
/// <remarks>
/// A context lives until it or its manager is disposed, whether anybody still refers to it or not: handles do not keep it alive, but they
/// may be all that is left of it.
/// Locks, in the order in which they are taken: the lock of a repair of direct references, the compaction gate, what indexes take (RowStripes), the latches of cursors, the context's lock, the locks of pool and budget.
/// None but the gate is held
/// while user code runs, while a row is written or while the epoch is advanced.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class MemoryContext : IDisposable
{
    private const int MaxCursors = 16;

    private readonly MemoryManager _manager;
    private readonly Lock _lock = new();
    private readonly EntryRange _range;
    private readonly DenseIds _ids;
    private readonly BlockQueue _queue = new();
    private readonly Queue<ulong> _unused = new();
    private readonly LiveCounters _counters = new();
    private readonly RowCleaner _cleaner;
    private readonly uint _maxIncarnation;
    private readonly int _slotsPerBlock;
    private readonly int _queueAt;
    private readonly int _sparseAt;
    private readonly int _firstMark;
    private readonly double _compactionOccupancy;
    private readonly bool _packsEntries;
    private readonly long _backgroundBytes;

    private AllocationCursor[] _cursors = [new()];
    private BlockList _blocks = BlockList.Empty();
    private ulong _tail;
    private long _highestIncarnation;
    private long _wornOut;
    private long _leavingBytes;
    private int _retired;
    private int _disposed;

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
        _manager = manager;
        Layout = layout;
        Name = name;
        Gate = new GarbageGate(options.Garbage, name);
        Reclaimer = manager.Reclaimer;
        Strings = new StringHeap(manager.Budget, manager.Reclaimer, layout, options);
        References =
        [
            .. layout.Columns.ToArray().Where(static column => column.Storage is ColumnStorage.Reference or ColumnStorage.DirectReference).Select(RowField.Of),
        ];
        _cleaner = new RowCleaner(layout, Strings, this);
        _slotsPerBlock = options.BlockCapacity ?? layout.Capacity;
        _queueAt = Math.Max(1, (int)Math.Ceiling(options.LimboThreshold * _slotsPerBlock));
        _compactionOccupancy = options.CompactionOccupancy;
        _packsEntries = options.PackEntries && PackedEntries.IsSupported;
        _backgroundBytes = options.BackgroundCompactionBytes;
        _sparseAt = _compactionOccupancy == 0 ? int.MaxValue : _slotsPerBlock - (int)(_compactionOccupancy * _slotsPerBlock);
        _firstMark = Math.Min(_queueAt, _sparseAt);
        _range = RangeRegistry.Take(EntryRange.BytesFor(Math.Max(options.MaxRows, _slotsPerBlock)), manager.Reclaimer);
        _highestIncarnation = _range.FirstIncarnation;
        // A narrow width counts from where the range begins, which an earlier tenant may have moved up.
        uint lives = (1u << options.IncarnationBits) - 1;
        _maxIncarnation = Math.Min(Handle.MaxIncarnation, _range.FirstIncarnation - 1 + lives);
        PackedEntries = new PackedEntries(_range, _maxIncarnation, manager.Budget, Retire);
        _ids = new DenseIds(_range, _range.Bytes / EntryWord.SizeInBytes, _maxIncarnation, PackedEntries, manager.Budget, name);
        RangeRegistry.Register(_range, this);
        try
        {
            manager.Add(this);
        }
        catch (ObjectDisposedException)
        {
            RangeRegistry.Unregister(_range);
            RangeRegistry.Return(_range);
            throw;
        }
    }

    /// <summary>Name of the collection.</summary>
    public string Name { get; }

    /// <summary>Arrangement of the rows.</summary>
    public BlockLayout Layout { get; }

    /// <summary>The manager that the memory belongs to.</summary>
    public MemoryManager Manager => _manager;

    /// <summary>The strings of the rows.</summary>
    public StringHeap Strings { get; }

    /// <summary>True from the beginning of <see cref="Dispose"/> on.</summary>
    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>Rows; exact when nobody is adding or removing.</summary>
    public long Count => Math.Max(0, _counters.Live - RetiredRows);

    /// <summary>Rows, retired ones among them.</summary>
    internal long LiveRows => _counters.Live;

    /// <summary>Rows removed since the context was made, and those that are retired.</summary>
    public long Removals => _counters.Removed + RetiredRows;

    /// <summary>
    /// The blocks at this moment: every row is in exactly one of them. Their addresses are good inside the critical section in which the list
    /// is read; an enumeration in several sections takes a <see cref="BlockRoute"/>.
    /// </summary>
    /// <remarks>While a compaction moves a group of blocks this waits until it has, some microseconds up to a millisecond.</remarks>
    public BlockList Blocks => BlocksNow.Decide();

    /// <summary>Address of the entry with dense id 0.</summary>
    public ulong EntryBase => _range.Base;

    /// <summary>Every dense id in use is below this. It grows while others add.</summary>
    public unsafe long EntryLimit
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            ulong tail = Volatile.Read(ref _tail);
            // The newest block has the highest ids, of which only those of used slots count, unless a single id was taken since.
            // SAFETY: a block that leaves stops being the tail first, and stays mapped until this section ends.
            return tail == 0 ? _ids.Taken : BlockHeader.Prefix(tail)->FirstId + (long)BlockHeader.SlotCount(tail);
        }
    }

    /// <summary>Entries that no row can use any more because their incarnations are used up.</summary>
    public long WornOutEntries => Volatile.Read(ref _wornOut);

    /// <summary>Bytes by what they are used for.</summary>
    public unsafe MemoryUsage Usage
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            BlockList blocks = BlocksNow;
            long slots = (long)blocks.Count * _slotsPerBlock;
            long used = 0, limbo = 0;
            for (int i = 0; i < blocks.Count; i++)
            {
                // SAFETY: blocks of the list stay mapped until this section ends.
                used += BlockHeader.SlotCount(blocks[i]);
                limbo += Volatile.Read(ref BlockHeader.Prefix(blocks[i])->Limbo);
            }
            long row = Layout.BytesPerRow;
            long mappedBlocks = (long)blocks.Count * Layout.BlockBytes;
            long leaving = Volatile.Read(ref _leavingBytes);
            long entries = PackedEntries.MappedBytes;
            long indexes = IndexBytes;
            long snapshots = SnapshotBytes, held = Strings.HeldBytes;
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

    /// <summary>The blocks that belong to the collection, those that a compaction is emptying among them: no list to look for rows in.</summary>
    internal BlockList BlocksNow => Volatile.Read(ref _blocks);

    internal uint FirstIncarnation => _range.FirstIncarnation;

    /// <summary>Frees what this context retires.</summary>
    internal Reclaimer Reclaimer { get; }

    /// <summary>The entries that are not in their places.</summary>
    internal PackedEntries PackedEntries { get; }

    /// <summary>The collection that made a handle, alive or not; null for 0 and when the collection is gone.</summary>
    public static MemoryContext? Find(ulong handle) => RangeRegistry.Find(Handle.EntryAddress(handle)) is { } context && context.Owns(handle) ? context : null;

    /// <summary>True if the handle, alive or not, was made by this context. False for 0.</summary>
    /// <remarks>A range serves one collection after the other: handles of earlier ones have lower incarnations.</remarks>
    public bool Owns(ulong handle) =>
        Handle.EntryAddress(handle) - _range.Base < (ulong)_ids.Taken * EntryWord.SizeInBytes && Handle.Incarnation(handle) >= _range.FirstIncarnation;

    private static int CursorCount => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxCursors));
}
