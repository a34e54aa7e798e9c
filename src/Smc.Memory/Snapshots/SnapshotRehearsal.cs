using Smc.Memory.Blocks;

namespace Smc.Memory.Snapshots;

/// <summary>Does once, on rows of its own, what the first writers after a snapshot do, so that these need not wait while some fifty methods are compiled (3 to 4 ms).</summary>
internal static class SnapshotRehearsal
{
    private const int Capacity = 64;
    private const int SlotsPerBlock = 4;

    private static int s_hasBegun;

    /// <summary>Rehearses if nobody has. The caller is outside of windows, and has no lock of the library.</summary>
    public static void Once()
    {
        if (Volatile.Read(ref s_hasBegun) != 0 || Interlocked.Exchange(ref s_hasBegun, 1) != 0) return;
        try
        {
            Rehearse();
        }
        catch (Exception refused) when (refused is OutOfMemoryException or TimeoutException)
        {
            // The first writers do without.
        }
    }

    private static void Rehearse()
    {
        using MemoryManager manager = new();
        using MemoryContext context = new(
            manager, Layout(), "rehearsal of a snapshot", new MemoryContextOptions { BlockCapacity = SlotsPerBlock, CompactionOccupancy = 0 });
        ulong first = Add(context);
        Add(context);
        MemorySnapshot snapshot = SnapshotState.Take([context], TimeSpan.Zero, maxBytes: long.MaxValue, CancellationToken.None);
        try
        {
            // A value, rows into a block that was begun and into a new one, and a removal.
            Change(first);
            for (int i = 0; i < SlotsPerBlock; i++) Add(context);
            context.Removal.TryRemove(first);
        }
        finally
        {
            snapshot.Dispose();
        }
    }

    private static BlockLayout Layout()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        return new BlockLayout(
            "Rehearsal", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, rowStride: sizeof(long), hash: 1,
            new ColumnLayout("Value", zone + Capacity, sizeof(long), sizeof(long), ColumnStorage.Plain, ZoneMapOffset: zone));
    }

    private static ulong Add(MemoryContext context)
    {
        using CriticalSection section = context.AdditionGate.Enter();
        return context.Publisher.Publish(context.Allocator.Allocate());
    }

    private static void Change(ulong handle)
    {
        using WriteSection section = WriteSection.Enter();
        if (RowWriter.TryBegin(handle, out _, out bool isLocked) && isLocked) RowWriter.End(handle);
    }
}
