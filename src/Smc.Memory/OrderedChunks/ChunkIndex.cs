using System.Runtime.CompilerServices;

namespace Smc.Memory.OrderedChunks;

/// <summary>
/// The chunks of a table in order, in pages of at most 512. Nothing of it changes: who replaces chunks makes a new index, which shares the other pages.
/// (Oak, section 3.1: the index, which maps lowest keys to chunks.)
/// </summary>
internal sealed class ChunkIndex
{
    private const int MaxPage = 512;

    private readonly Page[] _pages;

    private ChunkIndex(Page[] pages) => _pages = pages;

    /// <summary>An index of a single chunk, which has all keys.</summary>
    public ChunkIndex(Chunk only)
        : this([new Page([only])])
    {
    }

    public int Count => _pages.Sum(static page => page.Chunks.Length);

    public IEnumerable<Chunk> Chunks => _pages.SelectMany(static page => page.Chunks);

    /// <summary>The chunk that a key belongs to.</summary>
    public Chunk Find(ReadOnlySpan<byte> key)
    {
        (int page, int chunk) = PlaceOf(key, isBelow: false);
        return _pages[page].Chunks[chunk];
    }

    /// <summary>The chunk that keys directly below a key belong to.</summary>
    /// <param name="key">A key that is not empty.</param>
    public Chunk FindBelow(ReadOnlySpan<byte> key)
    {
        (int page, int chunk) = PlaceOf(key, isBelow: true);
        return _pages[page].Chunks[chunk];
    }

    public Chunk Last => _pages[^1].Chunks[^1];

    /// <summary>The chunk after one of this index, or if there is none the chunk before; null if it is the only one.</summary>
    public Chunk? Neighbour(Chunk chunk)
    {
        if (chunk.High is { } high) return Find(high);
        return chunk.Low.Length > 0 ? FindBelow(chunk.Low) : null;
    }

    /// <summary>An index with other chunks in the place of neighbours.</summary>
    /// <param name="old">Chunks of this index, neighbours in order.</param>
    /// <param name="made">Chunks with the same bounds as all of them together.</param>
    public ChunkIndex Replace(ReadOnlySpan<Chunk> old, ReadOnlySpan<Chunk> made)
    {
        (int firstPage, int first) = PlaceOf(old[0].Low, isBelow: false);
        (int lastPage, _) = PlaceOf(old[^1].Low, isBelow: false);
        Chunk[] chunks = [.. _pages[firstPage..(lastPage + 1)].SelectMany(static page => page.Chunks)];
        Chunk[] changed = [.. chunks.AsSpan(0, first), .. made, .. chunks.AsSpan(first + old.Length)];
        Page[] pages = changed.Length <= MaxPage
            ? [new Page(changed)]
            : [new Page(changed[..(changed.Length / 2)]), new Page(changed[(changed.Length / 2)..])];
        return new ChunkIndex([.. _pages.AsSpan(0, firstPage), .. pages, .. _pages.AsSpan(lastPage + 1)]);
    }

    private (int Page, int Chunk) PlaceOf(ReadOnlySpan<byte> key, bool isBelow)
    {
        ulong prefix = ChunkPrefix.Of(key);
        int low = 0;
        for (int high = _pages.Length - 1; low < high;)
        {
            int middle = (low + high + 1) / 2;
            if (Begins(_pages[middle], 0, key, prefix, isBelow)) low = middle;
            else high = middle - 1;
        }
        Page page = _pages[low];
        int first = 0;
        for (int last = page.Chunks.Length - 1; first < last;)
        {
            int middle = (first + last + 1) / 2;
            if (Begins(page, middle, key, prefix, isBelow)) first = middle;
            else last = middle - 1;
        }
        return (low, first);
    }

    // True if the chunk's lowest key is at most the key, or below it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Begins(Page page, int chunk, ReadOnlySpan<byte> key, ulong prefix, bool isBelow)
    {
        ulong own = page.Prefixes[chunk];
        if (own != prefix) return own < prefix;
        int order = page.Chunks[chunk].Low.AsSpan().SequenceCompareTo(key);
        return order < 0 || (order == 0 && !isBelow);
    }

    private sealed class Page
    {
        public Page(Chunk[] chunks)
        {
            Chunks = chunks;
            Prefixes = new ulong[chunks.Length];
            for (int i = 0; i < chunks.Length; i++) Prefixes[i] = ChunkPrefix.Of(chunks[i].Low);
        }

        public Chunk[] Chunks { get; }

        /// <summary>The prefixes of the chunks' lowest keys.</summary>
        public ulong[] Prefixes { get; }
    }
}
