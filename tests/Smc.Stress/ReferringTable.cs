using Smc.Memory;

namespace Smc.Stress;

/// <summary>A collection whose rows have one column, a direct reference to a row of any collection.</summary>
internal sealed class ReferringTable : IDisposable
{
    private const int Capacity = 64;
    private static readonly int s_data = (BlockLayout.FirstFreeOffset(Capacity) + 63) / 64 * 64;

    private static readonly BlockLayout s_layout = new("Reference", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, 8, 3,
        new ColumnLayout("Target", s_data, 8, 8, ColumnStorage.DirectReference));

    public ReferringTable(MemoryManager manager, int slotsPerBlock = 4, int incarnationBits = 20) =>
        Context = new MemoryContext(manager, s_layout, "referring", new MemoryContextOptions
        {
            BlockCapacity = slotsPerBlock,
            LimboThreshold = 0.25,
            IncarnationBits = incarnationBits,
            MaxRows = 1 << 16,
            CompactionOccupancy = 0,
        });

    public MemoryContext Context { get; }

    public unsafe ulong Add(ulong target)
    {
        using CriticalSection section = Context.AdditionGate.Enter();
        RowSlot row = Context.Allocator.Allocate();
        *(ulong*)At(row.Block, row.Slot) = Context.DirectTargets.WordOf(target);
        return Context.Publisher.Publish(row);
    }

    public void Set(ulong handle, ulong target)
    {
        using CriticalSection section = CriticalSection.Enter();
        Store(handle, Context.DirectTargets.WordOf(target));
    }

    /// <summary>Stores a word that was made in the caller's section.</summary>
    public static unsafe void Store(ulong handle, ulong word)
    {
        if (!RowWriter.TryBegin(handle, out RowLocation location, out bool isLocked)) throw new InvalidOperationException("The referring row is gone.");
        Volatile.Write(ref *(ulong*)At(location), word);
        if (isLocked) RowWriter.End(handle);
    }

    /// <summary>The reference as it is stored. Used inside the caller's section.</summary>
    public static unsafe ulong WordOf(ulong handle)
    {
        if (!Handle.TryLocate(handle, out RowLocation location)) throw new InvalidOperationException("The referring row is gone.");
        return Volatile.Read(ref *(ulong*)At(location));
    }

    /// <summary>The reference as a handle.</summary>
    public static ulong Get(ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        return DirectWord.ToHandle(WordOf(handle));
    }

    public void Dispose() => Context.Dispose();

    private static ulong At(RowLocation location) => At(location.Block, location.Slot);

    private static ulong At(BlockRef block, int slot) => block.Address + (uint)s_data + (ulong)slot * 8;
}
