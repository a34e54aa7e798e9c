using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.OrderedChunks;

namespace Smc.Memory;

/// <summary>Searches for several keys of a table that go on in step, so that the processor waits for memory once for all of them. What changes of these keys read is in its cache then.</summary>
/// <remarks>
/// A search of a chunk of some thousand cells waits for memory three times, each time before it knows where to look next (<see cref="SortedPrefixes"/>). Nothing that is found here counts: the table may change meanwhile.
/// </remarks>
/// <safety>Made and used in one critical section.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct OrderedSearches
{
    /// <summary>Keys at most: their lines stay in the first cache.</summary>
    public const int Most = 32;

    private readonly TableChunks _chunks;
    private Searches _searches;
    private int _count;

    /// <summary>Begins without a key.</summary>
    public OrderedSearches(OrderedTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        _chunks = table.Chunks;
    }

    /// <summary>Adds a key, or one beside it.</summary>
    public void Add(scoped ReadOnlySpan<byte> key)
    {
        if (_chunks.TryFind(key) is not { } chunk) return;
        ref Search search = ref _searches[_count++];
        search.Chunk = chunk;
        search.Prefix = chunk.PrefixOf(key);
        search.Sorted = chunk.Sorted;
        chunk.SortedPrefixes.PrefetchSamples(search.Sorted);
    }

    /// <summary>Makes the searches and asks for the cells that they end at.</summary>
    public readonly void Run()
    {
        Span<Search> searches = _searches.First(_count);
        foreach (ref Search search in searches)
        {
            search.Group = search.Chunk.SortedPrefixes.GroupOf(search.Sorted, search.Prefix);
            search.Chunk.SortedPrefixes.PrefetchGroup(search.Group);
        }
        foreach (ref Search search in searches)
            search.Chunk.PrefetchCell(Math.Max(0, search.Chunk.SortedPrefixes.CountUpTo(search.Sorted, search.Group, search.Prefix) - 1));
    }

    private struct Search
    {
        public Chunk Chunk;
        public ulong Prefix;
        public int Sorted;
        public int Group;
    }

    [InlineArray(Most)]
    private struct Searches
    {
        private Search _first;

        public readonly Span<Search> First(int count) => System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref Unsafe.AsRef(in _first), count);
    }
}
