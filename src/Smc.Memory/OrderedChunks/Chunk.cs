using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Slices;

namespace Smc.Memory.OrderedChunks;

/// <summary>
/// A piece of a table: the keys from <see cref="Low"/> up to, but without, <see cref="High"/>, in order. Some cells are sorted; each of these, and the place before the first, begins
/// a chain of cells that came later and belong behind it.
/// </summary>
/// <remarks>
/// Invariants. C1: sorted cells are 0 to <c>sorted - 1</c>, ascending; chained cells are the last ones, ascending in their chain, between the sorted cell that begins it and the next.
/// C2: a cell's key never changes, and a cell never leaves its place. C3: cells, links, values and the counts change under the latch only, and not once the chunk is
/// frozen. C4: the bounds never change, and every key lies within them. So readers need neither latch nor retry: what they see was there at one moment
/// of their look-up, in a frozen chunk the moment at which others took its place.
/// (Oak, section 4.1: the sorted prefix and the bypasses of a chunk.)
/// </remarks>
internal sealed class Chunk
{
    private readonly ChunkLayout _layout;
    private readonly unsafe ulong* _prefixes;
    private readonly SortedPrefixes _sortedPrefixes;
    private readonly unsafe ulong* _keys;
    private readonly unsafe ulong* _values;
    private readonly unsafe ushort* _links;

    // Bytes that all keys begin with, because the bounds do; prefixes are taken behind them.
    private readonly int _skip;
    private int _sorted;
    private int _chained;
    private int _live;
    private bool _hasLongChain;

    public Latch Latch;

    /// <summary>Makes an empty chunk in a slice that nobody else has.</summary>
    public unsafe Chunk(ChunkLayout layout, SlicePlace place, byte[] low, byte[]? high)
    {
        _layout = layout;
        Place = place;
        Low = low;
        High = high;
        _skip = high is null ? 0 : Math.Min(low.AsSpan().CommonPrefixLength(high), layout.MostSkipped);
        // SAFETY: the slice has layout.Length bytes and belongs to the chunk.
        byte* start = (byte*)Unsafe.AsPointer(ref place.Bytes((uint)layout.Length)[0]);
        _prefixes = (ulong*)(start + layout.PrefixesAt);
        _sortedPrefixes = new SortedPrefixes((ulong*)(start + ChunkLayout.SamplesAt), _prefixes);
        _keys = (ulong*)(start + layout.KeysAt);
        _values = (ulong*)(start + layout.ValuesAt);
        _links = (ushort*)(start + layout.LinksAt);
        _links[0] = ChunkLayout.End;
    }

    public SlicePlace Place { get; }

    /// <summary>The lowest key that belongs here; empty for the first chunk.</summary>
    public byte[] Low { get; }

    /// <summary>The lowest key that belongs to the next chunk; null for the last one.</summary>
    public byte[]? High { get; }

    /// <summary>Set, under the latch, when other chunks take the place of this one.</summary>
    public bool IsFrozen { get; set; }

    /// <summary>Cells with a value.</summary>
    public int Live => Volatile.Read(ref _live);

    /// <summary>Cells that there is room for.</summary>
    public int Capacity => _layout.Capacity;

    /// <summary>Cells in use.</summary>
    public int Used => _sorted + _chained;

    /// <summary>True if all cells are sorted and have values: keys came in ascending order.</summary>
    public bool IsAppended => _chained == 0 && _live == _sorted;

    public bool IsFull => Used == _layout.Capacity;

    /// <summary>True if the chunk has so few keys that it should join a neighbour.</summary>
    public bool IsSmall => _live < _layout.Capacity / 4 && (High is not null || Low.Length > 0);

    /// <summary>True if searching would gain from writing the chunk anew.</summary>
    public bool NeedsRebuild => IsFull || _hasLongChain || _chained > Math.Max(_layout.Slack, _sorted / 2) || Used - _live > Math.Max(_layout.Slack, Used / 4);

    /// <summary>The sorted cells at this moment. Acquire: what is read of them comes after.</summary>
    public int Sorted => Volatile.Read(ref _sorted);

    /// <summary>The prefixes of the sorted cells.</summary>
    public SortedPrefixes SortedPrefixes => _sortedPrefixes;

    /// <summary>The 8 bytes of a key by which it is compared first.</summary>
    /// <param name="key">A key within the bounds.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong PrefixOf(ReadOnlySpan<byte> key) => ChunkPrefix.Of(key[_skip..]);

    /// <summary>Finds the cell of a key.</summary>
    /// <param name="key">A key within the bounds.</param>
    /// <param name="prefix">Its prefix.</param>
    /// <param name="place">If it has no cell: where one would be.</param>
    /// <returns>The cell, or -1.</returns>
    /// <safety>The caller is in a critical section in which it found the chunk.</safety>
    public int Find(ReadOnlySpan<byte> key, ulong prefix, out ChunkGap place)
    {
        place = default;
        int position = SortedAtOrBelow(key, prefix);
        if (position >= 0 && Compare(position, key, prefix) == 0) return position;
        int before = position;
        int steps = 0;
        for (int cell = Next(before); cell != ChunkLayout.End; cell = Next(cell))
        {
            int order = Compare(cell, key, prefix);
            if (order == 0) return cell;
            if (order > 0) break;
            before = cell;
            steps++;
        }
        place = new ChunkGap(position, before, steps);
        return -1;
    }

    /// <summary>The last sorted cell whose key is not above a key, or -1.</summary>
    /// <param name="key">A key within the bounds, or the upper bound.</param>
    /// <param name="prefix">Its prefix.</param>
    public unsafe int SortedAtOrBelow(ReadOnlySpan<byte> key, ulong prefix)
    {
        int sorted = Sorted;
        int end = _sortedPrefixes.CountUpTo(sorted, prefix);
        if (_layout.IsPrefixWhole || end == 0 || _prefixes[end - 1] != prefix) return end - 1;
        // Several keys may have the prefix.
        int first = prefix == 0 ? 0 : _sortedPrefixes.CountUpTo(sorted, prefix - 1);
        while (first < end)
        {
            int middle = (first + end) / 2;
            if (CompareRest(middle, key) > 0) end = middle;
            else first = middle + 1;
        }
        return first - 1;
    }

    /// <summary>Asks the processor for what a change of a cell reads beside the prefix.</summary>
    /// <safety>As <see cref="Find"/>.</safety>
    public unsafe void PrefetchCell(int cell)
    {
        Platform.Prefetch.Line((ulong)(_values + cell));
        if (!_layout.IsPrefixWhole) Platform.Prefetch.Line((ulong)(_keys + cell));
        Platform.Prefetch.Line((ulong)(_links + cell + 1));
    }

    /// <summary>The next cell in a chain, or <see cref="ChunkLayout.End"/>. Acquire: what is read of it comes after; partner: <see cref="Link"/>.</summary>
    /// <param name="cell">A cell, or -1 for the chain before the first sorted one.</param>
    public unsafe int Next(int cell) => Volatile.Read(ref _links[cell + 1]); // SAFETY: the caller's section keeps the slice.

    /// <summary>The value of a cell, 0 if its key is not in the table.</summary>
    public unsafe ulong ValueOf(int cell) => Volatile.Read(ref _values[cell]); // SAFETY: as in Next.

    /// <summary>The slice of a cell's key; none if keys have no slices.</summary>
    public unsafe ChunkKey SliceOf(int cell) => new(_layout.HasKeySlices ? _keys[cell] : 0); // SAFETY: as in Next; keys of cells that a reader found do not change.

    /// <summary>Compares the key of a cell with a key within the bounds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe int Compare(int cell, ReadOnlySpan<byte> key, ulong prefix)
    {
        // SAFETY: as in Next.
        ulong own = _prefixes[cell];
        if (own != prefix) return own < prefix ? -1 : 1;
        return _layout.IsPrefixWhole ? 0 : CompareRest(cell, key);
    }

    /// <summary>Bytes of a cell's key.</summary>
    public int LengthOf(int cell) => _layout.HasKeySlices ? SliceOf(cell).Bytes.Length : _layout.KeyLength;

    /// <summary>Copies the key of a cell.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="destination">At least <see cref="LengthOf"/> bytes.</param>
    public unsafe void CopyKey(int cell, Span<byte> destination)
    {
        if (_layout.HasKeySlices)
        {
            SliceOf(cell).Bytes.CopyTo(destination);
            return;
        }
        // SAFETY: as in Next.
        Span<byte> prefix = stackalloc byte[ChunkPrefix.Bytes];
        BinaryPrimitives.WriteUInt64BigEndian(prefix, _prefixes[cell]);
        if (_layout.IsPrefixWhole)
        {
            prefix[.._layout.KeyLength].CopyTo(destination);
            return;
        }
        // What is skipped, the prefix and the last bytes are the whole key; the last two may overlap.
        Low.AsSpan(0, _skip).CopyTo(destination);
        prefix.CopyTo(destination[_skip..]);
        BinaryPrimitives.WriteUInt64BigEndian(destination[(_layout.KeyLength - ChunkPrefix.Bytes)..], _keys[cell]);
    }

    /// <summary>Changes the value of a cell.</summary>
    /// <returns>The value before.</returns>
    /// <safety>The caller holds the latch, and the chunk is not frozen.</safety>
    public unsafe ulong Exchange(int cell, ulong value)
    {
        ulong before = _values[cell];
        // Release: what the value refers to comes before; partner: ValueOf.
        Volatile.Write(ref _values[cell], value);
        Volatile.Write(ref _live, _live + (value != 0 ? 1 : 0) - (before != 0 ? 1 : 0));
        return before;
    }

    /// <summary>Adds a cell.</summary>
    /// <param name="prefix">The key's prefix.</param>
    /// <param name="key">The key.</param>
    /// <param name="slice">Its slice, which belongs to the chunk from here on; none if keys have none.</param>
    /// <param name="value">The value, not 0.</param>
    /// <param name="place">Where <see cref="Find"/> missed the key, under the same latch.</param>
    /// <safety>As <see cref="Exchange"/>, and the chunk is not full.</safety>
    public unsafe void Insert(ulong prefix, ReadOnlySpan<byte> key, ChunkKey slice, ulong value, ChunkGap place)
    {
        // Above all others: sorted cells grow upwards, chained ones downwards from the end.
        bool isHighest = place.Position == _sorted - 1 && Next(place.Before) == ChunkLayout.End;
        int cell = isHighest ? _sorted : _layout.Capacity - 1 - _chained;
        Fill(cell, prefix, _layout.HasKeySlices ? slice.Word : _layout.IsPrefixWhole ? 0 : ChunkPrefix.Rest(key, _layout.KeyLength), value);
        if (isHighest)
        {
            _sortedPrefixes.NoteSorted(cell);
            Volatile.Write(ref _sorted, cell + 1);
        }
        else
        {
            Link(cell, place);
        }
        Volatile.Write(ref _live, _live + 1);
    }

    /// <summary>Adds the cells of other chunks, in order, to a chunk that nobody else has.</summary>
    public unsafe void Append(Chunk source, int cell)
    {
        ulong prefix = source._skip == _skip ? source._prefixes[cell] : PrefixOf(source, cell);
        Fill(_sorted, prefix, _layout.IsPrefixWhole ? 0 : source._keys[cell], source._values[cell]);
        _sortedPrefixes.NoteSorted(_sorted);
        _sorted++;
        _live++;
    }

    // Release: the cell comes before the link or the count that shows it.
    private unsafe void Link(int cell, ChunkGap place)
    {
        _links[cell + 1] = _links[place.Before + 1];
        Volatile.Write(ref _links[place.Before + 1], (ushort)cell);
        _chained++;
        _hasLongChain |= place.Steps >= _layout.Slack;
    }

    private ulong PrefixOf(Chunk source, int cell)
    {
        if (_layout.HasKeySlices) return PrefixOf(source.SliceOf(cell).Bytes);
        Span<byte> key = stackalloc byte[ChunkLayout.TwoWords];
        source.CopyKey(cell, key);
        return PrefixOf(key[.._layout.KeyLength]);
    }

    private unsafe void Fill(int cell, ulong prefix, ulong key, ulong value)
    {
        // SAFETY: nobody reads a cell that is neither linked nor counted.
        _prefixes[cell] = prefix;
        if (!_layout.IsPrefixWhole) _keys[cell] = key;
        _values[cell] = value;
        _links[cell + 1] = ChunkLayout.End;
    }

    // Of a cell whose prefix is that of the key. A bound may be shorter, or longer, than keys are.
    private unsafe int CompareRest(int cell, ReadOnlySpan<byte> key)
    {
        if (_layout.HasKeySlices) return SliceOf(cell).Bytes[_skip..].SequenceCompareTo(key[_skip..]);
        int order = _keys[cell].CompareTo(ChunkPrefix.Rest(key, _layout.KeyLength)); // SAFETY: as in Next.
        return order != 0 ? order : _layout.KeyLength.CompareTo(key.Length);
    }
}

/// <summary>Where a key that has no cell belongs in a chunk.</summary>
/// <param name="Position">The last sorted cell with a lower key, or -1.</param>
/// <param name="Before">The last cell of its chain with a lower key, or <paramref name="Position"/>.</param>
/// <param name="Steps">Cells of the chain up to there.</param>
internal readonly record struct ChunkGap(int Position, int Before, int Steps);
