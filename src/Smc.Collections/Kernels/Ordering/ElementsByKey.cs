using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The numbers of kept elements by two keys of each: one that is asked for exactly and one that is asked for between bounds. A look-up is a binary search: a sliding window costs what is in it,
/// not a pass over all elements.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct ElementsByKey
{
    private RegionList<Entry> _entries;
    private bool _isUnsorted;

    /// <summary>Whether numbers do not rise with the key between bounds: what a look-up finds is sorted then, as elements are given in their order.</summary>
    private bool _sortsFound;

    /// <summary>Adds the next element.</summary>
    /// <param name="exact">The key that is asked for exactly; 0 where there is none.</param>
    /// <param name="key">The key that is asked for between bounds; 0 where there is none.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There are as many elements as <see cref="int"/> can number, or there is no memory.</exception>
    public void Add(ulong exact, long key, ref Region region)
    {
        Entry entry = new() { Exact = exact, Key = key, Number = _entries.Count };
        _isUnsorted |= entry.Number > 0 && Entry.Compare(_entries[entry.Number - 1], entry, null) > 0;
        _entries.Add(ref region, entry);
    }

    /// <summary>Makes look-ups possible, after the last element. O(n log n), and nothing to do where elements came in the order of their keys.</summary>
    public void Sort(ref Region region)
    {
        if (!_isUnsorted)
            return;
        StableSort.Sort(ref region, ref _entries, null);
        for (int i = 1; i < _entries.Count && !_sortsFound; i++)
            _sortsFound = _entries[i - 1].Exact == _entries[i].Exact && _entries[i - 1].Number > _entries[i].Number;
    }

    /// <summary>Finds elements. O(log n), and a sort of what is found where elements do not come in the order of their keys.</summary>
    /// <param name="exact">Their first key.</param>
    /// <param name="keys">What their second key is between.</param>
    /// <param name="scratch">Memory of the caller's, from look-up to look-up; what was found before in it is gone.</param>
    /// <param name="region">Where <paramref name="scratch"/> grows.</param>
    /// <returns>Their numbers, ascending.</returns>
    public readonly unsafe FoundElements Find(ulong exact, ValueRange keys, ref RegionList<int> scratch, ref Region region)
    {
        if (keys.IsEmpty)
            return default;
        int first = CountBelow(exact, keys.Low, countsEqual: false), end = CountBelow(exact, keys.High, countsEqual: true);
        // SAFETY: entries [first, end) lie in the list; so do the numbers in the scratch list, which nobody adds to until the next look-up.
        if (!_sortsFound)
            return new FoundElements(_entries.Address + ((ulong)first * (ulong)sizeof(Entry)) + Entry.NumberOffset, end - first, sizeof(Entry));
        scratch.Truncate(0);
        scratch.Reserve(ref region, end - first);
        for (int i = first; i < end; i++)
            scratch.AddIf(true, _entries[i].Number);
        new Span<int>((void*)scratch.Address, scratch.Count).Sort();
        return new FoundElements(scratch.Address, scratch.Count, sizeof(int));
    }

    /// <summary>How many entries come before a pair of keys, those with the same pair counted or not.</summary>
    private readonly int CountBelow(ulong exact, long key, bool countsEqual)
    {
        int low = 0, high = _entries.Count;
        while (low < high)
        {
            int middle = (int)(((uint)low + (uint)high) / 2);
            ref Entry entry = ref _entries[middle];
            bool isBelow = entry.Exact != exact ? entry.Exact < exact : countsEqual ? entry.Key <= key : entry.Key < key;
            (low, high) = isBelow ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    private struct Entry : ISortRow<Entry>
    {
        public const ulong NumberOffset = 2 * sizeof(ulong);

        public ulong Exact;
        public long Key;
        public int Number;

        public static int Compare(in Entry left, in Entry right, SortTexts? texts) => left.Exact != right.Exact ? left.Exact.CompareTo(right.Exact) : left.Key.CompareTo(right.Key);
    }
}

/// <summary>The numbers of elements that a look-up found, one after the other. Good until the next look-up with the same scratch memory.</summary>
/// <param name="address">Where the first number lies.</param>
/// <param name="count">How many there are.</param>
/// <param name="stride">From one number to the next.</param>
/// <safety>So many numbers lie there, in the query's region.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FoundElements(ulong address, int count, int stride)
{
    private readonly ulong _stride = (ulong)stride;
    private readonly ulong _end = address + ((ulong)count * (ulong)stride);
    private ulong _next = address;

    /// <summary>Gives the next number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Next(out int number)
    {
        bool isThere = _next != _end;
        number = isThere ? KernelMemory.Read<int>(_next) : 0;
        _next += _stride;
        return isThere;
    }
}
