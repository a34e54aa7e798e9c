using System.Numerics;
using Smc.Memory.Platform;

namespace Smc.Memory.Indirection;

/// <summary>
/// The addresses of the entries of one collection. Memory is put behind them as the collection grows; the addresses are never
/// given back while the process lives, because handles into them may exist for ever.
/// </summary>
/// <remarks>
/// Collections follow one another in a reservation, which is longer than each of them needs: the next one begins behind the memory of the one before, whose entries read as zero from then on.
/// So an entry belongs to one collection for ever, and whatever refers to a row of an earlier one refers below the dense ids of all later ones (docs/decisions/0050-ids-that-serve-once.md).
/// Invariant: no entry at or behind <see cref="Base"/> had an incarnation from <see cref="FirstIncarnation"/> on, so old handles stay dead also where a range begins at entries that had rows:
/// where the system keeps the pages of the collection before, and where a reservation that is used up begins anew, because the system has no more addresses.
/// </remarks>
internal sealed class EntryRange
{
    /// <summary>A reservation has so much room behind the first collection, or as much as that may need.</summary>
    public const long LeastRoom = 1L << 30;

    private const long FirstStep = VirtualMemory.Granularity;
    private const uint Headroom = 1u << 16;

    private readonly ulong _start;
    private readonly ulong _end;

    // From here on no entry had a row in an earlier collection.
    private readonly ulong _fresh;
    private readonly uint _highestIncarnation;

    private EntryRange(ulong start, ulong end, ulong fresh, ulong address, long bytes, uint firstIncarnation, uint highestIncarnation)
    {
        _start = start;
        _end = end;
        _fresh = fresh;
        _highestIncarnation = highestIncarnation;
        Base = address;
        Bytes = bytes;
        FirstIncarnation = firstIncarnation;
    }

    /// <summary>Where the range begins, for those who map and unmap it.</summary>
    public ulong Base { get; }

    /// <summary>The entry with dense id 0.</summary>
    public EntryRef First => new(Base);

    /// <summary>What the collection can have of the reservation.</summary>
    public long Bytes { get; }

    /// <summary>Bytes that have memory behind them, from <see cref="Base"/> on.</summary>
    public long Committed { get; private set; }

    /// <summary>The incarnation that an entry gives to its first row. 1 where none of the entries had a row in another collection.</summary>
    public uint FirstIncarnation { get; }

    /// <summary>Whether too little of the reservation is left for a collection.</summary>
    public bool IsUsedUp => _end - Base < (ulong)Bytes;

    /// <summary>False when the incarnations left are too few for another collection; the addresses are then lost for good.</summary>
    public bool CanServe => FirstIncarnation + Headroom <= Handle.MaxIncarnation;

    /// <summary>A range of new addresses; null if the system has none of the size. Without room behind it if the system has none with it.</summary>
    public static EntryRange? TryReserve(long bytes) => TryReserve(bytes, Math.Max(bytes, LeastRoom)) ?? TryReserve(bytes, room: 0);

    private static EntryRange? TryReserve(long bytes, long room)
    {
        ulong address = VirtualMemory.Reserve(bytes + room);
        return address == 0 ? null : new EntryRange(address, address + (ulong)(bytes + room), fresh: address, address, bytes, firstIncarnation: 1, highestIncarnation: 0);
    }

    /// <summary>What so many rows need.</summary>
    public static long BytesFor(long rows) =>
        VirtualMemory.RoundUp((long)BitOperations.RoundUpToPowerOf2((ulong)rows) * EntryWord.SizeInBytes, VirtualMemory.HugePageSize);

    /// <summary>How much memory has to be added before entries up to <paramref name="entries"/> can be used.</summary>
    public long MissingFor(long entries)
    {
        long needed = entries * EntryWord.SizeInBytes;
        if (needed <= Committed) return 0;
        // Large pages lie at multiples of their size, where the range need not begin.
        long target = needed < VirtualMemory.HugePageSize
            ? Math.Max(FirstStep, (long)BitOperations.RoundUpToPowerOf2((ulong)needed))
            : VirtualMemory.RoundUp((long)Base + needed, VirtualMemory.HugePageSize) - (long)Base;
        return Math.Min(target, Bytes) - Committed;
    }

    /// <summary>Puts <paramref name="bytes"/> more memory behind the range.</summary>
    public bool TryCommit(long bytes)
    {
        if (!VirtualMemory.Commit(Base + (ulong)Committed, bytes, hugePages: Committed >= VirtualMemory.HugePageSize)) return false;
        Committed += bytes;
        return true;
    }

    /// <summary>Gives the memory back.</summary>
    /// <param name="highestIncarnation">No entry had a higher one.</param>
    /// <returns>The range for the next collection, behind the memory of this one unless the system keeps that.</returns>
    public EntryRange Vacate(uint highestIncarnation)
    {
        uint highest = Math.Max(_highestIncarnation, highestIncarnation);
        if (Committed == 0) return StartingAt(Base, _fresh, FirstIncarnation, highest);
        long left = (long)(Base - Math.Max(_start, Base & ~(VirtualMemory.HugePageSize - 1UL)));
        ulong end = Base + (ulong)Committed, fresh = Math.Max(_fresh, end);
        return VirtualMemory.TryLeave(Base, Committed, left)
            ? StartingAt(end, fresh, end < fresh ? FirstIncarnation : 1, highest)
            : StartingAt(Base, fresh, highest + 1, highest);
    }

    /// <summary>The reservation from its beginning, with incarnations above all that were used in it.</summary>
    public EntryRange Anew() => StartingAt(_start, _fresh, _highestIncarnation + 1, _highestIncarnation);

    private EntryRange StartingAt(ulong address, ulong fresh, uint firstIncarnation, uint highestIncarnation) =>
        new(_start, _end, fresh, address, Bytes, firstIncarnation, highestIncarnation);
}
