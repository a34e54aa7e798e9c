using System.Numerics;
using Smc.Memory.Allocation;

namespace Smc.Memory.Reachability;

/// <summary>One bit for every dense id of a collection, in pages that are charged to the budget. All members may be called at any time.</summary>
/// <remarks>Invariants: a page is added and never replaced; <see cref="Count"/> is never less than the bits that are set.</remarks>
internal sealed class IdBitmap(MemoryBudget budget)
{
    private const int PageShift = 16;
    private const int WordsOfPage = (1 << PageShift) / 64;
    private const long PageBytes = WordsOfPage * sizeof(ulong);

    private readonly Lock _lock = new();
    private ulong[]?[] _pages = [];
    private long _count;
    private long _bytes;

    /// <summary>How many bits are set; exact when nobody sets or clears any.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Bytes that are charged.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>64-bit words below this may have bits.</summary>
    public int WordLimit => Volatile.Read(ref _pages).Length * WordsOfPage;

    public bool IsSet(uint id) => (Word((int)(id >> 6)) >> (int)(id & 63) & 1) != 0;

    /// <summary>The bits of 64 ids.</summary>
    public ulong Word(int word) =>
        PageOrNull(word / WordsOfPage) is { } bits ? Volatile.Read(ref bits[word % WordsOfPage]) : 0;

    /// <summary>Whether there is room for the bits of a word.</summary>
    public bool HasRoom(int word) => PageOrNull(word / WordsOfPage) is not null;

    /// <summary>Makes room for the bit of an id, so that <see cref="TrySet"/> needs no memory.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public void Reserve(uint id)
    {
        if (PageOrNull((int)(id >> PageShift)) is null) AddPage((int)(id >> PageShift));
    }

    /// <summary>Makes room for each bit for which another bitmap has room.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public void ReserveAs(IdBitmap other)
    {
        int pages = Volatile.Read(ref other._pages).Length;
        for (int page = 0; page < pages; page++)
        {
            if (other.PageOrNull(page) is not null) Reserve((uint)page << PageShift);
        }
    }

    /// <summary>Sets a bit that there is room for. Full fence.</summary>
    /// <returns>False if it was set.</returns>
    public bool TrySet(uint id)
    {
        ulong bit = BitOf(id);
        // Counted first: see Count.
        Interlocked.Increment(ref _count);
        if ((Interlocked.Or(ref WordOf(id), bit) & bit) == 0) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Sets bits of a word that there is room for. Full fence.</summary>
    public void SetAll(int word, ulong bits)
    {
        // Counted first: see Count.
        Interlocked.Add(ref _count, BitOperations.PopCount(bits));
        ulong were = Interlocked.Or(ref PageOrNull(word / WordsOfPage)![word % WordsOfPage], bits);
        Interlocked.Add(ref _count, -BitOperations.PopCount(bits & were));
    }

    /// <summary>Clears a bit. Full fence.</summary>
    /// <returns>False if it was clear.</returns>
    public bool TryClear(uint id)
    {
        if (!IsSet(id)) return false;
        ulong bit = BitOf(id);
        if ((Interlocked.And(ref WordOf(id), ~bit) & bit) == 0) return false;
        Interlocked.Decrement(ref _count);
        return true;
    }

    /// <summary>Takes the charge back. Nobody sets a bit after this.</summary>
    public void Release() => budget.Release(Interlocked.Exchange(ref _bytes, 0));

    private static ulong BitOf(uint id) => 1UL << (int)(id & 63);

    private ref ulong WordOf(uint id) => ref PageOrNull((int)(id >> PageShift))![(id >> 6) % WordsOfPage];

    private ulong[]? PageOrNull(int page)
    {
        ulong[]?[] pages = Volatile.Read(ref _pages);
        return page < pages.Length ? Volatile.Read(ref pages[page]) : null;
    }

    private void AddPage(int page)
    {
        lock (_lock)
        {
            // Pages are shared between the old array and the new, so a bit that is set meanwhile is not lost.
            ulong[]?[] pages = _pages;
            if (page < pages.Length && pages[page] is not null) return;
            if (page >= pages.Length) Array.Resize(ref pages, page + 1);
            budget.Charge(PageBytes, "bits of retired rows");
            Interlocked.Add(ref _bytes, PageBytes);
            Volatile.Write(ref pages[page], new ulong[WordsOfPage]);
            Volatile.Write(ref _pages, pages);
        }
    }
}
