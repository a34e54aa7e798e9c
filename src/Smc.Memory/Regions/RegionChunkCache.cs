using System.Numerics;
using Smc.Memory.Allocation;
using Smc.Memory.Platform;

namespace Smc.Memory.Regions;

/// <summary>
/// The chunks that regions are made of, kept between queries so that a repeated query finds its memory mapped. The list is threaded
/// through the chunks themselves; nothing is allocated on the managed heap.
/// </summary>
internal sealed class RegionChunkCache(MemoryBudget budget)
{
    public const long SmallestChunk = VirtualMemory.Granularity;
    public const long LargestRegularChunk = 4L << 20;

    /// <summary>Bytes of kept chunks at most. Above them the half that was kept longest goes: the sizes that queries ask for now stay.</summary>
    public const long MaxKept = 512L << 20;

    private readonly Lock _lock = new();
    private unsafe RegionChunk* _free;
    private long _kept;
    private long _mapped;
    private bool _closed;

    /// <summary>Bytes of all chunks, in use or kept.</summary>
    public long MappedBytes => Volatile.Read(ref _mapped);

    /// <summary>Gives a chunk of at least <paramref name="bytes"/>, header included, and of at most about twice that.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public unsafe RegionChunk* Rent(long bytes)
    {
        long size = bytes <= LargestRegularChunk
            ? Math.Max(SmallestChunk, (long)BitOperations.RoundUpToPowerOf2((ulong)bytes))
            : VirtualMemory.RoundUp(bytes, VirtualMemory.HugePageSize);
        RegionChunk* kept = TakeKept(size);
        return kept != null ? kept : Map(size);
    }

    /// <summary>Takes back a list of chunks linked by <see cref="RegionChunk.Next"/>.</summary>
    public unsafe void Return(RegionChunk* chunk)
    {
        // SAFETY: the region that ends hands its chunks over; they are mapped until Unmap.
        while (chunk != null)
        {
            RegionChunk* next = chunk->Next;
            UnmapAll(Keep(chunk));
            chunk = next;
        }
    }

    /// <summary>Keeps nothing from now on: what regions still have is unmapped when they end.</summary>
    public void Close()
    {
        lock (_lock) _closed = true;
        Trim();
    }

    /// <summary>Unmaps the kept chunks.</summary>
    /// <returns>False if there were none.</returns>
    public unsafe bool Trim()
    {
        RegionChunk* chunk;
        lock (_lock)
        {
            chunk = _free;
            _free = null;
            _kept = 0;
        }
        UnmapAll(chunk);
        return chunk != null;
    }

    // First fit among the kept chunks that are not much too large.
    private unsafe RegionChunk* TakeKept(long size)
    {
        lock (_lock)
        {
            RegionChunk* previous = null;
            // SAFETY: chunks in the list belong to the cache.
            for (RegionChunk* chunk = _free; chunk != null; previous = chunk, chunk = chunk->Next)
            {
                if (chunk->Bytes < size || chunk->Bytes > 2 * size) continue;
                if (previous == null) _free = chunk->Next;
                else previous->Next = chunk->Next;
                _kept -= chunk->Bytes;
                chunk->Next = null;
                return chunk;
            }
            return null;
        }
    }

    // The list begins with what was kept last. Gives the chunks that nobody has any more: the ones kept longest, or this one if it cannot be kept.
    private unsafe RegionChunk* Keep(RegionChunk* chunk)
    {
        lock (_lock)
        {
            // SAFETY: the chunk is the caller's, those in the list belong to the cache.
            chunk->Next = null;
            if (_closed || GuardMode.IsOn || chunk->Bytes > MaxKept) return chunk;
            RegionChunk* oldest = _kept + chunk->Bytes > MaxKept ? TakeBehind(Math.Min(MaxKept / 2, MaxKept - chunk->Bytes)) : null;
            chunk->Next = _free;
            _free = chunk;
            _kept += chunk->Bytes;
            return oldest;
        }
    }

    // Leaves the chunks that were kept last, up to so many bytes.
    private unsafe RegionChunk* TakeBehind(long bytes)
    {
        RegionChunk* last = null;
        RegionChunk* rest = _free;
        long left = 0;
        // SAFETY: chunks in the list belong to the cache.
        for (; rest != null && left + rest->Bytes <= bytes; last = rest, rest = rest->Next)
            left += rest->Bytes;
        if (last == null) _free = null;
        else last->Next = null;
        _kept = left;
        return rest;
    }

    private unsafe RegionChunk* Map(long size)
    {
        budget.Charge(size, "a query's intermediate results");
        ulong address = VirtualMemory.Map(size, hugePages: size >= VirtualMemory.HugePageSize);
        if (address == 0) throw budget.Refused(size, "a query's intermediate results");
        Interlocked.Add(ref _mapped, size);
        RegionChunk* chunk = (RegionChunk*)address;
        // SAFETY: just mapped, larger than a header.
        chunk->Bytes = size;
        chunk->DirtyEnd = RegionChunk.HeaderBytes;
        return chunk;
    }

    private unsafe void UnmapAll(RegionChunk* chunk)
    {
        // SAFETY: the list is the caller's.
        while (chunk != null)
        {
            RegionChunk* next = chunk->Next;
            Unmap(chunk);
            chunk = next;
        }
    }

    private unsafe void Unmap(RegionChunk* chunk)
    {
        // SAFETY: the chunk belongs to the cache and is in no list.
        long size = chunk->Bytes;
        VirtualMemory.Unmap((ulong)chunk, size);
        Interlocked.Add(ref _mapped, -size);
        budget.Release(size);
    }
}
