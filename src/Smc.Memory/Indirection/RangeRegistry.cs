using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Indirection;

/// <summary>The entry ranges of the process: which collection an entry belongs to, and which ranges are free for the next one.</summary>
internal static class RangeRegistry
{
    /// <summary>
    /// So many vacant ranges of one size are kept before one serves again: the one that has been vacant longest. In a range that served before, old references have the dense ids of new rows, so queries cannot
    /// tell rows by these alone. Addresses are plenty: a thousand ranges of the usual size are an eighth of a process's.
    /// </summary>
    internal const int MostVacant = 256;

    // So many disposed collections and blocks wait that those who free them are behind.
    private const int Backlog = 64;

    private static readonly Lock s_lock = new();
    private static readonly List<EntryRange> s_vacant = [];
    private static Tenancy[] s_tenancies = [];

    // By numbers of entries.
    private readonly record struct Tenancy(ulong First, ulong End, MemoryContext Context);

    /// <summary>Takes a new range, or a vacant one of the size where many are vacant or the system has no more addresses.</summary>
    /// <remarks>
    /// Whoever makes collections faster than disposed ones are freed helps to free them first: every range takes two of the mappings
    /// that the system allows a process.
    /// </remarks>
    /// <param name="bytes">Size of the range.</param>
    /// <param name="reclaimer">Of the manager of the collection.</param>
    /// <exception cref="OffHeapMemoryException">The system has no such range of addresses.</exception>
    public static EntryRange Take(long bytes, Reclaimer reclaimer)
    {
        if (TakeVacant(bytes, MostVacant) is { } vacant) return vacant;
        if (Reclaimers.Waiting >= Backlog)
        {
            Epoch.TryAdvance();
            reclaimer.Drain(waits: true);
        }
        return TakeVacant(bytes, MostVacant) ?? EntryRange.TryReserve(bytes) ?? TakeVacant(bytes, atLeast: 1)
            ?? throw new OffHeapMemoryException($"The system does not reserve {bytes:N0} bytes of addresses. Set MaxRows lower.");
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

    /// <summary>Makes a vacated range available to the next collection.</summary>
    public static void Return(EntryRange range)
    {
        if (!range.CanServeAgain) return;
        lock (s_lock) s_vacant.Add(range);
    }

    /// <summary>Takes the range of the size that has been vacant longest, if so many are.</summary>
    private static EntryRange? TakeVacant(long bytes, int atLeast)
    {
        lock (s_lock)
        {
            List<EntryRange> vacant = s_vacant.FindAll(range => range.Bytes == bytes);
            if (vacant.Count < atLeast) return null;
            s_vacant.Remove(vacant[0]);
            return vacant[0];
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
