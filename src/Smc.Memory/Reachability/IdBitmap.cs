namespace Smc.Memory.Reachability;

/// <summary>One bit for every dense id of a collection, in pages that are made when their first bit is set. All members may be called at any time.</summary>
internal sealed class IdBitmap
{
    private const int PageShift = 16;
    private const int WordsOfPage = (1 << PageShift) / 64;

    private readonly Lock _lock = new();
    private ulong[]?[] _pages = [];
    private long _count;

    /// <summary>How many bits are set; exact when nobody sets or clears any.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>64-bit words below this may have bits.</summary>
    public int WordLimit => Volatile.Read(ref _pages).Length * WordsOfPage;

    public bool IsSet(uint id) => (Word((int)(id >> 6)) >> (int)(id & 63) & 1) != 0;

    /// <summary>The bits of 64 ids.</summary>
    public ulong Word(int word)
    {
        ulong[]?[] pages = Volatile.Read(ref _pages);
        int page = word / WordsOfPage;
        return page < pages.Length && Volatile.Read(ref pages[page]) is { } bits ? Volatile.Read(ref bits[word % WordsOfPage]) : 0;
    }

    /// <summary>Sets a bit. Full fence.</summary>
    /// <returns>False if it was set.</returns>
    public bool TrySet(uint id)
    {
        ulong bit = 1UL << (int)(id & 63);
        ulong[] bits = PageOf(id);
        if ((Interlocked.Or(ref bits[(id >> 6) % WordsOfPage], bit) & bit) != 0) return false;
        Interlocked.Increment(ref _count);
        return true;
    }

    /// <summary>Clears a bit. Full fence.</summary>
    /// <returns>False if it was clear.</returns>
    public bool TryClear(uint id)
    {
        if (!IsSet(id)) return false;
        ulong bit = 1UL << (int)(id & 63);
        if ((Interlocked.And(ref PageOf(id)[(id >> 6) % WordsOfPage], ~bit) & bit) == 0) return false;
        Interlocked.Decrement(ref _count);
        return true;
    }

    private ulong[] PageOf(uint id)
    {
        int page = (int)(id >> PageShift);
        ulong[]?[] pages = Volatile.Read(ref _pages);
        return page < pages.Length && Volatile.Read(ref pages[page]) is { } bits ? bits : AddPage(page);
    }

    private ulong[] AddPage(int page)
    {
        lock (_lock)
        {
            // Pages are shared between the old array and the new, so a bit that is set meanwhile is not lost.
            ulong[]?[] pages = _pages;
            if (page >= pages.Length) Array.Resize(ref pages, page + 1);
            ulong[] bits = pages[page] ?? new ulong[WordsOfPage];
            Volatile.Write(ref pages[page], bits);
            Volatile.Write(ref _pages, pages);
            return bits;
        }
    }
}
