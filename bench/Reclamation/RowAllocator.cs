using Smc.Memory;

namespace Reclamation;

/// <summary>Objects are rows: their slots do not pass through a policy, the next rows take them.</summary>
internal sealed class RowAllocator(MemoryManager manager) : IAllocator
{
    private const int Capacity = 1024;
    private readonly MemoryContext _context = new(manager, Layout(), "rows");

    public long LimboBytes => _context.GarbageBytes;

    public long ObjectBytes => _context.Layout.BytesPerRow;

    public static BlockLayout Layout()
    {
        int data = BlockLayout.FirstFreeOffset(Capacity) + 64;
        return new BlockLayout("Node", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, 16, 1,
            new ColumnLayout("Key", data, 8, 8, ColumnStorage.Plain),
            new ColumnLayout("Value", data + 8 * Capacity, 8, 8, ColumnStorage.Plain));
    }

    public unsafe ulong Allocate(long key)
    {
        RowSlot row = _context.Allocator.Allocate();
        *(long*)(row.Block.Address + (uint)_context.Layout.Columns[0].Offset + (ulong)row.Slot * 8) = key;
        return _context.Publisher.Publish(row);
    }

    // A row that somebody removes meanwhile is dead at once, and says so.
    public unsafe bool Holds(ulong found, long key) => !Handle.TryLocate(found, out RowLocation location)
        || *(long*)location.AddressOf(_context.Layout.Columns[0].Offset, 8) == key;

    public void Abandon(ulong made) => _context.Removal.TryRemove(made);

    public void Retire(ulong removed) => _context.Removal.TryRemove(removed);

    public void Dispose() => _context.Dispose();
}
