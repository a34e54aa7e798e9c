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
/// moves before the second begins. Rows with a null in their key are in no index: where a null equals a null, no row may have one, at the first look-up and at the last. Otherwise the kernel gives
/// up, and the plain variant makes the table. Rows that come or go meanwhile may be seen or not, as by a scan.
/// </remarks>
/// <safety>Made and used in one critical section.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct PartnerIndex
{
    private const int PlaceBits = 8;

    private HashIndex? _index;
    private AskedKeys _asked;
    private long _moves;

    // For each part of the index, which of the kernel's words is its first: eight bits for each.
    private ulong _firstWords;
    private int _last;
    private bool _nullsMatch;

    /// <summary>Decides, and begins if the index is cheaper.</summary>
    /// <param name="right">The memory of the collection on the right.</param>
    /// <param name="columns">For each word of the key the column that it is compared with. The index may be on some of these columns: the kernel compares all.</param>
    /// <param name="left">The rows that look up.</param>
    /// <param name="keepsAll">Whether a table would have all rows of the right, and not those alone that pass conditions, or the bits of their keys.</param>
    /// <param name="nullsMatch">Whether a null equals a null.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static PartnerIndex Choose(MemoryContext right, ReadOnlySpan<ulong> columns, LeftRows left, bool keepsAll, bool nullsMatch = false)
    {
        ArgumentNullException.ThrowIfNull(right);
        if (SnapshotView.Covers(right) || right.Indexes.All is not { } indexes || HashIndex.Within(indexes, columns) is not { } index
            || (nullsMatch && index.HasSeenNull) || !IndexCost.PaysForPartners(left.Count, right.Count, keepsAll))
            return default;
        PartnerIndex chosen = new() { _index = index, _moves = index.Moves, _nullsMatch = nullsMatch };
        for (int i = 0; i < index.Parts.Length; i++)
            chosen._firstWords |= (ulong)columns.IndexOf((ulong)index.Parts[i].Offset) << (PlaceBits * i);
        // The count, before the first look-up. Partner: HashIndex.EndChange.
        KernelMemory.OrderLoads();
        return chosen;
    }

    /// <summary>Whether partners are going to be looked up rather than the right side be scanned for the keys of the left, which is asked before the kernel begins.</summary>
    /// <param name="right">The collection on the right.</param>
    /// <param name="layoutHash">The hash of the layout that the kernel was compiled for.</param>
    /// <param name="columns">As for <see cref="Choose"/>.</param>
    /// <param name="left">The rows that would look up.</param>
    /// <param name="nullsMatch">Whether a null equals a null.</param>
    /// <safety>The caller is inside the critical section in which it made <paramref name="left"/>.</safety>
    public static bool Pays<T>(Collection<T> right, ulong layoutHash, ReadOnlySpan<ulong> columns, LeftRows left, bool nullsMatch = false)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(right);
        return ((IRowOwner)right).Snapshot is null && Choose(CollectionAccess.Context(right, layoutHash), columns, left, keepsAll: false, nullsMatch).IsChosen;
    }

    /// <summary>Whether partners are looked up.</summary>
    public readonly bool IsChosen => _index is not null;

    /// <summary>Finds the partner of a key.</summary>
    /// <param name="region">Where keys are kept.</param>
    /// <param name="key">The words of the key.</param>
    /// <param name="block">The block of the row that had it, if it is not known yet.</param>
    /// <param name="slot">Its slot. Who reads the row compares the key again: it may have changed since.</param>
    /// <returns>What <see cref="Keep"/> kept for the key, 0 if no row has it, or -1 if there is a row: then <see cref="Keep"/> follows.</returns>
    public int Find(ref Region region, scoped ReadOnlySpan<ulong> key, out ulong block, out ulong slot)
    {
        (block, slot) = (0, 0);
        KeyPart[] parts = _index!.Parts;
        KeyImage image = new(parts);
        if (!TryRead(parts, key, ref image))
            return 0;
        _last = _asked.PlaceOf(ref region, parts, in image);
        if (_asked[_last].IsTaken)
            return _asked[_last].Partner;
        ulong handle = Look(ref image);
        _asked.Take(ref region, _last, parts, in image, handle);
        // The section keeps the place readable, also if the row is removed or moves from here on.
        if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location))
            return 0;
        (block, slot) = (location.Block.Address, (ulong)location.Slot);
        return -1;
    }

    /// <summary>Keeps which row of the kernel's list is the partner of the key that was looked up last.</summary>
    /// <param name="before">How many rows the list had before.</param>
    /// <param name="after">How many it has: as many if the row is not the partner of any key.</param>
    /// <returns>The number of the row, or 0.</returns>
    public readonly int Keep(int before, int after) => _asked[_last].Partner = after > before ? before : 0;

    /// <summary>To be called when the last row of the left has been read: whether the answers may be those of different moments, so that they do not count.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly bool HasChanged()
    {
        if (_index is null)
            return false;
        // What was read of the rows, before they are looked up again; that before the count of moves.
        KernelMemory.OrderLoads();
        KeyPart[] parts = _index.Parts;
        KeyImage image = new(parts);
        for (int i = 0; i < _asked.Places; i++)
        {
            ref AskedKey asked = ref _asked[i];
            if (!asked.IsTaken)
                continue;
            _asked.Read(i, parts, ref image);
            // A row that is gone may be seen or not, if no other row has its key: that one may have had another key that was asked for, and a setter that has not raised the count.
            ulong now = Look(ref image);
            if (now != asked.Handle && (now != 0 || Handle.TryLocate(asked.Handle, out _)))
                return true;
        }

        KernelMemory.OrderLoads();
        // An index that is dropped does not learn of changes.
        return _index.Moves != _moves || (_nullsMatch && _index.HasSeenNull) || _index.IsDropped;
    }

    private readonly ulong Look(ref KeyImage key) => _index!.IsOfInteger ? _index.Find(key[0].Low) : _index.Find(ref key);

    /// <summary>Brings the words of a key into the form of the index; false if no row of it can have them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly bool TryRead(KeyPart[] parts, scoped ReadOnlySpan<ulong> key, ref KeyImage image)
    {
        for (int i = 0; i < parts.Length; i++)
        {
            int first = (int)(_firstWords >> (PlaceBits * i)) & ((1 << PlaceBits) - 1);
            KeyWord word = new(key[first], parts[i].Kind == KeyKind.Bits ? key[first + 1] : 0);
            if (parts[i].Kind is KeyKind.Signed or KeyKind.Unsigned)
            {
                if (!HashIndex.TryNarrow(parts[i], (long)word.Low, out ulong narrow))
                    return false;
                word = new KeyWord(narrow, 0);
            }
            else if (parts[i].IsNull(word))
            {
                return false;
            }

            image.Set(i, word);
        }

        image.Complete();
        return true;
    }
}
