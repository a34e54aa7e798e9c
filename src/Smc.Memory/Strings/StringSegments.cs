using System.Numerics;
using Smc.Memory.Allocation;
using Smc.Memory.Platform;

namespace Smc.Memory.Strings;

/// <summary>The memory of a string heap: segments, which stripes cut into chunks, and chunks that have mappings of their own.</summary>
/// <remarks>
/// Invariants: the table has every segment from before its first chunk is given out until it is unmapped, and a segment is unmapped once, by whoever takes it out of the table. From
/// <see cref="Release"/> on nothing is mapped that would stay for ever.
/// </remarks>
/// <param name="budget">Is charged for what is mapped.</param>
/// <param name="first">Size of the first segment.</param>
/// <param name="largest">Size of the largest one.</param>
internal sealed class StringSegments(MemoryBudget budget, long first, long largest)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ulong, long> _large = [];
    private SegmentTable _table = SegmentTable.Empty;
    private long _mapped;
    private long _next = first;
    private bool _isReleased;

    public long First { get; } = first;

    public long Largest => largest;

    /// <summary>Bytes obtained from the system.</summary>
    public long MappedBytes => Volatile.Read(ref _mapped);

    /// <summary>True from before the memory goes.</summary>
    public bool IsReleased
    {
        get => Volatile.Read(ref _isReleased);
        set => Volatile.Write(ref _isReleased, value);
    }

    public ReadOnlySpan<StringSegment> All => Volatile.Read(ref _table).All;

    /// <summary>The segment that a chunk lies in; null if it has a mapping of its own, or rows share it.</summary>
    public StringSegment? Find(TextChunk chunk) => Volatile.Read(ref _table).Find(chunk);

    /// <summary>Gives a stripe a segment, twice as large as the one before.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public void AddTo(StringStripe stripe, long atLeast)
    {
        lock (_lock)
        {
            stripe.AddSegment(MapSegment(stripe, Math.Max(_next, VirtualMemory.RoundUp(atLeast, VirtualMemory.PageSize))));
            _next = Math.Min(_next * 2, largest);
        }
    }

    /// <summary>Gives a stripe a segment of which it has cut nothing yet.</summary>
    /// <returns>False if the memory was given back meanwhile.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public bool TryAddUncut(StringStripe stripe, long bytes)
    {
        lock (_lock)
        {
            // A segment that is mapped now would stay for ever.
            if (_isReleased) return false;
            stripe.AddUncut(MapSegment(stripe, bytes));
            return true;
        }
    }

    /// <summary>Bytes of the segments that so many bytes of chunks take.</summary>
    public long BytesFor(long live)
    {
        long last = live % largest;
        long lastSegment = last == 0 ? 0 : Math.Max(First, (long)BitOperations.RoundUpToPowerOf2((ulong)last));
        return live - last + lastSegment;
    }

    /// <summary>Unmaps a segment, unless another thread was faster.</summary>
    public void Unmap(StringSegment segment)
    {
        lock (_lock)
        {
            if (_table.Find(new TextChunk(segment.Address)) != segment) return;
            Volatile.Write(ref _table, _table.Without(segment));
            Unmap(segment.Address, segment.Bytes);
        }
    }

    /// <summary>Maps a chunk that is too large for a segment.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public TextChunk MapLarge(long bytes)
    {
        lock (_lock)
        {
            ulong address = Map(bytes, hugePages: false);
            _large.Add(address, bytes);
            return new TextChunk(address);
        }
    }

    /// <returns>Its bytes.</returns>
    public long UnmapLarge(TextChunk chunk)
    {
        lock (_lock)
        {
            _large.Remove(chunk.Address, out long bytes);
            Unmap(chunk.Address, bytes);
            return bytes;
        }
    }

    public ulong Map(long bytes, bool hugePages)
    {
        budget.Charge(bytes, "strings");
        ulong address = VirtualMemory.Map(bytes, hugePages);
        if (address == 0) throw budget.Refused(bytes, "strings");
        Interlocked.Add(ref _mapped, bytes);
        return address;
    }

    public void Unmap(ulong address, long bytes)
    {
        VirtualMemory.Unmap(address, bytes);
        Interlocked.Add(ref _mapped, -bytes);
        budget.Release(bytes);
    }

    /// <summary>Gives all memory back. No reader can have a chunk any more.</summary>
    public void Release()
    {
        lock (_lock)
        {
            foreach (StringSegment segment in _table.All) Unmap(segment.Address, segment.Bytes);
            foreach ((ulong address, long bytes) in _large) Unmap(address, bytes);
            Volatile.Write(ref _table, SegmentTable.Empty);
            _large.Clear();
        }
    }

    // Under the lock.
    private StringSegment MapSegment(StringStripe stripe, long bytes)
    {
        StringSegment segment = new(Map(bytes, hugePages: bytes >= VirtualMemory.HugePageSize), bytes, stripe);
        Volatile.Write(ref _table, _table.With(segment));
        return segment;
    }
}
