using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A range of an order, without sorting the other rows: rows that may belong to it are collected, and whenever there are twice as many as are needed, the later half goes. Rows carry their number,
/// so equal ones keep their order.
/// </summary>
/// <typeparam name="TRow">The generated row; its comparison ends with the number.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TopRows<TRow>
    where TRow : unmanaged, ISortRow<TRow>
{
    // Dividing fewer rows than this again and again costs more than they do.
    private const int Spare = 64;

    private readonly int _first;
    private readonly int _end;
    private readonly long _capacity;
    private RegionList<TRow> _rows;
    private bool _isFull;

    /// <summary>Begins without rows.</summary>
    /// <param name="skip">Rows of the order before the range; negative for none.</param>
    /// <param name="count">Rows of the range; negative for none.</param>
    /// <param name="areComparable">False if rows compare by texts, which they do at the end only: then all are collected.</param>
    public TopRows(int skip, int count, bool areComparable)
    {
        _first = Math.Max(skip, 0);
        _end = count <= 0 ? 0 : (int)Math.Min((long)_first + count, int.MaxValue);
        _capacity = areComparable ? Math.Max(2L * _end, _end + Spare) : long.MaxValue;
    }

    /// <summary>The rows collected so far, in no order; after <see cref="Finish"/> those of the range, in order.</summary>
    [UnscopedRef]
    public ref RegionList<TRow> Rows => ref _rows;

    /// <summary>Takes a row if it may be in the range.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Offer(ref Region region, in TRow row)
    {
        if (_end == 0 || (_isFull && TRow.Compare(row, _rows[_end - 1], null) >= 0))
            return;
        _rows.Add(ref region, row);
        if (_rows.Count >= _capacity)
            DropLater(null);
    }

    /// <summary>Leaves the rows of the range, sorted.</summary>
    /// <param name="region">Where the sort has its memory.</param>
    /// <param name="texts">The strings that rows refer to; null when no key is a string.</param>
    public void Finish(ref Region region, SortTexts? texts)
    {
        texts?.Rank();
        if (_end < _rows.Count)
            DropLater(texts);
        if (_first >= _rows.Count)
            _rows.Truncate(0);
        else if (_first > 0)
        {
            // The last row is where a sort would put it, once those behind it have gone.
            if (_first < _rows.Count - 1 || !_isFull)
                Quickselect.Divide<TRow>(_rows.Address, _rows.Count, _first, texts);
            _rows.RemoveFirst(_first);
        }

        StableSort.Sort(ref region, ref _rows, texts);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DropLater(SortTexts? texts)
    {
        if (_end > 0)
            Quickselect.Divide<TRow>(_rows.Address, _rows.Count, _end - 1, texts);
        _rows.Truncate(_end);
        // The last row that is left is the largest of them: what is not smaller is not in the range.
        _isFull = true;
    }
}
