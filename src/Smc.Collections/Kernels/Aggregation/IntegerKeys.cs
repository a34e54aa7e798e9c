using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// From an integer that is the only key of a group to the group: by a map of the values that zone maps tell, or by a place for each of them where that takes little memory
/// (<see cref="GroupRecords.TryPlaceByIndex"/>); else, and for values that are new since the query began, by hash.
/// </summary>
/// <remarks>
/// Where threads share a scan in which rows of one group lie near each other, they share the map: each part has the values that belong to its blocks (<see cref="IndexWindows"/>), and
/// finds others by hash. So there is one map to clear, and a part's groups are put behind those of the parts before it without looking them up.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct IntegerKeys
{
    /// <summary>Where filters and joins decide how many rows come, a map is made when there is one group for so many values: clearing it costs less than the hashing so far.</summary>
    private const long MostValuesForGroup = 32;

    private GroupHashTable _table;
    private IndexWindows _windows;

    // The values that the map has, counted from the least.
    private ulong _least;
    private ulong _first;
    private ulong _mapped;

    private long _rows;
    private bool _isAtOnce;
    private bool _isIndexed;

    // Whether a group that was found by hash may have to come into the map later, and those that do.
    private bool _mayMapLater;
    private RegionList<Elsewhere> _elsewhere;

    private GroupNumbers _numbers;

    /// <summary>The values that zone maps tell.</summary>
    public KeyDomain Domain { get; private set; }

    /// <summary>The map.</summary>
    public readonly GroupNumbers Numbers => _numbers;

    /// <summary>Whether the map is there from the start, and numbers of values fit 16 bits: see <see cref="KeyIndexes"/>.</summary>
    public readonly bool HasIndexes => _isAtOnce && Domain.HasIndexes;

    /// <summary>Bytes that each part of a scan begins with.</summary>
    public readonly ulong PartBytes => _windows.AreUsed ? 0 : _numbers.Size * sizeof(uint);

    /// <summary>For the rows of a collection, of which filters and joins may leave any number.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="zoneOffset">Where blocks have the zone map of the key's column.</param>
    public static IntegerKeys Of(MemoryContext context, ulong zoneOffset)
    {
        KeyDomain domain = KeyDomain.Empty;
        domain.Add(ZoneSpan.Over(context, zoneOffset));
        return new IntegerKeys { Domain = domain, _least = unchecked((ulong)domain.Minimum(0)), _rows = context.Count };
    }

    /// <summary>For a scan of all rows of a collection.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="zoneOffset">Where blocks have the zone map of the key's column.</param>
    /// <param name="region">The query's region.</param>
    public static IntegerKeys OfScan(MemoryContext context, ulong zoneOffset, ref Region region)
    {
        IntegerKeys keys = Of(context, zoneOffset);
        keys._isAtOnce = true;
        if (keys.CanMap && !keys.Domain.HasIndexes)
            keys._windows = IndexWindows.OfScan(context, zoneOffset, keys._least, (ulong)keys.Domain.Size, ref region);
        return keys;
    }

    private readonly bool CanMap => Domain.IsSmallFor(_rows);

    /// <summary>Knows no group. Comes before the first group of the records.</summary>
    /// <param name="groups">The records.</param>
    /// <param name="first">The first block of the part.</param>
    /// <param name="region">The region of the part.</param>
    public void Begin(ref GroupRecords groups, int first, ref Region region)
    {
        _table = default;
        _elsewhere = default;
        (_first, _mapped) = (0, 0);
        _mayMapLater = CanMap && (!_isAtOnce || _windows.AreUsed);
        if (_windows.AreUsed)
        {
            // The first part makes the map. Each clears what it needs.
            if (_numbers.Size == 0)
                _numbers = GroupNumbers.CreateUncleared(ref region, (ulong)Domain.Size);
            _first = _windows.Start(first);
            return;
        }

        _numbers = default;
        if (!_isAtOnce || !CanMap)
            return;
        _isIndexed = !Domain.HasIndexes && Domain.Minimum(0) > 0 && groups.TryPlaceByIndex((ulong)Domain.Size, _least, _rows, ref region);
        if (_isIndexed)
            return;
        _numbers = GroupNumbers.Create(ref region, (ulong)Domain.Size);
        _mapped = _numbers.Size;
    }

    /// <summary>Gives a part the values that belong to the block which comes next.</summary>
    public void Reach(int block)
    {
        if (_windows.AreUsed)
            ReachTo(_windows.End(block));
    }

    /// <summary>Gives all values to a scan that stays on one thread after all.</summary>
    public void ReachAll()
    {
        if (_windows.AreUsed)
            ReachTo(_numbers.Size);
    }

    /// <summary>The group of a key; it is added if it is new.</summary>
    /// <param name="groups">The records, whose first word is the key.</param>
    /// <param name="key">The key.</param>
    /// <param name="isFiltered">Whether filters may leave few rows for many groups, or many for few. A branch on whether the group is new is right nearly always then.</param>
    /// <param name="region">Where groups are kept.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong FindOrAdd(ref GroupRecords groups, ulong key, bool isFiltered, ref Region region)
    {
        ulong index = unchecked(key - _least);
        if (_isIndexed)
        {
            ulong group = groups.AtIndex(index), known = KernelMemory.Read<ulong>(group);
            if (known != key & known != 0)
                return _table.FindOrAdd(ref groups, key, ref region);
            if (!isFiltered || known == 0)
                groups.Claim(index, group, key, known == 0);
            return group;
        }

        if (unchecked(index - _first) < _mapped)
        {
            uint number = _numbers[index];
            return number >= GroupNumbers.FirstGroup ? groups.Place((int)(number - GroupNumbers.FirstGroup)) : Add(ref groups, index, key, ref region);
        }

        return _mayMapLater ? FindElsewhere(ref groups, key, ref region) : _table.FindOrAdd(ref groups, key, ref region);
    }

    /// <summary>
    /// Asks for the groups of selected rows before a loop that finds them, if they lie far apart: the misses of a batch then run side by side. As <see cref="GroupRecords.Ask{T}"/>.
    /// </summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="groups">The records.</param>
    /// <param name="keys">The key of slot 0's row.</param>
    /// <param name="stride">From one slot's key to the next.</param>
    /// <param name="selection">The slots, 32 bits each.</param>
    /// <param name="count">How many.</param>
    /// <safety>The selection and the column can be read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void Ask<T>(in GroupRecords groups, ulong keys, ulong stride, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (_isIndexed)
        {
            groups.Ask<T>(keys, stride, selection, count, _least, 0);
            return;
        }

        uint* slots = (uint*)selection; // SAFETY: the caller's promise. Whatever the keys are by now, values are bounded before they lead anywhere, and a prefetch of any address is harmless.
        if (count == 0 || _mapped * sizeof(uint) < KernelMemory.NearBytes)
            return;
        if (GroupRecords.SpanOf<T>(keys, stride, selection, count, _least, 0) * sizeof(uint) < KernelMemory.NearBytes)
            return;
        for (nint i = 0; i < count; i++)
            KernelMemory.Prefetch(_numbers.Address + (GroupRecords.IndexAt<T>(keys + (slots[i] * stride), _least, 0) * sizeof(uint)));
        for (nint i = 0; i < count; i++)
        {
            ulong index = GroupRecords.IndexAt<T>(keys + (slots[i] * stride), _least, 0);
            uint number = unchecked(index - _first) < _mapped ? _numbers[index] : GroupNumbers.None;
            KernelMemory.Prefetch(groups.Place((int)(number - GroupNumbers.FirstGroup)));
        }
    }

    /// <summary>Takes the values of a part of the scan, if both have their own in one map. Then <see cref="Takes"/> is called for each of its groups; those that it refuses are to be added as those of any part.</summary>
    /// <param name="groups">The records of these keys.</param>
    /// <param name="part">The part that follows in the order of the blocks.</param>
    /// <param name="partGroups">Its records.</param>
    /// <param name="region">Where groups are kept.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool TryTake(ref GroupRecords groups, in IntegerKeys part, in GroupRecords partGroups, ref Region region)
    {
        ulong end = _first + _mapped, partEnd = part._first + part._mapped;
        if (!_windows.AreUsed || part._first < end)
            return false;
        for (int i = 0; i < _elsewhere.Count; i++)
        {
            // A writer may have led a row of an earlier block there: both may have the group.
            if (_elsewhere[i].Index >= end && _elsewhere[i].Index < partEnd)
                return false;
        }

        ReachTo(part._first);
        _mapped = partEnd - _first;
        groups.Reserve(partGroups.Count, ref region);
        return true;
    }

    /// <summary>Puts a group of a part whose values were taken behind the others, if its key is one of them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Takes(ref GroupRecords groups, in IntegerKeys part, in GroupRecords partGroups, int number, ref Region region)
    {
        ulong index = part.IndexOf(partGroups, number);
        if (unchecked(index - part._first) >= part._mapped)
            return false;
        Number(index, groups.NextPlace);
        groups.AddCopy(partGroups.Place(number), ref region);
        return true;
    }

    private readonly ulong IndexOf(in GroupRecords groups, int place) => unchecked(KernelMemory.Read<ulong>(groups.Place(place)) - _least);

    private readonly void Number(ulong index, int place) => _numbers[index] = (uint)place + GroupNumbers.FirstGroup;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly ulong Add(ref GroupRecords groups, ulong index, ulong key, ref Region region)
    {
        Number(index, groups.NextPlace);
        ulong group = groups.Add(ref region);
        KernelMemory.Write(group, key);
        return group;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private ulong FindElsewhere(ref GroupRecords groups, ulong key, ref Region region)
    {
        int known = groups.Count;
        ulong group = _table.FindOrAdd(ref groups, key, ref region);
        if (groups.Count == known)
            return group;
        if (_windows.AreUsed)
            _elsewhere.Add(ref region, new Elsewhere { Index = unchecked(key - _least), Place = known });
        else if (groups.Count >= Domain.Size / MostValuesForGroup)
            MapAll(groups, ref region);
        return group;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void MapAll(in GroupRecords groups, ref Region region)
    {
        _numbers = GroupNumbers.Create(ref region, (ulong)Domain.Size);
        _mapped = _numbers.Size;
        _mayMapLater = false;
        for (int place = 0; place < groups.Count; place++)
        {
            ulong index = IndexOf(groups, place);
            if (index < _mapped)
                Number(index, place);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void ReachTo(ulong end)
    {
        ulong now = _first + _mapped;
        if (end <= now)
            return;
        NativeMemory.Clear((void*)(_numbers.Address + (now * sizeof(uint))), (nuint)((end - now) * sizeof(uint))); // SAFETY: windows end where the map does, and these values are the part's.
        _mapped = end - _first;
        for (int i = 0; i < _elsewhere.Count; i++)
        {
            // A writer may have led a row of an earlier block there.
            if (_elsewhere[i].Index >= now && _elsewhere[i].Index < end)
                Number(_elsewhere[i].Index, _elsewhere[i].Place);
        }
    }

    /// <summary>A group whose key did not belong to the part when it was found.</summary>
    private struct Elsewhere
    {
        public ulong Index;
        public int Place;
    }
}
