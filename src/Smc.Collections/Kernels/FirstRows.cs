using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows with the lowest or the highest keys of an interval, as an ordered index finds them for a query, round by round, until as many as are wanted have passed the query's conditions.</summary>
/// <remarks>
/// <para>A round ends where the key changes, so that rows with one key are read together, in the order of the scan.</para>
/// <para>
/// A row that is removed or gets another key between look-up and reading would leave the place of the next one empty. So who has read the rows asks <see cref="AreStill"/>: all of all rounds are there,
/// with the keys that they were found by, and no setter was done with a change of a key since before the first look-up. Then they had these keys all the time, no row was missed, and none was met in
/// two rounds.
/// </para>
/// </remarks>
/// <safety>Made and used in one critical section, in which the caller saw that the index is not dropped and the collection not disposed.</safety>
internal sealed class FirstRows : IDisposable
{
    private const int Attempts = 3;
    private const int LeastRound = 16;

    private readonly SortedIndex _index;
    private readonly WantedRows _wanted;
    private readonly FirstRowsBudget _budget;
    private readonly long _moves;
    private readonly OrderedCursor _cursor;
    private ulong[] _handles;
    private ulong[] _keys;
    private int _count;

    // The first row of the round.
    private int _round;

    // The cursor stands before a row of the next round.
    private bool _isAtNext;
    private bool _isAtEnd;

    // Words that the cursor was at, those of rows that are gone included.
    private int _lookedAt;
    private bool _areTooMany;

    private FirstRows(SortedIndex index, byte[] from, byte[]? to, WantedRows wanted, FirstRowsBudget budget)
    {
        _index = index;
        _wanted = wanted;
        _budget = budget;
        _moves = index.Moves;
        _cursor = index.Scan(from, to, wanted.IsDescending);
        _handles = new ulong[Math.Min(budget.InVain, wanted.Count + LeastRound)];
        _keys = new ulong[_handles.Length];
    }

    /// <summary>The handles of those that the last round found.</summary>
    public ReadOnlySpan<ulong> Handles => _handles.AsSpan(_round, _count - _round);

    /// <summary>Whether the scan has to be made after all: too few rows passed for what was spent, or rows change their keys.</summary>
    public bool IsGivenUp { get; private set; }

    /// <summary>Looks the first rows of an interval up.</summary>
    /// <param name="index">The index; its first column has integers.</param>
    /// <param name="from">The lowest bytes; empty for none.</param>
    /// <param name="to">The bytes above all; null for none.</param>
    /// <param name="wanted">Which ones.</param>
    /// <param name="budget">Rows that pay.</param>
    /// <returns>Null if the scan has to be made: there are more of one key than pay, or rows change their keys.</returns>
    public static FirstRows? TryFind(SortedIndex index, byte[] from, byte[]? to, WantedRows wanted, FirstRowsBudget budget)
    {
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            FirstRows rows = new(index, from, to, wanted, budget);
            if (rows.TryRead(wanted.Count, budget.InVain) && rows.AreStill())
                return rows;
            rows.Dispose();
            if (rows._areTooMany)
                return null;
        }

        return null;
    }

    /// <summary>Looks the next round up if more rows are wanted, there are more, and it pays.</summary>
    /// <param name="taken">How many of all rows so far passed the query's conditions.</param>
    /// <returns>False if there is none, or if <see cref="IsGivenUp"/>.</returns>
    public bool TryGoOn(long taken)
    {
        if (taken >= _wanted.Count || _isAtEnd || IsGivenUp)
            return false;
        int most = _budget.MostFor(_lookedAt, taken, _wanted.Count);
        // As many as there were, so that not more than twice as many are read as were needed.
        IsGivenUp = _lookedAt >= most || !TryRead(Math.Min(Math.Max(_count, LeastRound), most - _lookedAt), most);
        return !IsGivenUp;
    }

    /// <summary>Makes the scan begin again.</summary>
    public void GiveUp() => IsGivenUp = true;

    /// <summary>Whether all are there and have had their keys since the look-up, and no other row has changed its key so that it may have been missed.</summary>
    public bool AreStill()
    {
        // What the query read of the rows, before what is compared; that before the count of moves. Partner: SortedIndex.EndChange.
        KernelMemory.OrderLoads();
        for (int i = 0; i < _count; i++)
        {
            if (!Handle.TryLocate(_handles[i], out RowLocation location) || !location.IsVisible || !_index.TryReadFirst(location, out ulong key) || key != _keys[i])
                return false;
        }

        KernelMemory.OrderLoads();
        return _index.Moves == _moves;
    }

    /// <summary>Gives the cursor's batch back.</summary>
    public void Dispose() => _cursor.Dispose();

    /// <summary>Words that the cursor may be at until it has passed all rows with the key of the last one; 0 if there are more than pay.</summary>
    private int MostOfOneKey() => _lookedAt + _index.EstimateOfFirst((long)_keys[_count - 1], _budget.Known) <= _budget.Known ? _budget.Known : 0;

    /// <summary>Reads a round.</summary>
    /// <param name="rows">How many rows.</param>
    /// <param name="most">Words that the cursor may have been at, in all rounds.</param>
    /// <returns>False if that does not suffice, or if a row is changing its key, so that another may be missing.</returns>
    private bool TryRead(long rows, int most)
    {
        _round = _count;
        while (_isAtNext || _cursor.MoveNext())
        {
            if (!_isAtNext && ++_lookedAt > most)
            {
                // How many rows have the key of the last one is known only here.
                most = _count - _round >= rows ? MostOfOneKey() : 0;
                _areTooMany = _lookedAt > most;
                if (_areTooMany)
                    return false;
            }

            _isAtNext = false;
            // Rows that are gone, or not there yet.
            if (!Handle.TryLocate(_cursor.Word, out RowLocation location) || !location.IsVisible)
                continue;
            // Its other word may lie where the cursor has been.
            if (!_index.HasKeyOf(_cursor, location) || !_index.TryReadFirst(location, out ulong key))
                return false;
            if (_count - _round >= rows && (!_wanted.WithTies || key != _keys[_count - 1]))
            {
                _isAtNext = true;
                return true;
            }

            if (_count == _handles.Length)
            {
                Array.Resize(ref _handles, 2 * _count);
                Array.Resize(ref _keys, 2 * _count);
            }

            (_handles[_count], _keys[_count]) = (_cursor.Word, key);
            _count++;
        }

        _isAtEnd = true;
        return true;
    }
}
