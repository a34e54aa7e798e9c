using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// An index in the place of a join's table: where the left side has few rows, each looks its partners up, and the right side is not read. Whether that is cheaper is decided once, before the
/// first row of the left.
/// </summary>
/// <remarks>
/// The answer is one that a table could give. A table reads each row of the right once, so the same row is never the partner of two keys, nor of none while it has one of them all the time. So each
/// key is looked up once, however many rows of the left have it, and in the end once more (<see cref="HasChanged"/>). If no key has another row then, and no setter was done with a change of a key
/// meanwhile, all answers held at the moment between: for a row to be found by two keys, or to be missed by both, twice alike, it must have been changed twice, and the first setter raises the count of
/// moves before the second begins. Of an ordered index the rows that were found are looked at again instead (<see cref="OrderedPartners"/>). Rows with a null in their key are in no index: where a null equals a null,
/// no row may have one, at the first look-up and at the last, or, with an ordered index, no key that is asked for. Otherwise the kernel gives
/// up, and begins again with the table. Rows that come or go meanwhile may be seen or not, as by a scan.
/// </remarks>
/// <safety>Made and used in one critical section.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct PartnerIndex
{
    private const int PlaceBits = 8;
    private const int Unknown = -1;

    [ThreadStatic]
    private static bool t_wereInVain;

    private KeyedIndex? _index;
    private KeyPart[] _parts;
    private AskedKeys _asked;
    private long _moves;

    // By a unique index the row of the last key; by an ordered one those of all.
    private RowLocation _found;
    private OrderedPartners _ordered;

    // For each column of the key, which of the kernel's words is its first: eight bits for each.
    private ulong _firstWords;
    private int _last;
    private bool _nullsMatch;
    private bool _isInVain;

    /// <summary>Decides, and begins if the index is cheaper.</summary>
    /// <param name="again">Whether the kernel runs again because look-ups were in vain: then there are none.</param>
    /// <param name="right">The memory of the collection on the right.</param>
    /// <param name="columns">For each word of the key the column that it is compared with. The index may be on some of these columns: the kernel compares all.</param>
    /// <param name="left">The rows that look up.</param>
    /// <param name="keepsAll">Whether a table would have all rows of the right, and not those alone that pass conditions, or the bits of their keys.</param>
    /// <param name="nullsMatch">Whether a null equals a null.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static PartnerIndex Choose(bool again, MemoryContext right, ReadOnlySpan<ulong> columns, LeftRows left, bool keepsAll, bool nullsMatch = false)
    {
        ArgumentNullException.ThrowIfNull(right);
        if (again || SnapshotView.Covers(right) || right.Indexes.All is not { } indexes)
            return default;
        PartnerIndex chosen = new() { _nullsMatch = nullsMatch };
        if (HashIndex.Within(indexes, columns) is { } unique && !(nullsMatch && unique.HasSeenNull))
        {
            if (!IndexCost.PaysForPartners(left.Count, right.Count, keepsAll))
                return default;
            (chosen._index, chosen._parts) = (unique, unique.Parts);
        }
        else
        {
            if (SortedIndex.Within(indexes, columns, out KeyPart[] parts) is not { } sorted || IndexCost.MostPartners(sorted, parts, left.Count, keepsAll) is not (> 0 and var most))
                return default;
            (chosen._index, chosen._parts, chosen._ordered) = (sorted, parts, new OrderedPartners(sorted, parts, most));
        }

        chosen._moves = chosen._index.Moves;
        for (int i = 0; i < chosen._parts.Length; i++)
            chosen._firstWords |= (ulong)columns.IndexOf((ulong)chosen._parts[i].Offset) << (PlaceBits * i);
        // The count, before the first look-up. Partner: EndChange of the index.
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
        return ((IRowOwner)right).Snapshot is null && Choose(again: false, CollectionAccess.Context(right, layoutHash), columns, left, keepsAll: false, nullsMatch).IsChosen;
    }

    /// <summary>To be asked when a kernel has given up: whether that was because look-ups were in vain, on this thread, so that it may run again without them. Asked once.</summary>
    public static bool WereInVain()
    {
        bool wereInVain = t_wereInVain;
        t_wereInVain = false;
        return wereInVain;
    }

    /// <summary>Whether partners are looked up.</summary>
    public readonly bool IsChosen => _index is not null;

    /// <summary>Finds the partners of a key.</summary>
    /// <param name="region">Where keys are kept.</param>
    /// <param name="key">The words of the key.</param>
    /// <returns>What <see cref="Keep"/> kept for the key, 0 if no row has it, or -1: then <see cref="MoveNext"/> follows, and <see cref="Keep"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Find(ref Region region, scoped ReadOnlySpan<ulong> key)
    {
        if (_isInVain)
            return Unknown;
        KeyImage image = new(_parts);
        if (!TryRead(key, ref image))
            return _isInVain ? Unknown : 0;
        _last = _asked.PlaceOf(ref region, _parts, in image);
        if (_asked[_last].IsTaken)
            return _asked[_last].Partner;
        AskedKey found = default;
        if (_index is HashIndex unique)
        {
            found.Handle = Look(unique, ref image);
            // The section keeps the place readable, also if the row is removed or moves from here on.
            if (found.Handle == 0 || !Handle.TryLocate(found.Handle, out _found))
                _found = default;
        }
        else
        {
            _isInVain = !_ordered.TryFind(ref region, in image, _moves, out found.Rows);
        }

        _asked.Take(ref region, _last, _parts, in image, found);
        return Unknown;
    }

    /// <summary>Goes to the next row that had the key, from the last in the order of the scan to the first. Who reads it compares the key again: it may have changed since.</summary>
    /// <param name="block">Its block.</param>
    /// <param name="slot">Its slot.</param>
    public bool MoveNext(out ulong block, out ulong slot)
    {
        RowLocation location = default;
        if (_isInVain || !_ordered.MoveNext(out location))
            (location, _found) = (_found, default);
        (block, slot) = (location.Block.Address, (ulong)location.Slot);
        return !location.IsNone;
    }

    /// <summary>Keeps which of the kernel's rows is the first partner of the key that was looked up last.</summary>
    /// <param name="partner">The number of the row; 0 for none.</param>
    /// <returns>The same, or -1 if look-ups are in vain: then nothing that the kernel finds counts.</returns>
    public readonly int Keep(int partner) => _isInVain ? Unknown : _asked[_last].Partner = partner;

    /// <summary>To be called when the last row of the left has been read: whether the answers may be those of different moments, or not be there, so that they do not count.</summary>
    public readonly bool HasChanged()
    {
        if (_index is null)
            return false;
        bool areInVain = _isInVain || !AreStill(_index);
        t_wereInVain |= areInVain;
        return areInVain;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly bool AreStill(KeyedIndex index)
    {
        // What was read of the rows, before they are looked up again; that before the count of moves.
        KernelMemory.OrderLoads();
        HashIndex? unique = index as HashIndex;
        KeyImage image = new(_parts);
        for (int i = 0; i < _asked.Places; i++)
        {
            ref AskedKey asked = ref _asked[i];
            if (!asked.IsTaken)
                continue;
            _asked.Read(i, _parts, ref image);
            if (unique is null ? !_ordered.HaveStill(in image, asked.Rows) : !IsStill(asked.Handle, Look(unique, ref image)))
                return false;
        }

        KernelMemory.OrderLoads();
        // An index that is dropped does not learn of changes.
        return index.Moves == _moves && !(_nullsMatch && unique is { HasSeenNull: true }) && !index.IsDropped;
    }

    // A row that is gone may be seen or not, if no other row has its key: that one may have had another key that was asked for, and a setter that has not raised the count.
    private static bool IsStill(ulong before, ulong now) => now == before || (now == 0 && !Handle.TryLocate(before, out _));

    private static ulong Look(HashIndex index, ref KeyImage key) => index.IsOfInteger ? index.Find(key[0].Low) : index.Find(ref key);

    /// <summary>Brings the words of a key into the form of the index; false if no row of it can have them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool TryRead(scoped ReadOnlySpan<ulong> key, ref KeyImage image)
    {
        for (int i = 0; i < _parts.Length; i++)
        {
            KeyPart part = _parts[i];
            int first = (int)(_firstWords >> (PlaceBits * i)) & ((1 << PlaceBits) - 1);
            KeyWord word = new(key[first], part.Kind == KeyKind.Bits ? key[first + 1] : 0);
            if (part.Kind is KeyKind.Signed or KeyKind.Unsigned)
            {
                if (!HashIndex.TryNarrow(part, (long)word.Low, out ulong narrow))
                    return false;
                word = new KeyWord(narrow, 0);
            }
            else if (part.IsNull(word))
            {
                // Rows with null are partners, and in no index; of a unique one it is known whether there are any.
                _isInVain = _nullsMatch && _index is SortedIndex;
                return false;
            }

            image.Set(i, word);
        }

        image.Complete();
        return true;
    }
}
