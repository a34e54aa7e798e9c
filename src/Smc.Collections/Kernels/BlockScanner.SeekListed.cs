using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <content>Scans whose rows have one of several keys.</content>
public ref partial struct BlockScanner
{
    private const int IntegersOnStack = 32;

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for the rows with a key of a list, if the collection has a unique index on the column alone, or an ordered one that begins with it, and if that costs less than the scan.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="keys">The keys. Of a sequence that may compare in its own way nothing is known, so it restricts nothing.</param>
    /// <param name="others">The other conditions of the scan.</param>
    /// <param name="isTable">Whether the scan would find the value of a row in a table, without asking the list.</param>
    public void SeekListed<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) => SeekListed(offset, keys, areWidened: false, others, isTable);

    /// <summary>As <see cref="SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/>, for a column of integers that are compared as larger ones.</summary>
    public void SeekListedIntegers<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) => SeekListed(offset, keys, areWidened: true, others, isTable);

    /// <summary>As <see cref="SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/>, for the rows with one of several keys that a query names.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="keys">The keys. If one is null nothing is restricted: rows with null are in no index.</param>
    /// <param name="others">The other conditions of the scan.</param>
    public void SeekAny<TKey>(ulong offset, scoped ReadOnlySpan<TKey> keys, OtherConditions others)
    {
        // A scan compares each row with the keys without asking anybody.
        if (PayingFor(offset, keys.Length, others, isTable: true, out int most) is { } index)
            SeekKeys(index, keys, areWidened: false, most);
    }

    /// <summary>As <see cref="SeekAny"/>, for a column of integers that are compared as larger ones.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void SeekAnyInteger(ulong offset, scoped ReadOnlySpan<long?> keys, OtherConditions others)
    {
        if (PayingFor(offset, keys.Length, others, isTable: true, out int most) is not { } index)
            return;
        Span<long> integers = keys.Length <= IntegersOnStack ? stackalloc long[IntegersOnStack] : new long[keys.Length];
        integers = integers[..keys.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            if (keys[i] is not { } integer)
                return;
            integers[i] = integer;
        }

        SeekKeys<long>(index, integers, areWidened: true, most);
    }

    private void SeekListed<TKey>(ulong offset, IEnumerable<TKey>? keys, bool areWidened, OtherConditions others, bool isTable)
    {
        // Copied once: others may change the list.
        if (ListedElements.TryTakeAny(keys) is { } taken && PayingFor(offset, taken.Count, others, isTable, out int most) is { } index)
            SeekKeys<TKey>(index, taken.ToArray(), areWidened, most);
    }

    /// <summary>The index that may find the rows with one of several keys of a column: a unique one, or an ordered one.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="keys">How many keys.</param>
    /// <param name="others">The other conditions.</param>
    /// <param name="isTable">As <see cref="SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/> has it.</param>
    /// <param name="most">How many rows an ordered index may find.</param>
    /// <returns>Null if there is none, or the scan is cheaper.</returns>
    private readonly RowIndex? PayingFor(ulong offset, int keys, OtherConditions others, bool isTable, out int most)
    {
        most = 0;
        if (_isSought || IndexesOf(_context) is not { } indexes)
            return null;
        if (HashIndex.Of(indexes, (int)offset) is { } unique)
            return IndexCost.PaysForListed(_context.Count, keys, others, isTable, _blocks) ? unique : null;
        return SortedIndex.Of(indexes, (int)offset) is { } sorted && (most = IndexCost.MostListed(_context.Count, keys, others, isTable, _blocks)) > 0 ? sorted : null;
    }

    private void SeekKeys<TKey>(RowIndex index, scoped ReadOnlySpan<TKey> keys, bool areWidened, int most) =>
        _isSought = index is HashIndex unique
            ? ListedKeys.TryFind(unique, keys, areWidened, _blocks, out _soughtRows)
            : ListedIntervals.TryFind((SortedIndex)index, keys, areWidened, most, _blocks, out _soughtRows);
}
