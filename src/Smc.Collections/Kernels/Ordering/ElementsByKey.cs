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
    /// <summary>So many scans take as long as to keep the rows and to sort them.</summary>
    public const int ScansFirst = 16;

    private const int DigitBits = 11;

    /// <summary>Fewer entries are merged: counting digits costs as much as some thousand entries.</summary>
    private const int FewEntries = 4_096;

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

    /// <summary>Makes look-ups possible, after the last element. O(n) for each 11 bits by which keys differ, and nothing to do where elements came in the order of their keys.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Sort(ref Region region)
    {
        if (!_isUnsorted)
            return;
        if (_entries.Count < FewEntries)
            StableSort.Sort(ref region, ref _entries, null);
        else
            SortByDigits(ref region);
        for (int i = 1; i < _entries.Count && !_sortsFound; i++)
            _sortsFound = _entries[i - 1].Exact == _entries[i].Exact && _entries[i - 1].Number > _entries[i].Number;
    }

    /// <summary>Finds elements. O(log n), and a sort of what is found where elements do not come in the order of their keys.</summary>
    /// <param name="exact">Their first key.</param>
    /// <param name="keys">What their second key is between.</param>
    /// <param name="scratch">Memory of the caller's, from look-up to look-up; what was found before in it is gone.</param>
    /// <param name="region">Where <paramref name="scratch"/> grows.</param>
    /// <returns>Their numbers, ascending.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe FoundElements Find(ulong exact, ValueRange keys, ref RegionList<int> scratch, ref Region region)
    {
        FoundElements found = FindInAnyOrder(exact, keys);
        if (!_sortsFound)
            return found;
        scratch.Truncate(0);
        scratch.Reserve(ref region, found.Count);
        while (found.Next(out int number))
            scratch.AddIf(true, number);
        // SAFETY: the numbers lie in the scratch list, which nobody adds to until the next look-up.
        new Span<int>((void*)scratch.Address, scratch.Count).Sort();
        return new FoundElements(scratch.Address, scratch.Count, sizeof(int));
    }

    /// <summary>Finds elements for who wants to know of one, whichever it is: nothing is sorted for it. O(log n).</summary>
    /// <param name="exact">Their first key.</param>
    /// <param name="keys">What their second key is between.</param>
    /// <returns>Their numbers, in the order of the second key.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe FoundElements FindInAnyOrder(ulong exact, ValueRange keys)
    {
        if (keys.IsEmpty)
            return default;
        int first = CountBelow(exact, keys.Low, countsEqual: false), end = CountBelow(exact, keys.High, countsEqual: true);
        // SAFETY: entries [first, end) lie in the list.
        return new FoundElements(_entries.Address + ((ulong)first * (ulong)sizeof(Entry)) + Entry.NumberOffset, end - first, sizeof(Entry));
    }

    /// <summary>A radix sort from the last digit to the first, over the digits by which keys differ.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void SortByDigits(ref Region region)
    {
        ulong leastExact = ulong.MaxValue, mostExact = 0;
        long least = long.MaxValue, most = long.MinValue;
        for (int i = 0; i < _entries.Count; i++)
        {
            ref Entry entry = ref _entries[i];
            leastExact = Math.Min(leastExact, entry.Exact);
            mostExact = Math.Max(mostExact, entry.Exact);
            least = Math.Min(least, entry.Key);
            most = Math.Max(most, entry.Key);
        }

        // SAFETY: both memories hold Count entries, and so many places are counted.
        Entry* from = (Entry*)_entries.Address, to = (Entry*)_entries.AllocateSameSize(ref region);
        int* places = (int*)region.Allocate(sizeof(int) << DigitBits);
        for (ulong span = unchecked((ulong)(most - least)), shift = 0; shift < 64 && span >> (int)shift != 0; shift += DigitBits)
            Spread(ref from, ref to, _entries.Count, places, (int)shift, unchecked((ulong)least), isExact: false);
        for (ulong span = mostExact - leastExact, shift = 0; shift < 64 && span >> (int)shift != 0; shift += DigitBits)
            Spread(ref from, ref to, _entries.Count, places, (int)shift, leastExact, isExact: true);
        _entries.Replace((ulong)from);
    }

    /// <summary>Brings entries into the order of one digit, and exchanges both memories.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Spread(ref Entry* from, ref Entry* to, int count, int* places, int shift, ulong least, bool isExact)
    {
        const ulong Digits = (1UL << DigitBits) - 1;
        new Span<int>(places, 1 << DigitBits).Clear();
        for (nint i = 0; i < count; i++)
            places[(((isExact ? from[i].Exact : (ulong)from[i].Key) - least) >> shift) & Digits]++;
        int place = 0;
        for (nint digit = 0; digit <= (nint)Digits; digit++)
            (places[digit], place) = (place, place + places[digit]);
        for (nint i = 0; i < count; i++)
            to[places[(((isExact ? from[i].Exact : (ulong)from[i].Key) - least) >> shift) & Digits]++] = from[i];
        Entry* sorted = to;
        to = from;
        from = sorted;
    }

    /// <summary>How many entries come before a pair of keys, those with the same pair counted or not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
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
