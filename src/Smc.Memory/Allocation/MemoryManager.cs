using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Regions;

namespace Smc.Memory;

/// <summary>
/// Owns the memory of a group of collections: the arenas their blocks are cut from, the limit they share, the chunks that queries use.
/// Most programs need only <see cref="Default"/>.
/// </summary>
public sealed class MemoryManager : IDisposable
{
    private readonly Lock _lock = new();
    private readonly List<MemoryContext> _contexts = [];
    private bool _disposed;

    /// <summary>Makes a manager.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    public MemoryManager(MemoryManagerOptions? options = null)
    {
        Options = options ?? new MemoryManagerOptions();
        if (Options.Limit is < 0) throw new ArgumentOutOfRangeException(nameof(options), Options.Limit, "The limit is negative.");
        Budget = new MemoryBudget(Options.Limit);
        Arenas = new ArenaPool(Budget);
        RegionChunks = new RegionChunkCache(Budget);
        Budget.Relieve = RegionChunks.Trim;
        ManagerRegistry.Add(this);
        MemoryMeter.Start();
    }

    /// <summary>The manager that collections belong to unless they are told otherwise. It lives as long as the process.</summary>
    public static MemoryManager Default { get; } = new(new MemoryManagerOptions { Name = "default" });

    /// <summary>The name in messages and metrics.</summary>
    public string Name => Options.Name;

    /// <summary>The options that the manager was made with.</summary>
    public MemoryManagerOptions Options { get; }

    /// <summary>
    /// Bytes by what they are used for, over all collections, with those that were disposed and wait for readers. The parts add up to
    /// <see cref="MemoryUsage.Mapped"/> when nobody is at work.
    /// </summary>
    public MemoryUsage Usage
    {
        get
        {
            MemoryUsage usage = SharedUsage;
            foreach (MemoryContext context in Contexts()) usage += context.Usage;
            return usage;
        }
    }

    /// <summary>Bytes mapped now: what the limit is compared with.</summary>
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

    internal MemoryBudget Budget { get; }

    internal ArenaPool Arenas { get; }

    internal RegionChunkCache RegionChunks { get; }

    /// <summary>Gives memory kept for the next query back to the system.</summary>
    public void TrimExcess() => RegionChunks.Trim();

    /// <summary>Disposes the collections of the manager. <see cref="Default"/> cannot be disposed.</summary>
    /// <exception cref="InvalidOperationException">This is the default manager.</exception>
    public void Dispose()
    {
        if (ReferenceEquals(this, Default)) throw new InvalidOperationException("The default memory manager cannot be disposed.");
        lock (_lock) _disposed = true;
        foreach (MemoryContext context in Contexts()) context.Dispose();
        RegionChunks.Close();
    }

    internal void Add(MemoryContext context)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _contexts.Add(context);
        }
    }

    internal void Remove(MemoryContext context)
    {
        lock (_lock) _contexts.Remove(context);
    }

    /// <summary>The collections, with disposed ones whose memory waits for readers.</summary>
    internal MemoryContext[] Contexts()
    {
        lock (_lock) return [.. _contexts];
    }
}
