using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Indirection;

/// <summary>The entry ranges of the process: which collection an entry belongs to, and which ranges are free for the next one.</summary>
internal static class RangeRegistry
{
    // So many disposed collections and blocks wait that those who free them are behind.
    private const int Backlog = 64;

    private static readonly Lock s_lock = new();
    private static readonly List<EntryRange> s_vacant = [];
    private static readonly List<EntryRange> s_usedUp = [];
    private static Tenancy[] s_tenancies = [];

    // By numbers of entries.
    private readonly record struct Tenancy(ulong First, ulong End, MemoryContext Context);

    /// <summary>Takes a range behind one that was vacated, or a new one. One that is used up begins anew where the system has no more addresses.</summary>
    /// <remarks>
    /// Whoever makes collections faster than disposed ones are freed helps to free them first: every reservation takes some of the mappings
    /// that the system allows a process.
    /// </remarks>
    /// <param name="bytes">Size of the range.</param>
    /// <param name="reclaimer">Of the manager of the collection.</param>
    /// <exception cref="OffHeapMemoryException">The system has no such range of addresses.</exception>
    public static EntryRange Take(long bytes, Reclaimer reclaimer)
    {
        if (TakeLast(s_vacant, bytes) is { } vacant) return vacant;
        if (Reclaimers.Waiting >= Backlog)
        {
            Epoch.TryAdvance();
            reclaimer.Drain(waits: true);
        }
        return TakeLast(s_vacant, bytes) ?? EntryRange.TryReserve(bytes) ?? TakeAnew(bytes)
            ?? throw new OffHeapMemoryException($"The system does not reserve {bytes:N0} bytes of addresses. Dispose of collections that nothing uses, or set CollectionOptions.MaxRows lower.");
    }

    public static void Register(EntryRange range, MemoryContext context)
    {
        lock (s_lock)
        {
            Tenancy[] changed = [.. s_tenancies, new Tenancy(range.First.Number, range.First.Number + ((ulong)range.Bytes / EntryWord.SizeInBytes), context)];
            Array.Sort(changed, static (a, b) => a.First.CompareTo(b.First));
            Volatile.Write(ref s_tenancies, changed);
        }
    }

    /// <summary>Ends a tenancy: entries in the range belong to nobody from now on.</summary>
    public static void Unregister(EntryRange range)
    {
        lock (s_lock) Volatile.Write(ref s_tenancies, Array.FindAll(s_tenancies, tenancy => tenancy.First != range.First.Number));
    }

    /// <summary>Makes a range available to the next collection.</summary>
    /// <param name="range">What <see cref="EntryRange.Vacate"/> returned, or a range that nobody used.</param>
    public static void Return(EntryRange range)
    {
        if (!range.CanServe) return;
        lock (s_lock) (range.IsUsedUp ? s_usedUp : s_vacant).Add(range);
    }

    // Reservations that have too few incarnations left are lost.
    private static EntryRange? TakeAnew(long bytes)
    {
        while (TakeLast(s_usedUp, bytes) is { } usedUp)
        {
            EntryRange anew = usedUp.Anew();
            if (anew.CanServe) return anew;
        }
        return null;
    }

    private static EntryRange? TakeLast(List<EntryRange> ranges, long bytes)
    {
        lock (s_lock)
        {
            int last = ranges.FindLastIndex(range => range.Bytes == bytes);
            if (last < 0) return null;
            EntryRange found = ranges[last];
            ranges.RemoveAt(last);
            return found;
        }
    }

    /// <summary>The collection that the entry with a number belongs to, or null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MemoryContext? Find(ulong number)
    {
        Tenancy[] tenancies = Volatile.Read(ref s_tenancies);
        int low = 0, high = tenancies.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            ref readonly Tenancy tenancy = ref tenancies[middle];
            if (number < tenancy.First) high = middle - 1;
            else if (number >= tenancy.End) low = middle + 1;
            else return tenancy.Context;
        }
        return null;
    }
}
