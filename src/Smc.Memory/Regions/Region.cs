using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Regions;

namespace Smc.Memory;

/// <summary>
/// The memory of one query execution: hash tables, sort buffers, strings. Allocation bumps a pointer, nothing is freed singly, and
/// <see cref="Dispose"/> gives everything back to the manager, who keeps it for the next query. Allocates nothing on the managed heap.
/// </summary>
/// <remarks>Belongs to one thread at a time. <code>using Region region = new(manager);</code> or pass it by <c>ref</c>.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct Region : IDisposable
{
    private const int Alignment = 64;
    private readonly MemoryManager _manager;
    private unsafe RegionChunk* _chunk;
    private ulong _next;
    private ulong _end;
    private long _nextChunk;
    private RegionBudget? _budget;

    /// <summary>Begins an empty region.</summary>
    public Region(MemoryManager manager)
    {
        ArgumentNullException.ThrowIfNull(manager);
        _manager = manager;
        _nextChunk = RegionChunkCache.SmallestChunk;
    }

    /// <summary>Bytes of the chunks that the region has taken.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>Gives memory with undefined contents.</summary>
    /// <param name="bytes">Size; 0 gives an address that must not be used.</param>
    /// <returns>An address at a multiple of 64, good until the region is disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The size is negative.</exception>
    /// <exception cref="OffHeapMemoryException">The manager's limit, the query's or the system does not leave the memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Allocate(long bytes)
    {
        ulong address = _next;
        // One comparison: a negative size is a huge unsigned one.
        if ((ulong)bytes > _end - address) return AllocateInNewChunk(bytes);
        _next = (address + (ulong)bytes + (Alignment - 1)) & ~(ulong)(Alignment - 1);
        return address;
    }

    /// <summary>Gives memory that reads as zero. Memory fresh from the system is not cleared again.</summary>
    /// <inheritdoc cref="Allocate" path="/param|/returns|/exception"/>
    public unsafe ulong AllocateZeroed(long bytes)
    {
        ulong address = Allocate(bytes);
        if (_chunk == null) return address;
        // SAFETY: Allocate gave [address, address + bytes) inside the current chunk.
        ulong dirtyEnd = (ulong)_chunk + (ulong)_chunk->DirtyEnd;
        ulong end = Math.Min(address + (ulong)bytes, dirtyEnd);
        if (end > address) NativeMemory.Clear((void*)address, (nuint)(end - address));
        NoteUse();
        return address;
    }

    /// <summary>Takes over what another region has allocated, which lives as long as this region from now on; the other one is empty.</summary>
    /// <param name="other">A region of the same manager and the same query.</param>
    public unsafe void Adopt(scoped ref Region other)
    {
        if (other._chunk == null) return;
        other.NoteUse();
        if (_chunk == null)
        {
            this = other;
        }
        else
        {
            // SAFETY: both regions own their chunks; those of the other go behind the chunk that this region allocates from.
            RegionChunk* last = other._chunk;
            while (last->Next != null) last = last->Next;
            last->Next = _chunk->Next;
            _chunk->Next = other._chunk;
            AllocatedBytes += other.AllocatedBytes;
        }
        other = new Region(_manager);
    }

    /// <summary>Gives the memory back to the manager.</summary>
    public unsafe void Dispose()
    {
        if (_chunk == null) return;
        NoteUse();
        _budget?.Release(AllocatedBytes);
        _manager.RegionChunks.Return(_chunk);
        _chunk = null;
        _next = _end = 0;
        AllocatedBytes = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe ulong AllocateInNewChunk(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        NoteUse();
        long needed = checked(bytes + RegionChunk.HeaderBytes + Alignment);
        if (_chunk == null) _budget = RegionBudget.Current;
        RegionChunk* chunk = _manager.RegionChunks.Rent(Math.Max(needed, _nextChunk));
        _nextChunk = Math.Min(_nextChunk * 2, RegionChunkCache.LargestRegularChunk);
        AllocatedBytes += chunk->Bytes;
        // SAFETY: Rent gave a chunk that belongs to this region until Dispose.
        chunk->Next = _chunk;
        _chunk = chunk;
        _next = (ulong)chunk + RegionChunk.HeaderBytes;
        _end = (ulong)chunk + (ulong)chunk->Bytes;
        _budget?.Charge(chunk->Bytes);
        return Allocate(bytes);
    }

    // What lies below the bump pointer may have been written; the chunk remembers it for its next user.
    private readonly unsafe void NoteUse()
    {
        if (_chunk == null) return;
        // SAFETY: the current chunk belongs to this region.
        _chunk->DirtyEnd = Math.Max(_chunk->DirtyEnd, (long)(_next - (ulong)_chunk));
    }
}
