using Smc.Memory.Allocation;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Indexes;

/// <summary>The memory of one index: maps pieces, cuts segments from them, and gives empty pieces back.</summary>
/// <param name="manager">Whose memory it is.</param>
/// <param name="indexes">Count what waits for readers.</param>
internal sealed class IndexMemory(MemoryManager manager, IndexSet indexes)
{
    private const string Purpose = "an index";
    private readonly MemoryBudget _budget = manager.Budget;
    private readonly Lock _lock = new();
    private readonly List<IndexPiece> _pieces = [];
    private long _mapped;
    private bool _isReleased;

    /// <summary>Bytes mapped: segments in use, segments that readers may still be at, and what is free.</summary>
    public long MappedBytes => Volatile.Read(ref _mapped);

    /// <summary>Gets memory that reads as zero.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public unsafe ulong Allocate(int bytes)
    {
        int units = UnitsOf(bytes);
        ulong segment;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isReleased, this);
            segment = TakeFrom(_pieces, units);
            if (segment == 0)
            {
                _pieces.Add(Map(units));
                segment = _pieces[^1].TryTake(units);
            }
        }
        // SAFETY: the units are the caller's from here on.
        new Span<byte>((void*)segment, units * IndexPiece.UnitBytes).Clear();
        return segment;
    }

    /// <summary>Takes memory back that no reader can be at.</summary>
    public void Free(ulong segment, int bytes)
    {
        IndexPiece? empty = null;
        lock (_lock)
        {
            // The index is gone, and its pieces with it.
            if (_isReleased) return;
            IndexPiece piece = _pieces.Find(piece => piece.Holds(segment))!;
            piece.Return(segment, UnitsOf(bytes));
            if (piece.IsEmpty && _pieces.Count > 1)
            {
                _pieces.Remove(piece);
                empty = piece;
            }
        }
        if (empty is not null) Unmap(empty);
    }

    /// <summary>Takes memory back two epochs from now.</summary>
    public void Retire(ulong segment, int bytes)
    {
        manager.Reclaimer.Retire(new RetiredSegment(this, segment, bytes));
        indexes.NoteGarbage(bytes);
    }

    /// <summary>Gives everything back. No reader can be at any of it.</summary>
    public void Release()
    {
        IndexPiece[] pieces;
        lock (_lock)
        {
            _isReleased = true;
            pieces = [.. _pieces];
            _pieces.Clear();
        }
        foreach (IndexPiece piece in pieces) Unmap(piece);
    }

    private static int UnitsOf(int bytes) => (bytes + IndexPiece.UnitBytes - 1) / IndexPiece.UnitBytes;

    private static ulong TakeFrom(List<IndexPiece> pieces, int units)
    {
        // The newest first: it has most left.
        for (int i = pieces.Count - 1; i >= 0; i--)
        {
            if (pieces[i].TryTake(units) is not 0 and ulong segment) return segment;
        }
        return 0;
    }

    private IndexPiece Map(int units)
    {
        // Small indexes take little, large ones large pages.
        long bytes = _pieces.Count switch
        {
            0 => VirtualMemory.Granularity,
            1 => 8 * VirtualMemory.Granularity,
            _ => VirtualMemory.HugePageSize,
        };
        System.Diagnostics.Debug.Assert(bytes >= (long)units * IndexPiece.UnitBytes);
        _budget.Charge(bytes, Purpose);
        ulong address = VirtualMemory.Map(bytes, hugePages: bytes == VirtualMemory.HugePageSize);
        if (address == 0) throw _budget.Refused(bytes, Purpose);
        Interlocked.Add(ref _mapped, bytes);
        return new IndexPiece(address, (int)(bytes / IndexPiece.UnitBytes));
    }

    private void Unmap(IndexPiece piece)
    {
        VirtualMemory.Unmap(piece.Address, piece.Bytes);
        Interlocked.Add(ref _mapped, -piece.Bytes);
        _budget.Release(piece.Bytes);
    }

    private sealed class RetiredSegment(IndexMemory memory, ulong segment, int bytes) : Retired
    {
        public override void Release() => memory.Free(segment, bytes);
    }
}
