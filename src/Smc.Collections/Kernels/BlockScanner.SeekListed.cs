using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;

namespace Smc.Collections.Kernels;

/// <content>Scans whose rows have one of several keys.</content>
public ref partial struct BlockScanner
{
    private const int IntegersOnStack = 32;

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for the rows with a key of a list, if the collection has a unique index on the column alone, and the list is so short that this is cheaper than the scan.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="keys">The keys. Of a sequence that may compare in its own way nothing is known, so it restricts nothing.</param>
    /// <param name="others">The other conditions of the scan.</param>
    /// <param name="isTable">Whether the scan would find the value of a row in a table, without asking the list.</param>
    public void SeekListed<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) => SeekListed(offset, keys, areWidened: false, others, isTable);

    /// <summary>As <see cref="SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/>, for a column of integers that are compared as larger ones.</summary>
    public void SeekListedIntegers<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) => SeekListed(offset, keys, areWidened: true, others, isTable);

    private void SeekListed<TKey>(ulong offset, IEnumerable<TKey>? keys, bool areWidened, OtherConditions others, bool isTable)
    {
        if (_isSought || IndexesOf(_context) is not { } indexes || HashIndex.Of(indexes, (int)offset) is not { } index || ListedElements.TryTakeAny(keys) is not { } taken
            || !IndexCost.PaysForListed(_context.Count, taken.Count, others, isTable, _blocks))
            return;
        // Once: others may change the list.
        _isSought = ListedKeys.TryFind<TKey>(index, taken.ToArray(), areWidened, _blocks, out _soughtRows);
    }

    /// <summary>As <see cref="SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/>, for the rows with one of several keys that a query names.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="keys">The keys. If one is null nothing is restricted: rows with null are in no index.</param>
    /// <param name="others">The other conditions of the scan.</param>
    public void SeekAny<TKey>(ulong offset, scoped ReadOnlySpan<TKey> keys, OtherConditions others)
    {
        // A scan compares each row with the keys without asking anybody.
        if (!_isSought && IndexesOf(_context) is { } indexes && HashIndex.Of(indexes, (int)offset) is { } index && IndexCost.PaysForListed(_context.Count, keys.Length, others, isTable: true, _blocks))
            _isSought = ListedKeys.TryFind(index, keys, areWidened: false, _blocks, out _soughtRows);
    }

    /// <summary>As <see cref="SeekAny"/>, for a column of integers that are compared as larger ones.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void SeekAnyInteger(ulong offset, scoped ReadOnlySpan<long?> keys, OtherConditions others)
    {
        if (_isSought || IndexesOf(_context) is not { } indexes || HashIndex.Of(indexes, (int)offset) is not { } index || !IndexCost.PaysForListed(_context.Count, keys.Length, others, isTable: true, _blocks))
            return;
        Span<long> integers = keys.Length <= IntegersOnStack ? stackalloc long[IntegersOnStack] : new long[keys.Length];
        integers = integers[..keys.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            if (keys[i] is not { } integer)
                return;
            integers[i] = integer;
        }

        _isSought = ListedKeys.TryFind<long>(index, integers, areWidened: true, _blocks, out _soughtRows);
    }
}
