using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A unique index in the place of a join's table: where the left side has few rows, each looks its partner up, and the right side is not read. Whether that is cheaper is decided once, before the
/// first row of the left.
/// </summary>
/// <remarks>
/// The answer is one that a table could give. A table reads each row of the right once, so the same row is never the partner of two keys, nor of none while it has one of them all the time. So each
/// key is looked up once, however many rows of the left have it, and in the end once more (<see cref="HasChanged"/>). If no key has another row then, and no setter was done with a change of a key
/// meanwhile, all answers held at the moment between: for a row to be found by two keys, or to be missed by both, twice alike, it must have been changed twice, and the first setter raises the count of
/// moves before the second begins. Otherwise the kernel gives up, and the plain variant makes the table. Rows that come or go meanwhile may be seen or not, as by a scan.
/// </remarks>
/// <safety>Made and used in one critical section.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct PartnerIndex
{
    private const int FirstKeys = 64;

    private HashIndex? _index;
    private long _moves;
    private ulong _keys;
    private int _size;
    private int _count;
    private int _last;

    /// <summary>Decides, and begins if the index is cheaper.</summary>
    /// <param name="right">The memory of the collection on the right.</param>
    /// <param name="offset">The column with the key: integers.</param>
    /// <param name="left">The rows that look up.</param>
    /// <param name="keepsAll">Whether a table would have all rows of the right, and not those alone that pass conditions, or the bits of their keys.</param>
    public static PartnerIndex Choose(MemoryContext right, ulong offset, LeftRows left, bool keepsAll)
    {
        ArgumentNullException.ThrowIfNull(right);
        if (SnapshotView.Covers(right) || right.Indexes.All is not { } indexes || HashIndex.Of(indexes, (int)offset) is not { } index || !IndexCost.PaysForPartners(left.Count, right.Count, keepsAll))
            return default;
        PartnerIndex chosen = new() { _index = index, _moves = index.Moves };
        // The count, before the first look-up. Partner: HashIndex.EndChange.
        KernelMemory.OrderLoads();
        return chosen;
    }

    /// <summary>Whether partners are looked up.</summary>
    public readonly bool IsChosen => _index is not null;

    /// <summary>What was kept for a key.</summary>
    /// <returns>The number of its partner; 0 if it has none; -1 if it was not looked up yet.</returns>
    public readonly int Known(ulong key)
    {
        if (_size == 0)
            return -1;
        ref Asked asked = ref At(PlaceOf(key));
        return asked.IsTaken ? asked.Partner : -1;
    }

    /// <summary>Looks up a key that is not known yet. <see cref="Keep"/> follows.</summary>
    /// <param name="region">Where keys are kept.</param>
    /// <param name="key">The key.</param>
    /// <param name="block">The block of the row that had it.</param>
    /// <param name="slot">Its slot. Who reads the row compares the key again: it may have changed since.</param>
    /// <returns>False if no row has it.</returns>
    public bool TryFind(ref Region region, ulong key, out ulong block, out ulong slot)
    {
        if (_count >= _size / 2)
            Grow(ref region);
        ulong handle = Find(key);
        _last = PlaceOf(key);
        At(_last) = new Asked { Key = key, Handle = handle, IsTaken = true };
        _count++;
        // The section keeps the place readable, also if the row is removed or moves from here on.
        RowLocation location = default;
        bool isThere = handle != 0 && Handle.TryLocate(handle, out location);
        (block, slot) = isThere ? (location.Block.Address, (ulong)location.Slot) : default;
        return isThere;
    }

    /// <summary>Keeps which row of the kernel's list is the partner of the key that was looked up last; 0 for none.</summary>
    public readonly void Keep(int partner) => At(_last).Partner = partner;

    /// <summary>To be called when the last row of the left has been read: whether the answers may be those of different moments, so that they do not count.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly bool HasChanged()
    {
        if (_index is null)
            return false;
        // What was read of the rows, before they are looked up again; that before the count of moves.
        KernelMemory.OrderLoads();
        for (int i = 0; i < _size; i++)
        {
            ref Asked asked = ref At(i);
            // A row that is gone may be seen or not.
            if (asked.IsTaken && Find(asked.Key) != asked.Handle && (asked.Handle == 0 || Handle.TryLocate(asked.Handle, out _)))
                return true;
        }

        KernelMemory.OrderLoads();
        // An index that is dropped does not learn of changes.
        return _index.Moves != _moves || _index.IsDropped;
    }

    private readonly ulong Find(ulong key) => _index!.TryFindInteger((long)key, out ulong handle) ? handle : 0;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly int PlaceOf(ulong key)
    {
        int place = (int)(KeyWords.Spread(key) >> 33) & (_size - 1);
        while (At(place) is { IsTaken: true } asked && asked.Key != key)
            place = (place + 1) & (_size - 1);
        return place;
    }

    // SAFETY: places are below the size, and half of them at least are free.
    private readonly unsafe ref Asked At(int place) => ref ((Asked*)_keys)[place];

    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe void Grow(ref Region region)
    {
        PartnerIndex before = this;
        _size = Math.Max(FirstKeys, 2 * before._size);
        _keys = region.AllocateZeroed((long)_size * sizeof(Asked));
        for (int i = 0; i < before._size; i++)
        {
            Asked asked = before.At(i);
            if (asked.IsTaken)
                At(PlaceOf(asked.Key)) = asked;
        }
    }

    /// <summary>A key that was looked up.</summary>
    private struct Asked
    {
        public ulong Key;
        public ulong Handle;
        public int Partner;
        public bool IsTaken;
    }
}
