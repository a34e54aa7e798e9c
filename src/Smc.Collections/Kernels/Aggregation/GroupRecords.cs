using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
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

    /// <summary>A list of groups may have room for so many times those that it has.</summary>
    private const ulong MostRoom = 8;

    /// <summary>A place for each index may take so many bytes for each row of the scan: clearing them costs no more than reading a few columns.</summary>
    private const int MostBytesForRow = 32;

    /// <summary>The same for a scan with filters, which may leave few of the rows.</summary>
    private const int MostBytesForFilteredRow = 2;

    /// <summary>Where parts of a scan share one array, so many groups of a part can lie behind its indexes before it takes memory of its own.</summary>
    private const int ElsewhereInPart = 256;

    /// <summary>So many parts have room for them.</summary>
    private const int PartsWithElsewhere = 32;

    /// <summary>Rows of a batch that tell how far apart its places are.</summary>
    private const int Samples = 4;

    /// <summary>The key of the place of indexes that have none of their own: no handle looks like this.</summary>
    private const ulong NoKey = ulong.MaxValue;

    private readonly int _recordBytes = recordBytes;
    private ulong _base;
    private ulong _map;
    private int _capacity;
    private int _places;
    private ulong _firstIndex;
    private ulong _indexes;
    private ulong _lastIndex;
    private ulong _origin;
    private int _firstElsewhere;
    private int _cleared;
    private bool _isDivided;
    private bool _isByHandle;
    private bool _isOrdered = true;
    private RegionList<int> _order;
    private ulong _runs;

    /// <summary>The number of groups.</summary>
    public readonly int Count => _isOrdered ? _places : _order.Count;

    /// <summary>The place of the next group that <see cref="Add"/> adds.</summary>
    public readonly int NextPlace => _places;

    /// <summary>Bytes of what indexes have.</summary>
    public readonly ulong IndexedBytes => _isOrdered || _isDivided ? 0 : (_lastIndex + 1) * (_map == 0 ? (ulong)_recordBytes : sizeof(uint));

    /// <summary>The address of a group; valid until the next group is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong At(uint number) => Place(_isOrdered ? (int)number : _order[(int)number]);

    /// <summary>The address of a place; valid until the next group is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong Place(int place) => _base + ((ulong)(uint)place * (ulong)(uint)_recordBytes);

    /// <summary>The place of the group at an address.</summary>
    public readonly int PlaceAt(ulong record) => (int)((record - _base) / (ulong)_recordBytes);

    /// <summary>Gives indexes places of their own if these take little memory beside the rows of the scan. Comes before the first group; keys have one word, which is never 0.</summary>
    /// <param name="indexes">The number of indexes.</param>
    /// <param name="least">The key of index 0. No other key has the place of those that have none, and this one has another.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="region">The query's region.</param>
    /// <returns>Whether they have places.</returns>
    internal bool TryPlaceByIndex(ulong indexes, ulong least, long rows, ref Region region)
    {
        if (!HasPlaces(indexes, rows, isFiltered: true))
            return false;
        GivePlaces(indexes, hasPlaces: true, ref region);
        // Any word may be a key here, NoKey too: that is -1.
        KernelMemory.Write(Place((int)_lastIndex), least);
        return true;
    }

    /// <summary>Gives indexes places of their own, or a map. Comes before the first group; keys have one word, which is never 0.</summary>
    /// <param name="indexes">The number of indexes.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="isFiltered">Whether some rows may not come to any group, so that places for all indexes may be too many.</param>
    /// <param name="keys">The rows that the indexes number.</param>
    /// <param name="region">The query's region.</param>
    public void PlaceByIndex(ulong indexes, long rows, bool isFiltered, in TargetRows keys, ref Region region)
    {
        _isByHandle = HasPlaces(indexes, rows, isFiltered);
        _origin = keys.Origin;
        GivePlaces(indexes, _isByHandle, ref region);
    }

    /// <summary>As <see cref="PlaceByIndex(ulong, long, bool, in TargetRows, ref Region)"/>, for a scan that threads may share: where they divide the indexes, all write to one array.</summary>
    /// <param name="indexes">The number of indexes.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="isFiltered">Whether some rows may not come to any group.</param>
    /// <param name="keys">The rows that the indexes number.</param>
    /// <param name="windows">Which indexes belong to which blocks. Gets the array; none are left where indexes have no places.</param>
    /// <param name="first">The first block of the part.</param>
    /// <param name="region">The region of the part.</param>
    public void PlaceByIndex(ulong indexes, long rows, bool isFiltered, in TargetRows keys, ref IndexWindows windows, int first, ref Region region)
    {
        if (!windows.AreUsed || (windows.Places == 0 && !HasPlaces(indexes, rows, isFiltered)))
        {
            windows = default;
            PlaceByIndex(indexes, rows, isFiltered, keys, ref region);
            return;
        }

        ulong places = indexes + 1, all = places + (ElsewhereInPart * PartsWithElsewhere), bytes = all * (ulong)_recordBytes;
        if (windows.Places == 0)
        {
            windows.Places = region.Allocate((long)bytes + sizeof(long));
            KernelMemory.Write(windows.Places + bytes, 0L);
        }

        _isDivided = _isByHandle = true;
        _isOrdered = false;
        _base = windows.Places;
        _origin = keys.Origin;
        _lastIndex = indexes;
        KernelMemory.Write(Place((int)_lastIndex), NoKey);
        _firstIndex = windows.Start(first);
        _indexes = 0;
        long part = KernelMemory.Increment(_base + bytes) - 1;
        _firstElsewhere = _places = _capacity = (int)places;
        if (part < PartsWithElsewhere)
        {
            _firstElsewhere = _places = (int)places + ((int)part * ElsewhereInPart);
            _capacity = _places + ElsewhereInPart;
            Clear((ulong)_places, ElsewhereInPart);
            _cleared = _capacity;
        }

        ReserveOrder(ref region);
    }

    /// <summary>Gives a part the indexes that belong to the block which comes next.</summary>
    public void Reach(in IndexWindows windows, int block)
    {
        if (windows.AreUsed)
            ReachTo(windows.End(block));
    }

    /// <summary>Gives all indexes to a scan that stays on one thread after all.</summary>
    public void ReachAll(in IndexWindows windows)
    {
        if (windows.AreUsed)
            ReachTo(_lastIndex);
    }

    /// <summary>
    /// Takes the indexes of a part of the scan, with the groups in their places, if both lie in one array. The groups come into the order with <see cref="Takes"/>; those that the part has elsewhere
    /// are to be added as those of any part.
    /// </summary>
    /// <param name="part">The part that follows in the order of the blocks.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool TryTakeIndexes(in GroupRecords part)
    {
        ulong end = _firstIndex + _indexes, partEnd = part._firstIndex + part._indexes;
        if (!_isDivided || !part._isDivided || part._firstIndex < end)
            return false;
        for (int place = _firstElsewhere; place < _places; place++)
        {
            // As in ReachTo, but here both may have the group.
            ulong index = IndexAt(place);
            if (index >= end && index < partEnd)
                return false;
        }

        ReachTo(part._firstIndex);
        _indexes = partEnd - _firstIndex;
        return true;
    }

    /// <summary>Puts a group of a part whose indexes were taken behind the others, if it lies in the place of one.</summary>
    public bool Takes(in GroupRecords part, int number)
    {
        int place = part._order[number];
        if ((ulong)place > _lastIndex)
            return false;
        _order.AddIf(true, place);
        return true;
    }

    /// <summary>The address of the place of an index; of one that holds no key of any group if the index has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong AtIndex(ulong index)
    {
        ulong bounded = unchecked(index - _firstIndex) < _indexes ? index : _lastIndex;
        return _base + ((_map == 0 ? bounded : KernelMemory.Read<uint>(_map + (bounded * sizeof(uint)))) * (ulong)(uint)_recordBytes);
    }

    /// <summary>Whether the place of a handle's dense id holds another handle; as one comparison.</summary>
    /// <param name="known">What the place holds: 0 for nothing, a handle with that dense id, or what no handle looks like.</param>
    /// <param name="handle">The handle.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsOtherHandle(ulong known, ulong handle) => unchecked((known ^ handle) - 1) < known; // Handles with one dense id differ in the lowest bits, and are greater than these.

    /// <summary>
    /// Asks for the places of selected rows before a loop that finds their groups, if they lie far apart: the misses of a batch then run side by side instead of one after the other. A few rows tell; where
    /// rows come in the order of what they refer to, all are near.
    /// </summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="keys">The key of slot 0's row.</param>
    /// <param name="stride">From one slot's key to the next.</param>
    /// <param name="selection">The slots, 32 bits each.</param>
    /// <param name="count">How many.</param>
    /// <param name="origin">The key, shifted, that is index 0.</param>
    /// <param name="shift">By how many bits a key is shifted first.</param>
    /// <safety>The selection and the column can be read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void Ask<T>(ulong keys, ulong stride, ulong selection, int count, ulong origin, int shift)
        where T : unmanaged, IBinaryInteger<T>
    {
        (ulong places, ulong bytes) = _map == 0 ? (_base, (ulong)_recordBytes) : (_map, sizeof(uint));
        if (count == 0 || _lastIndex * bytes < KernelMemory.NearBytes)
            return;
        // SAFETY: the caller's promise. Whatever the keys are by now, a prefetch of any address is harmless.
        uint* slots = (uint*)selection;
        // Near records are in a cache, unless so few of them are asked for that the processor's own prefetcher does not follow.
        ulong span = SpanOf<T>(keys, stride, selection, count, origin, shift) * bytes;
        if (span < KernelMemory.NearBytes && span < (ulong)count * KernelMemory.LineBytes)
            return;
        for (nint i = 0; i < count; i++)
            KernelMemory.Prefetch(places + (IndexAt<T>(keys + (slots[i] * stride), origin, shift) * bytes));
    }

    /// <summary>Finds the groups of all selected rows of a batch, and adds those that are new.</summary>
    /// <typeparam name="TFinder">How the kernel finds a group of these records.</typeparam>
    /// <typeparam name="TState">The state of the kernel's execution.</typeparam>
    /// <param name="state">The state, of which the records are a part.</param>
    /// <param name="keys">The key of slot 0's row, a word.</param>
    /// <param name="stride">From one slot's key to the next.</param>
    /// <param name="selection">The slots, 32 bits each, of a selection vector.</param>
    /// <param name="count">How many.</param>
    /// <param name="region">The query's region.</param>
    /// <safety>The selection and the column can be read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe BatchGroups FindAll<TFinder, TState>(ref TState state, ulong keys, ulong stride, ulong selection, int count, ref Region region)
        where TFinder : struct, IGroupFinder<TState>
        where TState : struct, allows ref struct
    {
        if (_runs == 0)
            _runs = region.Allocate((ScanBatch.MostSelected * sizeof(ulong)) + Vector512<byte>.Count);
        ulong* runs = (ulong*)_runs; // SAFETY: a selection has no more rows than that, and a vector is written at once.
        int listed = BatchGroups.ListRuns(keys, stride, selection, count, _runs);
        for (int run = 0; run < listed; run++)
        {
            if (_isByHandle)
                run = FindIndexed(runs, run, listed);
            if (run == listed)
                break;
            // Where records move, their distances stay.
            ulong group = TFinder.Find(ref state, runs[run]);
            runs[run] = group - _base;
        }

        return new BatchGroups(_base, _runs);
    }

    /// <summary>Puts distances of groups in the place of handles, up to the first whose group does not lie where its dense id says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe int FindIndexed(ulong* runs, int run, int listed)
    {
        ulong records = _base, bytes = (ulong)_recordBytes, origin = _origin, first = _firstIndex, indexes = _indexes, last = _lastIndex;
        RegionList<int> order = _order;
        for (; run < listed; run++)
        {
            ulong key = runs[run], index = TargetRows.IndexOf(key, origin);
            ulong distance = (unchecked(index - first) < indexes ? index : last) * bytes, known = KernelMemory.Read<ulong>(records + distance);
            if (IsOtherHandle(known, key))
                break;
            KernelMemory.Write(records + distance, key);
            order.AddIf(known == 0, (int)index);
            runs[run] = distance;
        }

        _order = order;
        return run;
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
        ReferencedRows.AskFor(
            later: KernelMemory.Read<ulong>(At((uint)number) + key), soon: KernelMemory.Read<ulong>(At((uint)number - (Ahead / 2)) + key), column, stride);
    }

    /// <summary>Adds a group with zeroed memory, in a place behind the others, and returns its address. Groups may move.</summary>
    /// <exception cref="OffHeapMemoryException">There are as many groups as <see cref="int"/> can number, or there is no memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public ulong Add(ref Region region)
    {
        if (_places == _capacity)
            Grow(ref region);
        if (_places == _cleared)
            ClearMore();
        int place = _places++;
        if (!_isOrdered)
        {
            _order.AddIf(true, place);
            ReserveOrder(ref region);
        }

        return Place(place);
    }

    /// <summary>Makes room for so many more groups.</summary>
    internal void Reserve(int groups, ref Region region)
    {
        if (_capacity - _places < groups)
            GrowTo(RegionGrowth.Next(_capacity, FirstCapacity, (long)_places + groups), ref region);
    }

    /// <summary>Adds a group with the contents of another one, in a place behind the others.</summary>
    /// <safety>The other record is as long as these.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AddCopy(ulong record, ref Region region)
    {
        if (_places == _capacity)
            Grow(ref region);
        ulong added = Place(_places++);
        _cleared = Math.Max(_cleared, _places);
        for (int word = 0; word < _recordBytes; word += sizeof(ulong))
            KernelMemory.Write(added + (ulong)word, KernelMemory.Read<ulong>(record + (ulong)word));
    }

    /// <summary>How far apart the indexes of some of the selected rows are: a few tell.</summary>
    /// <safety>The selection, which is not empty, and the column can be read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ulong SpanOf<T>(ulong keys, ulong stride, ulong selection, int count, ulong origin, int shift)
        where T : unmanaged, IBinaryInteger<T>
    {
        uint* slots = (uint*)selection; // SAFETY: the caller's promise.
        ulong least = ulong.MaxValue, most = 0;
        for (int sample = 0; sample < Samples; sample++)
        {
            ulong index = IndexAt<T>(keys + (slots[(nint)(count - 1) * sample / (Samples - 1)] * stride), origin, shift);
            (least, most) = (Math.Min(least, index), Math.Max(most, index));
        }

        return most - least;
    }

    /// <summary>The index of the key at an address.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong IndexAt<T>(ulong key, ulong origin, int shift)
        where T : unmanaged, IBinaryInteger<T> => unchecked((ulong.CreateTruncating(KernelMemory.Read<T>(key)) >> shift) - origin);

    private void GivePlaces(ulong indexes, bool hasPlaces, ref Region region)
    {
        _isOrdered = false;
        _lastIndex = _indexes = indexes;
        _places = _capacity = hasPlaces ? (int)indexes + 1 : 1;
        _base = region.AllocateZeroed((long)_capacity * _recordBytes);
        KernelMemory.Write(Place(_places - 1), NoKey);
        _map = hasPlaces ? 0 : region.AllocateZeroed((long)(indexes + 1) * sizeof(uint));
        ReserveOrder(ref region);
    }

    private readonly bool HasPlaces(ulong indexes, long rows, bool isFiltered) => indexes < RegionGrowth.MostElements - (ElsewhereInPart * PartsWithElsewhere) - 2
        && (indexes + 1) * (ulong)_recordBytes <= (ulong)rows * (ulong)(isFiltered ? MostBytesForFilteredRow : MostBytesForRow);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void ReachTo(ulong end)
    {
        ulong now = _firstIndex + _indexes;
        if (end <= now)
            return;
        Clear(now, end - now);
        _indexes = end - _firstIndex;
        // A writer may have led a row of an earlier block there. Its group stays where it is, and its index has no place.
        for (int place = _firstElsewhere; place < _places; place++)
        {
            ulong index = IndexAt(place);
            if (index >= now && index < end)
                KernelMemory.Write(Place((int)index), NoKey);
        }
    }

    /// <summary>Clears places shortly before they are used: how many will be is not known.</summary>
    private void ClearMore()
    {
        int places = Math.Min(FirstCapacity, _capacity - _cleared);
        Clear((ulong)_cleared, (ulong)places);
        _cleared += places;
    }

    private readonly ulong IndexAt(int place) => TargetRows.IndexOf(KernelMemory.Read<ulong>(Place(place)), _origin);

    private readonly unsafe void Clear(ulong place, ulong places) => NativeMemory.Clear((void*)Place((int)place), (nuint)(places * (ulong)_recordBytes)); // SAFETY: the places are the part's.

    /// <summary>Makes room for every place that is there, one more that is added, and the one behind the last that <see cref="Claim"/> writes.</summary>
    private void ReserveOrder(ref Region region) => _order.Reserve(ref region, _places + 2L);

    private void Grow(ref Region region)
    {
        int capacity = RegionGrowth.Next(_capacity, FirstCapacity, _places + 1L);
        // Each index of a map has one group as a rule: room for all ends the copying where there are not many more.
        if (_map != 0 && _lastIndex < (ulong)capacity * MostRoom)
            capacity = (int)Math.Clamp((long)_lastIndex + FirstCapacity, capacity, Math.Max(capacity, RegionGrowth.MostElements));
        GrowTo(capacity, ref region);
    }

    private void GrowTo(int capacity, ref Region region)
    {
        ulong memory = region.Allocate((long)capacity * _recordBytes);
        _cleared = _places;
        if (_isDivided)
        {
            Copy(memory, _firstIndex, _indexes);
            Copy(memory, (ulong)_firstElsewhere, (ulong)(_places - _firstElsewhere));
            Copy(memory, _lastIndex, 1);
            _isDivided = false;
        }
        else
        {
            Copy(memory, 0, (ulong)_places);
        }

        _base = memory;
        _capacity = capacity;
    }

    private readonly unsafe void Copy(ulong memory, ulong place, ulong places)
    {
        long bytes = (long)places * _recordBytes;
        Buffer.MemoryCopy((void*)Place((int)place), (void*)(memory + (place * (ulong)_recordBytes)), bytes, bytes); // SAFETY: both ranges hold the places.
    }
}
