using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Garbage;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Regions;

namespace Smc.Memory;

/// <summary>
/// Owns the memory of a group of collections, with a limit and a garbage budget that they share.
/// Most programs need only <see cref="Default"/>.
/// </summary>
public sealed class MemoryManager : IDisposable
{
    private readonly Lock _lock = new();
    private MemoryContext[] _contexts = [];
    private SliceHeap[] _heaps = [];
    private bool _disposed;

    /// <summary>Creates a manager.</summary>
    /// <exception cref="ArgumentException">The limit or a mark of the garbage budget is out of range.</exception>
    public MemoryManager(MemoryManagerOptions? options = null)
        : this(options ?? new MemoryManagerOptions(), policy: null)
    {
    }

    /// <summary>Makes a manager with a policy that has no name in <see cref="ReclamationMethod"/>.</summary>
    internal MemoryManager(MemoryManagerOptions options, ReclamationPolicy? policy)
    {
        Options = options;
        if (Options.Limit is < 0) throw new ArgumentOutOfRangeException(nameof(options), Options.Limit, "Limit is a number of bytes, or null for none.");
        ArgumentNullException.ThrowIfNull(Options.Garbage, nameof(options));
        GarbageBudget.Validate(Options.Garbage);
        ArgumentNullException.ThrowIfNull(Options.Retired, nameof(options));
        RetireBudget.Validate(Options.Retired);
        RetiredRowBytes = new RetiredBytes(this, Options.Retired);
        Budget = new MemoryBudget(Options.Limit);
        Arenas = new ArenaPool(Budget);
        RegionChunks = new RegionChunkCache(Budget);
        Budget.Relieve = () => RegionChunks.Trim() || Arenas.Trim();
        Gate = new GarbageGate(Options.Garbage, Name);
        Reclaimer = new Reclaimer(policy ?? ReclamationPolicy.Of(Options.Reclamation));
        ManagerRegistry.Add(this);
        GarbageMonitor.Adjust();
        MemoryMeter.Start();
    }

    /// <summary>The manager of collections that are created without one. It lives as long as the process.</summary>
    public static MemoryManager Default { get; } = new(new MemoryManagerOptions { Name = "default" });

    /// <summary>The name in messages and metrics.</summary>
    public string Name => Options.Name;

    /// <summary>The options that the manager was made with.</summary>
    public MemoryManagerOptions Options { get; }

    /// <summary>
    /// The memory of all collections in bytes, by use, including disposed collections that wait for readers. The parts add up to
    /// <see cref="MemoryUsage.Mapped"/> when no thread is working.
    /// </summary>
    public MemoryUsage Usage
    {
        get
        {
            MemoryUsage usage = SharedUsage;
            foreach (MemoryContext context in Contexts) usage += context.Usage;
            foreach (SliceHeap heap in SliceHeaps) usage += heap.Usage;
            return usage;
        }
    }

    /// <summary>
    /// The oldest reader of the process, or null if no reader holds memory back. Readers belong to threads, not to
    /// managers: one reader holds back the garbage of all managers.
    /// </summary>
    public static StalledReader? OldestReader => Epoch.OldestReader;

    /// <summary>Bytes of removed rows, replaced strings and old blocks of all collections and heaps that a reader may still be reading; see <see cref="GarbageBudget"/>.</summary>
    public long GarbageBytes
    {
        get
        {
            long garbage = 0;
            foreach (MemoryContext context in Contexts) garbage += context.GarbageBytes;
            foreach (SliceHeap heap in SliceHeaps) garbage += heap.GarbageBytes;
            return garbage;
        }
    }

    /// <summary>Bytes of retired rows, and of reclaimed ones that a reader may still be at, without strings; see <see cref="RetireBudget"/>.</summary>
    public long RetiredBytes => RetiredRowBytes.Now;

    /// <summary>Bytes obtained from the system and not returned yet. The limit applies to them.</summary>
    public long MappedBytes => Budget.Mapped;

    /// <summary>The part of <see cref="Usage"/> that belongs to no collection.</summary>
    internal MemoryUsage SharedUsage
    {
        get
        {
            long free = Arenas.FreeBytes, regions = RegionChunks.MappedBytes;
            return new MemoryUsage { Free = free, Regions = regions, Mapped = free + regions };
        }
    }

    /// <summary>The collections at this moment, with disposed ones whose memory waits for readers. Not changed afterwards.</summary>
    internal MemoryContext[] Contexts => Volatile.Read(ref _contexts);

    /// <summary>The heaps of slices at this moment, with disposed ones whose memory waits for readers. Not changed afterwards.</summary>
    internal SliceHeap[] SliceHeaps => Volatile.Read(ref _heaps);

    internal GarbageGate Gate { get; }

    /// <summary>Keeps the bytes of retired rows below the marks.</summary>
    internal RetiredBytes RetiredRowBytes { get; }

    /// <summary>What keeps retired rows, beside references that are stored in rows.</summary>
    internal RowRoots Roots { get; } = new();

    internal bool IsDisposed => Volatile.Read(ref _disposed);

    internal MemoryBudget Budget { get; }

    internal ArenaPool Arenas { get; }

    internal RegionChunkCache RegionChunks { get; }

    internal Reclaimer Reclaimer { get; }

    /// <summary>Returns memory that is kept for the next query to the system.</summary>
    public void TrimExcess() => RegionChunks.Trim();

    /// <summary>
    /// Reclaims the retired rows of the manager's collections that no stored reference leads to from a row that is not retired, cycles of retired rows included. Others may read and
    /// write meanwhile. O(references in all collections + retired rows).
    /// </summary>
    /// <remarks>
    /// A reference counts if it is stored in a row of this manager, or is a root. A handle in a variable does not count; if it is stored while the scan is at work, its row
    /// stays. The call waits for the write groups that are open. One scan runs at a time; a second call waits and then runs its own.
    /// </remarks>
    /// <param name="timeLimit">When to give up, or null. Then nothing is reclaimed.</param>
    /// <param name="progress">Is told how far the scan is, on the calling thread.</param>
    /// <param name="cancellationToken">Ends it early. Then nothing is reclaimed, and the result says so.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time limit is negative.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a write group or a critical section.</exception>
    /// <exception cref="OffHeapMemoryException">The limit leaves no memory for some bits a row. Then nothing is reclaimed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled before it was this scan's turn.</exception>
    public ScanResult CollectRetired(TimeSpan? timeLimit = null, IProgress<ScanProgress>? progress = null, CancellationToken cancellationToken = default) =>
        ReachabilityScan.Run(this, timeLimit, progress, cancellationToken);

    /// <summary>As <see cref="CollectRetired"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="CollectRetired" path="/param|/exception"/>
    public Task<ScanResult> CollectRetiredAsync(TimeSpan? timeLimit = null, IProgress<ScanProgress>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => CollectRetired(timeLimit, progress, cancellationToken), cancellationToken);

    /// <summary>
    /// Looks, on a thread of the pool, for references to rows that are gone, for retired rows that no stored reference leads to, and for cycles among these, as <see cref="CollectRetired"/> does,
    /// and changes nothing. What others change meanwhile is seen or not. It takes native memory, charged to the manager's limit: what a scan takes, and 24 bytes for each row that nothing leads to.
    /// </summary>
    /// <param name="progress">Is told how far it is, on that thread.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <exception cref="OffHeapMemoryException">The limit leaves no memory for that. <see cref="CollectRetired"/> needs less.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<ReferenceReport> VerifyReferencesAsync(IProgress<ScanProgress>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => ReachabilityScan.Verify(this, progress, cancellationToken), cancellationToken);

    /// <summary>Disposes the collections and heaps of the manager. <see cref="Default"/> cannot be disposed.</summary>
    /// <exception cref="InvalidOperationException">This is the default manager.</exception>
    public void Dispose()
    {
        if (ReferenceEquals(this, Default)) throw new InvalidOperationException("The default memory manager cannot be disposed.");
        lock (_lock) _disposed = true;
        foreach (MemoryContext context in Contexts) context.Dispose();
        foreach (SliceHeap heap in SliceHeaps)
        {
            heap.Owner?.Dispose();
            heap.Dispose();
        }
        RegionChunks.Close();
        GarbageMonitor.Adjust();
    }

    internal void Add(MemoryContext context)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            Volatile.Write(ref _contexts, [.. _contexts, context]);
        }
        GarbageMonitor.Adjust();
    }

    internal void Remove(MemoryContext context)
    {
        lock (_lock) Volatile.Write(ref _contexts, Array.FindAll(_contexts, other => other != context));
        GarbageMonitor.Adjust();
    }

    internal void Add(SliceHeap heap)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            Volatile.Write(ref _heaps, [.. _heaps, heap]);
        }
    }

    /// <summary>Counts a heap that was part of a collection, until it is gone.</summary>
    internal void Adopt(SliceHeap heap)
    {
        lock (_lock)
        {
            if (heap.MappedBytes > 0) Volatile.Write(ref _heaps, [.. _heaps, heap]);
        }
    }

    internal void Remove(SliceHeap heap)
    {
        lock (_lock) Volatile.Write(ref _heaps, Array.FindAll(_heaps, other => other != heap));
    }
}
