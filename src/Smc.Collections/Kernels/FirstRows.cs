using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows with the lowest or the highest keys of an interval, as an ordered index found them, until the query has read them.</summary>
/// <remarks>
/// A row that is removed or gets another key between look-up and reading would leave the place of the next one empty. So who has read the rows asks <see cref="AreStill"/>: all are there,
/// with the keys that they were found by, and no setter was done with a change of a key since before the look-up. Then they had these keys all the time, and no row was missed.
/// </remarks>
/// <safety>Made and used in one critical section, in which the caller saw that the index is not dropped and the collection not disposed.</safety>
internal sealed class FirstRows
{
    private const int Attempts = 3;

    private readonly SortedIndex _index;
    private readonly long _moves;
    private readonly ulong[] _handles;
    private readonly ulong[] _keys;
    private int _count;

    private FirstRows(SortedIndex index, int most)
    {
        _index = index;
        _moves = index.Moves;
        _handles = new ulong[most];
        _keys = new ulong[most];
    }

    /// <summary>Their handles.</summary>
    public ReadOnlySpan<ulong> Handles => _handles.AsSpan(0, _count);

    /// <summary>Looks the first rows of an interval up.</summary>
    /// <param name="index">The index; its first column has integers.</param>
    /// <param name="from">The lowest bytes; empty for none.</param>
    /// <param name="to">The bytes above all; null for none.</param>
    /// <param name="wanted">Which ones.</param>
    /// <param name="most">Rows that pay.</param>
    /// <returns>Null if the scan has to be made: there are more of one key than pay, or rows change their keys.</returns>
    public static FirstRows? TryFind(SortedIndex index, byte[] from, byte[]? to, WantedRows wanted, int most)
    {
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            FirstRows rows = new(index, most);
            int found = index.CopyFirst(from, to, wanted, rows._handles, rows._keys);
            if (found > most)
                return null;
            rows._count = found;
            if (found >= 0 && rows.AreStill())
                return rows;
        }

        return null;
    }

    /// <summary>Whether all are there and have had their keys since the look-up, and no other row has changed its key so that it may have been missed.</summary>
    public bool AreStill()
    {
        // What the query read of the rows, before what is compared; that before the count of moves. Partner: SortedIndex.EndChange.
        KernelMemory.OrderLoads();
        for (int i = 0; i < _count; i++)
        {
            if (!Handle.TryLocate(_handles[i], out ulong location) || !MemoryContext.IsVisible(location) || !_index.TryReadFirst(location, out ulong key) || key != _keys[i])
                return false;
        }

        KernelMemory.OrderLoads();
        return _index.Moves == _moves;
    }
}
