using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// How many rows the left side of a join has, as far as it is known before they are read: those of a collection, or those that its indexes find. An estimate, from which <see cref="PartnerIndex"/>
/// decides; never an answer.
/// </summary>
/// <safety>Made and used in one critical section.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct LeftRows
{
    private const int IntegerBytes = sizeof(ulong);

    private readonly MemoryContext _context;
    private readonly long _count;

    // Those that a scan looks up together if an index is on several.
    private readonly KnownColumns _known;
    private readonly int _knownCount;

    private LeftRows(MemoryContext context, long count)
    {
        _context = context;
        _count = count;
    }

    private LeftRows(LeftRows before, long count)
        : this(before._context, count)
    {
        _known = before._known;
        _knownCount = before._knownCount;
    }

    private LeftRows(LeftRows before, ulong column)
        : this(before._context, before._count)
    {
        _known = before._known;
        _knownCount = before._knownCount;
        if (_knownCount < KeyImage.MaxParts)
            _known[_knownCount++] = column;
    }

    /// <summary>At most so many; <see cref="long.MaxValue"/> where nobody knows.</summary>
    internal long Count => _count;

    /// <summary>The rows of a collection.</summary>
    /// <param name="context">The collection's memory.</param>
    public static LeftRows Of(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new LeftRows(context, context.Count);
    }

    /// <summary>Those that have a key, if the scan is going to look it up: see <see cref="BlockScanner.Seek{TKey}(ulong, TKey)"/>.</summary>
    public LeftRows Seek<TKey>(ulong offset, TKey key)
    {
        // Any number of rows may have null.
        if (key is null || IndexesOf(_context) is not { } indexes)
            return this;
        LeftRows known = new(this, offset);
        if (HashIndex.Within(indexes, known.Known) is not null)
            return known.AtMost(1);
        return KeyEncoder<TKey>.IsInteger && SortedIndex.Of(indexes, (int)offset) is not null ? known.SeekRange(offset, ValueRange.All.Exactly((long)KeyEncoder<TKey>.Widen(key))) : known;
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, with a key that may be null. Any number of rows may have null.</summary>
    public LeftRows Seek<TKey>(ulong offset, TKey? key)
        where TKey : struct => key is { } value ? Seek(offset, value) : this;

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekListed{TKey}(ulong, IEnumerable{TKey}?, OtherConditions, bool)"/>.</summary>
    public LeftRows SeekListed<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) =>
        ListedElements.TryTakeAny(keys) is { } taken ? WithKeys(offset, taken.Count, others, isTable) : this;

    /// <summary>As <see cref="SeekListed"/>, for <see cref="BlockScanner.SeekListedIntegers"/>.</summary>
    public LeftRows SeekListedIntegers<TKey>(ulong offset, IEnumerable<TKey>? keys, OtherConditions others, bool isTable) => SeekListed(offset, keys, others, isTable);

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekAny"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public LeftRows SeekAny<TKey>(ulong offset, scoped ReadOnlySpan<TKey> keys, OtherConditions others)
    {
        foreach (TKey key in keys)
        {
            if (key is null)
                return this;
        }

        return WithKeys(offset, keys.Length, others, isTable: true);
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekAnyInteger"/>.</summary>
    public LeftRows SeekAnyInteger(ulong offset, scoped ReadOnlySpan<long?> keys, OtherConditions others) => SeekAny(offset, keys, others);

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekInteger(ulong, long?)"/>.</summary>
    public LeftRows SeekInteger(ulong offset, long? key) => key is { } value ? SeekInteger(offset, value) : this;

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekInteger(ulong, long)"/>.</summary>
    public LeftRows SeekInteger(ulong offset, long key)
    {
        LeftRows known = new(this, offset);
        return IndexesOf(_context) is { } indexes && HashIndex.Within(indexes, known.Known) is not null ? known.AtMost(1) : known.SeekRange(offset, ValueRange.All.Exactly(key));
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for <see cref="BlockScanner.SeekRange"/>.</summary>
    [SkipLocalsInit]
    public LeftRows SeekRange(ulong offset, ValueRange range)
    {
        if (IndexesOf(_context) is not { } indexes || SortedIndex.Of(indexes, (int)offset) is not { } index
            || !index.TryWriteFirst(range, stackalloc byte[IntegerBytes], stackalloc byte[IntegerBytes], out KeyInterval interval))
            return this;
        int most = IndexCost.MostFound(index, interval, range, SnapshotScope.BlocksOf(_context));
        return most > 0 ? AtMost(Math.Min(most, index.EstimateOf(interval, most))) : this;
    }

    /// <summary>After a join with rows of which at most one has the key of each, by a unique index; without one nobody knows.</summary>
    /// <param name="right">The memory of the collection on the right.</param>
    /// <param name="columns">The columns with the key, or more.</param>
    public LeftRows Join(MemoryContext right, ReadOnlySpan<ulong> columns) =>
        IndexesOf(right) is { } indexes && HashIndex.Within(indexes, columns) is not null ? this : new LeftRows(_context, long.MaxValue);

    private LeftRows WithKeys(ulong offset, int keys, OtherConditions others, bool isTable) =>
        IndexesOf(_context) is { } indexes && HashIndex.Of(indexes, (int)offset) is not null && IndexCost.PaysForListed(_context.Count, keys, others, isTable, SnapshotScope.BlocksOf(_context))
            ? AtMost(keys)
            : this;

    private LeftRows AtMost(long count) => new(this, Math.Min(_count, count));

    /// <summary>The columns that have to equal a value.</summary>
    [UnscopedRef]
    private readonly ReadOnlySpan<ulong> Known => ((ReadOnlySpan<ulong>)_known)[.._knownCount];

    private static RowIndex[]? IndexesOf(MemoryContext context) => SnapshotView.Covers(context) ? null : context.Indexes.All;

    [InlineArray(KeyImage.MaxParts)]
    private struct KnownColumns
    {
        private ulong _first;
    }
}
