using System.Numerics;
using Smc.Memory.Platform;

namespace Smc.Memory.Indirection;

/// <summary>
/// The addresses reserved for the entries of one collection. Memory is put behind them as the collection grows; the addresses are never
/// given back while the process lives, because handles into them may exist for ever.
/// </summary>
/// <remarks>
/// A range passes from a disposed collection to a later one. The pages are given back in between (they read as zero, which no handle
/// matches), and the next tenant's incarnations start above all that were used, so old handles stay dead. Ranges rest before they serve again
/// (<see cref="RangeRegistry.MostVacant"/>).
/// </remarks>
internal sealed class EntryRange
{
    private const long FirstStep = VirtualMemory.Granularity;
    private const uint Headroom = 1u << 16;

    private EntryRange(ulong address, long bytes)
    {
        Base = address;
        Bytes = bytes;
    }

    /// <summary>Where the range begins, for those who map and unmap it.</summary>
    public ulong Base { get; }

    /// <summary>The entry with dense id 0.</summary>
    public EntryRef First => new(Base);

    /// <summary>Size of the reservation.</summary>
    public long Bytes { get; }

    /// <summary>Bytes that have memory behind them, from <see cref="Base"/> on.</summary>
    public long Committed { get; private set; }

    /// <summary>The incarnation that an entry gives to its first tenant.</summary>
    public uint FirstIncarnation { get; private set; } = 1;

    /// <summary>False when the incarnations left are too few for another collection; the addresses are then lost for good.</summary>
    public bool CanServeAgain => Handle.MaxIncarnation - FirstIncarnation >= Headroom;

    /// <summary>A range of new addresses; null if the system has none of the size.</summary>
    public static EntryRange? TryReserve(long bytes)
    {
        ulong address = VirtualMemory.Reserve(bytes);
        return address == 0 ? null : new EntryRange(address, bytes);
    }

    /// <summary>Size of the reservation for so many rows.</summary>
    public static long BytesFor(long rows) =>
        VirtualMemory.RoundUp((long)BitOperations.RoundUpToPowerOf2((ulong)rows) * EntryWord.SizeInBytes, VirtualMemory.HugePageSize);

    /// <summary>How much memory has to be added before entries up to <paramref name="entries"/> can be used.</summary>
    public long MissingFor(long entries)
    {
        long needed = entries * EntryWord.SizeInBytes;
        if (needed <= Committed) return 0;
        long target = needed < VirtualMemory.HugePageSize
            ? Math.Max(FirstStep, (long)BitOperations.RoundUpToPowerOf2((ulong)needed))
            : VirtualMemory.RoundUp(needed, VirtualMemory.HugePageSize);
        return Math.Min(target, Bytes) - Committed;
    }

    /// <summary>Puts <paramref name="bytes"/> more memory behind the range.</summary>
    public bool TryCommit(long bytes)
    {
        if (!VirtualMemory.Commit(Base + (ulong)Committed, bytes, hugePages: Committed >= VirtualMemory.HugePageSize)) return false;
        Committed += bytes;
        return true;
    }

    /// <summary>Gives the memory back and sets the first incarnation of the next tenant.</summary>
    public void Vacate(uint highestIncarnation)
    {
        if (Committed > 0) VirtualMemory.Discard(Base, Committed);
        Committed = 0;
        FirstIncarnation = highestIncarnation + 1;
    }
}
