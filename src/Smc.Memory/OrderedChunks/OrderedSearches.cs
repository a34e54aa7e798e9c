using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.OrderedChunks;

namespace Smc.Memory;

/// <summary>Searches for several keys of a table that go on in step, so that the processor waits for memory once for all of them. What changes of these keys read is in its cache then.</summary>
/// <remarks>
/// A search of a chunk of some thousand cells misses the cache six or seven times, each time before it knows where to look next. Nothing that is found here counts: the table may change meanwhile.
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
        search.First = 0;
        search.Left = chunk.Sorted;
        search.PrefetchNext();
    }

    /// <summary>Makes the searches and asks for the cells that they end at.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly void Run()
    {
        Span<Search> searches = _searches.First(_count);
        bool isAnyLeft = _count > 0;
        while (isAnyLeft)
        {
            isAnyLeft = false;
            foreach (ref Search search in searches)
            {
                if (search.Left <= 1) continue;
                int half = search.Left / 2;
                // SAFETY: the caller's section keeps the slices of chunks that it found; sorted cells are complete.
                bool isBelow = search.Chunk.PrefixAt(search.First + half - 1) <= search.Prefix;
                // Not a branch, which the compiler makes of a condition within a loop: half of them would be guessed wrong.
                search.First += half & -Unsafe.BitCast<bool, byte>(isBelow);
                search.Left -= half;
                search.PrefetchNext();
                isAnyLeft |= search.Left > 1;
            }
        }
        foreach (ref Search search in searches) search.Chunk.PrefetchCell(search.First);
    }

    private struct Search
    {
        public Chunk Chunk;
        public int First;
        public ulong Prefix;
        public int Left;

        public readonly void PrefetchNext() => Chunk.PrefetchPrefix(First + (Left / 2));
    }

    [InlineArray(Most)]
    private struct Searches
    {
        private Search _first;

        public readonly Span<Search> First(int count) => System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref Unsafe.AsRef(in _first), count);
    }
}
