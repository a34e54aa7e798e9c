using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows that an ordered index finds for the keys of a join's left side: any number for each key, in the order in which a table would have them.</summary>
/// <remarks>
/// A word of the index is believed only if its row has the key, at the look-up and in the end: while neither the count of moves nor the key of a row that was found has changed, a row that is there all the
/// time is found by the key that it had all the time, or that it has had since a setter stored it. One that is found without having the key is in the hands of a setter, of which the count may not tell yet, so nothing counts then.
/// docs/decisions/0036-partners-by-index.md.
/// </remarks>
/// <safety>Used with one region, in the critical section in which the index was seen.</safety>
internal unsafe struct OrderedPartners(SortedIndex index, KeyPart[] parts, long most)
{
    private const int KeyBytes = 128;
    private const int LeastRoom = 64;
    private const int MoreRoom = 4;
    private const int Samples = 4;

    // Of all keys.
    private RegionList<ulong> _handles;
    private long _left = most;

    // Of the last key.
    private ulong _places;
    private long _room;
    private int _coming;
    private BlockList? _blocks;

    /// <summary>About how many rows have the same key as a row of the collection.</summary>
    /// <param name="index">The index.</param>
    /// <param name="parts">The columns with which it begins.</param>
    /// <param name="most">It need not be known whether there are more.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static double TypicalRows(SortedIndex index, KeyPart[] parts, long most)
    {
        BlockList blocks = SnapshotScope.BlocksOf(index.Context);
        Span<byte> from = stackalloc byte[KeyBytes], to = stackalloc byte[KeyBytes];
        double rows = 0;
        int samples = 0;
        for (int i = 0; i < Samples && blocks.Count > 0; i++)
        {
            double share = (i + 0.5) / Samples;
            BlockRef block = blocks[(int)(share * blocks.Count)];
            RowLocation row = new(block, (int)(share * block.SlotCount));
            if (!row.IsVisible || !KeyImage.TryReadWords(parts, row, out KeyImage key) || KeyOrder.MaxLength(parts, in key) > KeyBytes)
                continue;
            rows += index.EstimateOf(SortedIndex.IntervalOf(parts, in key, from, to), most);
            samples++;
        }

        return samples == 0 ? 1 : rows / samples;
    }

    /// <summary>Looks a key up, which is asked for the first time. <see cref="MoveNext"/> gives its rows.</summary>
    /// <param name="region">Where rows are kept.</param>
    /// <param name="key">The key.</param>
    /// <param name="moves">The index's count of moves before the first look-up.</param>
    /// <param name="rows">What <see cref="HaveStill"/> asks for.</param>
    /// <returns>False if it is in vain: there are more rows than pay, or somebody changes keys.</returns>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool TryFind(scoped ref Region region, scoped ref readonly KeyImage key, long moves, out RowsOfKey rows)
    {
        rows = new RowsOfKey(_handles.Count, 0);
        int length = KeyOrder.MaxLength(parts, in key);
        Span<byte> from = stackalloc byte[KeyBytes], to = stackalloc byte[KeyBytes];
        if (length > KeyBytes)
        {
            // SAFETY: memory of the region, which is there as long as the query.
            from = new Span<byte>((void*)region.Allocate(length), length);
            to = new Span<byte>((void*)region.Allocate(length), length);
        }

        int found = Copy(ref region, SortedIndex.IntervalOf(parts, in key, from, to), moves);
        if (found < 0)
            return false;
        int count = 0;
        for (int i = 0; i < found; i++)
        {
            ulong handle = Places[i];
            if (!Handle.TryLocate(handle, out RowLocation location) || !location.IsVisible)
                continue;
            if (!key.IsAt(location))
                return false;
            Places[count++] = handle;
            _handles.Add(ref region, handle);
        }

        rows = new RowsOfKey(rows.First, count);
        _blocks = SnapshotScope.BlocksOf(index.Context);
        _coming = SoughtRows.Place(new Span<ulong>(Places, count), _blocks);
        return _coming >= 0;
    }

    /// <summary>The next row of the last key, from the last in the order of the scan to the first.</summary>
    public bool MoveNext(out RowLocation location)
    {
        location = default;
        if (_coming <= 0)
            return false;
        ulong place = Places[--_coming];
        location = new RowLocation(_blocks![(int)(place >> 32)], (int)(uint)place);
        return true;
    }

    /// <summary>Whether all rows of a key that are still there have it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly bool HaveStill(ref readonly KeyImage key, RowsOfKey rows)
    {
        for (int i = 0; i < rows.Count; i++)
        {
            if (Handle.TryLocate(_handles[rows.First + i], out RowLocation location) && !key.IsAt(location))
                return false;
        }

        return true;
    }

    private readonly ulong* Places => (ulong*)_places;

    /// <summary>Copies the handles of an interval.</summary>
    /// <returns>How many; -1 if there are more than pay, or somebody changes keys.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int Copy(scoped ref Region region, scoped KeyInterval interval, long moves)
    {
        long expected = index.EstimateOf(interval, _left);
        for (long room = Math.Max(LeastRoom, 2 * expected); expected <= _left; room *= MoreRoom)
        {
            if (_room < room)
            {
                _places = region.Allocate(room * sizeof(ulong));
                _room = room;
            }

            int found = index.CopyRows(interval, new Span<ulong>(Places, (int)Math.Min(_room, int.MaxValue)));
            if (found >= 0)
            {
                _left -= found;
                return found;
            }

            if (room > _left || index.Moves != moves)
                return -1;
        }

        return -1;
    }
}
