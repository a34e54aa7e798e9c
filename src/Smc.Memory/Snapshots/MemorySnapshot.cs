using System.ComponentModel;
using Smc.Memory.Indirection;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>One moment of some contexts: their lists of blocks as they were then. What it reads never changes.</summary>
/// <remarks>Thread-safe. Whoever reads holds a use (<see cref="TryUse"/>); the versions of blocks stay until it is disposed and the last use has ended, or it is lost.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MemorySnapshot : IDisposable
{
    private readonly Part[] _parts;
    private long _bytes;
    private int _isLost;

    // Uses, and one until it is disposed.
    private int _uses = 1;
    private int _isDisposed;

    internal MemorySnapshot(long number, Part[] parts, long? maxBytes)
    {
        Number = number;
        _parts = parts;
        MaxBytes = maxBytes;
    }

    /// <summary>The number of the moment: a block made in or after it has this number or a higher one.</summary>
    public long Number { get; }

    /// <summary>When it was.</summary>
    public DateTimeOffset Moment { get; } = DateTimeOffset.UtcNow;

    /// <summary>Bytes of superseded blocks and held chunks that were kept since, for this snapshot and those beside it.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>True once it was given up to make room for writers. A reader asks after its last read.</summary>
    public bool IsLost
    {
        get
        {
            // The reads before are done; partner: the mark, which comes before writers go on in place.
            Interlocked.MemoryBarrier();
            return Volatile.Read(ref _isLost) != 0;
        }
    }

    /// <summary>True from <see cref="Dispose"/> on.</summary>
    public bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    internal Part[] Parts => _parts;

    internal long? MaxBytes { get; }

    internal bool HasBeenTold { get; set; }

    /// <summary>Fixes one moment. It lies within this call.</summary>
    /// <param name="contexts">The contexts, each once.</param>
    /// <param name="timeLimit">How long to wait for write groups.</param>
    /// <param name="maxBytes">Above so many bytes the snapshot is lost; null for a quarter of the manager's limit.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="TimeoutException">A write group did not end in time.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a write group.</exception>
    public static MemorySnapshot Take(MemoryContext[] contexts, TimeSpan timeLimit, long? maxBytes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(contexts);
        if (WriteWindow.IsInside) throw new InvalidOperationException("A snapshot is taken outside of write groups: it would wait for the caller's own.");
        foreach (MemoryContext context in contexts)
        {
            context.ThrowIfDisposed();
            if (maxBytes is null && context.Manager.Options.Limit is { } limit) maxBytes = limit / 4;
        }
        MemorySnapshot snapshot = SnapshotState.Take([.. contexts.Distinct()], timeLimit, maxBytes, cancellationToken);
        foreach (Part part in snapshot._parts) part.TouchSpares();
        return snapshot;
    }

    /// <summary>The blocks of a context as they were; null if the snapshot is not one of that context.</summary>
    public BlockList? BlocksOf(MemoryContext context) => Find(context)?.Blocks;

    /// <summary>The number of rows that a context had; -1 if the snapshot is not one of that context.</summary>
    public long RowsOf(MemoryContext context) => Find(context)?.Rows ?? -1;

    /// <summary>Begins to read. <see cref="EndUse"/> follows.</summary>
    /// <returns>False if the snapshot is disposed.</returns>
    public bool TryUse()
    {
        for (int uses = Volatile.Read(ref _uses); uses > 0;)
        {
            int found = Interlocked.CompareExchange(ref _uses, uses + 1, uses);
            if (found == uses) return !IsDisposed || GiveBack();
            uses = found;
        }
        return false;
    }

    /// <summary>Ends what <see cref="TryUse"/> began.</summary>
    public void EndUse()
    {
        if (Interlocked.Decrement(ref _uses) == 0) OpenSnapshots.Remove(this);
    }

    /// <summary>Ends the snapshot. Does not wait: what reads it now keeps the blocks until it has ended.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0) EndUse();
    }

    internal Part? Find(MemoryContext context)
    {
        foreach (Part part in _parts)
        {
            if (ReferenceEquals(part.Context, context)) return part;
        }
        return null;
    }

    internal void MarkLost()
    {
        Interlocked.Exchange(ref _isLost, 1);
    }

    internal void Charge(long bytes) => Interlocked.Add(ref _bytes, bytes);

    private bool GiveBack()
    {
        EndUse();
        return false;
    }

    /// <summary>A collection at the moment.</summary>
    /// <param name="context">The context.</param>
    /// <safety>It is made inside a critical section, while no window is open.</safety>
    internal sealed class Part(MemoryContext context)
    {
        // Copied, because every look-up compares them.
        private readonly ulong _first = context.Entries.First.Number;
        private readonly ulong _count = (ulong)context.Entries.Range.Bytes / EntryWord.SizeInBytes;

        public MemoryContext Context => context;

        public BlockList Blocks { get; } = context.Blocks;

        public long Rows { get; } = context.Count;

        /// <summary>Makes blocks ready for the first writes, unless memory is short.</summary>
        public void TouchSpares()
        {
            MemoryManager manager = context.Manager;
            if (manager.Options.Limit is not { } limit || manager.MappedBytes <= limit / 2) context.Versions.TouchSpares();
        }

        /// <summary>Whether the entry of a handle is one of the collection.</summary>
        public bool Owns(ulong handle) => Handle.EntryNumber(handle) - _first < _count;
    }
}
