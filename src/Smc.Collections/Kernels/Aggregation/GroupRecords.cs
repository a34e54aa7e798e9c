using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The groups of a query in its region: key words, then accumulators, which begin as zero. They are numbered in order of first occurrence, and lie in places: side by side in that
/// order, or, for keys that are small indexes such as dense ids, each at its index, so that a row finds its group by arithmetic. Where indexes are many and groups may be few, a map
/// of numbers gives the place of an index.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct GroupRecords(int recordBytes)
{
    /// <summary>How many groups before it is needed a row is asked for: so many cache misses run side by side.</summary>
    public const int Ahead = 16;

    private const int FirstCapacity = 64;

    /// <summary>A place for each index may take so many bytes for each row of the scan: clearing them costs no more than reading a few columns.</summary>
    private const int MostBytesForRow = 32;

    /// <summary>The same for a scan with filters, which may leave few of the rows.</summary>
    private const int MostBytesForFilteredRow = 2;

    /// <summary>The key of the place of indexes that have none of their own: no handle looks like this.</summary>
    private const ulong NoKey = ulong.MaxValue;

    private readonly int _recordBytes = recordBytes;
    private ulong _base;
    private ulong _map;
    private int _capacity;
    private int _places;
    private ulong _lastIndex;
    private bool _isOrdered = true;
    private RegionList<int> _order;

    /// <summary>The number of groups.</summary>
    public readonly int Count => _isOrdered ? _places : _order.Count;

    /// <summary>The place of the next group that <see cref="Add"/> adds.</summary>
    public readonly int NextPlace => _places;

    /// <summary>Bytes of what indexes have.</summary>
    public readonly ulong IndexedBytes => _isOrdered ? 0 : (_lastIndex + 1) * (_map == 0 ? (ulong)_recordBytes : sizeof(uint));

    /// <summary>The address of a group; valid until the next group is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong At(uint number) => Place(_isOrdered ? (int)number : _order[(int)number]);

    /// <summary>The address of a place; valid until the next group is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong Place(int place) => _base + ((ulong)(uint)place * (ulong)(uint)_recordBytes);

    /// <summary>The place of the group at an address.</summary>
    public readonly int PlaceAt(ulong record) => (int)((record - _base) / (ulong)_recordBytes);

    /// <summary>Gives indexes places of their own. Comes before the first group; keys have one word, which is never 0.</summary>
    /// <param name="indexes">The number of indexes.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="isFiltered">Whether some rows may not come to any group, so that places for all indexes may be too many.</param>
    /// <param name="region">The query's region.</param>
    public void PlaceByIndex(ulong indexes, long rows, bool isFiltered, ref Region region)
    {
        bool hasPlaces = indexes < RegionGrowth.MostElements - 2 && (indexes + 1) * (ulong)_recordBytes <= (ulong)rows * (ulong)(isFiltered ? MostBytesForFilteredRow : MostBytesForRow);
        _isOrdered = false;
        _lastIndex = indexes;
        _places = _capacity = hasPlaces ? (int)indexes + 1 : 1;
        _base = region.AllocateZeroed((long)_capacity * _recordBytes);
        KernelMemory.Write(Place(_places - 1), NoKey);
        _map = hasPlaces ? 0 : region.AllocateZeroed((long)(indexes + 1) * sizeof(uint));
        ReserveOrder(ref region);
    }

    /// <summary>The address of the place of an index; of one that holds no key of any group if the index has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong AtIndex(ulong index)
    {
        ulong bounded = Math.Min(index, _lastIndex);
        return _base + ((_map == 0 ? bounded : KernelMemory.Read<uint>(_map + (bounded * sizeof(uint)))) * (ulong)(uint)_recordBytes);
    }

    /// <summary>Gives the place of an index to a key, which may have it already. Without a branch.</summary>
    /// <param name="index">The index.</param>
    /// <param name="record">What <see cref="AtIndex"/> gives for it; holds the key, or nothing.</param>
    /// <param name="key">The key.</param>
    /// <param name="isNew">Whether it holds nothing.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Claim(ulong index, ulong record, ulong key, bool isNew)
    {
        KernelMemory.Write(record, key);
        _order.AddIf(isNew, (int)index);
    }

    /// <summary>Makes a group in a place that an index of the map gets; false if it has one, which another key holds, and where there is no map.</summary>
    public bool TryAdd(ulong index, ulong key, ref Region region, out ulong record)
    {
        record = 0;
        ulong entry = _map + (index * sizeof(uint));
        if (_map == 0 || index >= _lastIndex || KernelMemory.Read<uint>(entry) != 0)
            return false;
        KernelMemory.Write(entry, (uint)_places);
        record = Add(ref region);
        KernelMemory.Write(record, key);
        return true;
    }

    /// <summary>Asks for the row that a group's key refers to: its entry first, its value when the entry has come, <see cref="Ahead"/> / 2 groups later.</summary>
    /// <param name="number">A group that is still <see cref="Ahead"/> groups away; nothing happens past the last.</param>
    /// <param name="key">Where groups have the handle.</param>
    /// <param name="column">From a block's base to the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <safety>The caller is inside the critical section of the query.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void PrefetchRow(int number, ulong key, ulong column, ulong stride)
    {
        if (number >= Count)
            return;
        KernelMemory.Prefetch(Handle.EntryAddress(KernelMemory.Read<ulong>(At((uint)number) + key)));
        ulong handle = KernelMemory.Read<ulong>(At((uint)number - (Ahead / 2)) + key);
        if (handle != 0 && Handle.TryLocate(handle, out ulong location))
            KernelMemory.Prefetch(KernelMemory.AddressAt(location, column, stride));
    }

    /// <summary>Adds a group with zeroed memory, in a place behind the others, and returns its address. Groups may move.</summary>
    /// <exception cref="OffHeapMemoryException">There are as many groups as <see cref="int"/> can number, or there is no memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public ulong Add(ref Region region)
    {
        if (_places == _capacity)
            Grow(ref region);
        int place = _places++;
        if (!_isOrdered)
        {
            _order.AddIf(true, place);
            ReserveOrder(ref region);
        }

        return Place(place);
    }

    /// <summary>Makes room for every place that is there, one more that is added, and the one behind the last that <see cref="Claim"/> writes.</summary>
    private void ReserveOrder(ref Region region) => _order.Reserve(ref region, _places + 2L);

    private unsafe void Grow(ref Region region)
    {
        int capacity = RegionGrowth.Next(_capacity, FirstCapacity, _places + 1L);
        ulong memory = region.AllocateZeroed((long)capacity * _recordBytes);
        // SAFETY: both ranges hold so many places.
        Buffer.MemoryCopy((void*)_base, (void*)memory, (long)capacity * _recordBytes, (long)_places * _recordBytes);
        _base = memory;
        _capacity = capacity;
    }
}
