using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>
/// The dense ids that are free, page of entries by page: single ones, which are taken from here, and how many lie in free runs.
/// The collection's lock protects it.
/// </summary>
/// <remarks>
/// The single ids of a page form a list through the locations of their entries, which are dead and which no reader is at any more. Pages
/// with single ids form a queue, so that ids that were freed together serve together.
/// </remarks>
/// <param name="range">The entries.</param>
internal sealed class FreeIds(EntryRange range)
{
    private const uint None = uint.MaxValue;

    private Page[] _pages = [];
    private int _firstPage = -1;
    private int _lastPage = -1;

    private struct Page
    {
        public uint First;
        public ushort Singles;
        public ushort InRuns;
        public bool IsQueued;
        public int Next;
    }

    /// <summary>Single ids.</summary>
    public long Count { get; private set; }

    /// <summary>Pages that ever had a free id are below this.</summary>
    public int PageLimit => _pages.Length;

    /// <summary>Single ids in a page.</summary>
    public int SinglesIn(int page) => _pages[page].Singles;

    /// <summary>Ids of a page that lie in free runs.</summary>
    public int InRunsIn(int page) => _pages[page].InRuns;

    /// <summary>Adds a single id.</summary>
    /// <safety>Its entry is not alive and not packed, and no reader that found it alive is left.</safety>
    public void Add(uint id)
    {
        int number = PackedPage.Of(id);
        ref Page page = ref At(number);
        EntryOf(id).LinkFree(page.Singles == 0 ? None : page.First);
        page.First = id;
        page.Singles++;
        Count++;
        if (page.IsQueued) return;
        page.IsQueued = true;
        if (_firstPage < 0) _firstPage = number;
        else _pages[_lastPage].Next = number;
        _lastPage = number;
    }

    /// <summary>Adds single ids of a page.</summary>
    /// <safety>As above.</safety>
    public void Add(int page, Bits bits)
    {
        foreach (int index in bits) Add((uint)(page * PackedPage.Ids + index));
    }

    /// <summary>Takes a single id. There is one.</summary>
    public uint Take()
    {
        while (_pages[_firstPage].Singles == 0) DropFirstPage();
        ref Page page = ref _pages[_firstPage];
        uint id = page.First;
        page.First = EntryOf(id).NextFree;
        page.Singles--;
        Count--;
        if (page.Singles == 0) DropFirstPage();
        return id;
    }

    /// <summary>Sets the bits of a page's single ids.</summary>
    /// <param name="page">Number of the page.</param>
    /// <param name="bits">256 bits, all clear.</param>
    public void Mark(int page, Bits bits)
    {
        uint id = _pages[page].First;
        for (int i = _pages[page].Singles; i > 0; i--)
        {
            bits.Set((int)(id & PackedPage.Mask));
            id = EntryOf(id).NextFree;
        }
    }

    /// <summary>Forgets the single ids of a page.</summary>
    public void Forget(int page)
    {
        Count -= _pages[page].Singles;
        _pages[page].Singles = 0;
    }

    /// <summary>A run became free, or is taken.</summary>
    public void CountRun(uint first, int length, bool isFree)
    {
        for (long id = first, end = (long)first + length; id < end;)
        {
            long next = Math.Min(end, (id | PackedPage.Mask) + 1);
            ref Page page = ref At((int)(id / PackedPage.Ids));
            page.InRuns = (ushort)(isFree ? page.InRuns + (next - id) : page.InRuns - (next - id));
            id = next;
        }
    }

    private ref Page At(int page)
    {
        if (page >= _pages.Length) Array.Resize(ref _pages, Math.Max((int)(range.Committed / PackedPage.Bytes), 2 * _pages.Length));
        return ref _pages[page];
    }

    private void DropFirstPage()
    {
        ref Page page = ref _pages[_firstPage];
        page.IsQueued = false;
        _firstPage = _firstPage == _lastPage ? -1 : page.Next;
    }

    private EntryRef EntryOf(uint id) => range.First.After(id);
}
