using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <content>What scans of queries ask: by the first column of the key, and without missing a row.</content>
internal partial class SortedIndex
{
    private KeyPart[] First => _leading[0];

    /// <summary>The index that a query can look up by a column, if there is one that is complete.</summary>
    /// <param name="indexes">The indexes of a collection, as the caller's critical section sees them.</param>
    /// <param name="offset">The column.</param>
    public static SortedIndex? Of(RowIndex[] indexes, int offset)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is SortedIndex sorted && sorted.Parts[0].Offset == offset && sorted._leastParts == 1 && sorted.IsComplete)
                return sorted;
        }

        return null;
    }

    /// <summary>A complete index that finds rows by some of these columns, if there is one: that which begins with the most of them.</summary>
    /// <param name="indexes">The indexes of a collection, as the caller's critical section sees them.</param>
    /// <param name="columns">The columns.</param>
    /// <param name="parts">The columns with which the index begins.</param>
    public static SortedIndex? Within(RowIndex[] indexes, ReadOnlySpan<ulong> columns, out KeyPart[] parts)
    {
        SortedIndex? best = null;
        parts = [];
        foreach (RowIndex index in indexes)
        {
            if (index is not SortedIndex { IsComplete: true } sorted || sorted.CountWithin(columns) is var count && (count < sorted._leastParts || count <= parts.Length))
                continue;
            best = sorted;
            parts = sorted._leading[count - 1];
        }

        return best;
    }

    /// <summary>Writes the interval of the keys that begin with some values.</summary>
    /// <param name="parts">Columns with which the key of an index begins.</param>
    /// <param name="values">Their values.</param>
    /// <param name="from">Gets the lowest bytes: <see cref="KeyOrder.MaxLength"/>.</param>
    /// <param name="to">Gets those above all, as many.</param>
    public static KeyInterval IntervalOf(KeyPart[] parts, scoped ref readonly KeyImage values, Span<byte> from, Span<byte> to)
    {
        int length = KeyOrder.Write(parts, in values, from);
        from[..length].CopyTo(to);
        int end = KeyOrder.MakeSuccessor(to[..length]);
        return new KeyInterval(from[..length], to[..end], isEndless: end == 0);
    }

    /// <summary>About how many rows a range has.</summary>
    /// <inheritdoc cref="OrderedIntervals.EstimateOf" path="/param|/safety"/>
    public long EstimateOf(KeyInterval interval, long most) => _table.Intervals.EstimateOf(interval, most);

    /// <summary>About how many rows have a value in the first column, which has integers.</summary>
    /// <returns>More than <paramref name="most"/> if nobody knows.</returns>
    /// <inheritdoc cref="OrderedIntervals.EstimateOf" path="/param|/safety"/>
    [SkipLocalsInit]
    public long EstimateOfFirst(long value, long most) =>
        TryWriteFirst(new ValueRange(value, value), stackalloc byte[sizeof(ulong)], stackalloc byte[sizeof(ulong)], out KeyInterval interval) ? EstimateOf(interval, most) : most + 1;

    /// <summary>Copies the handles of all rows that are in a range from now to the end of the call, and of some that are not: who gets them asks the rows.</summary>
    /// <returns>How many; -1 if there are more than fit, or if rows changed their keys meanwhile, so that one may be missing.</returns>
    /// <safety>The caller is inside a critical section, and saw in it that the index is not dropped and the collection not disposed.</safety>
    public int CopyRows(KeyInterval interval, Span<ulong> handles)
    {
        // A row that moves down behind the scan, and whose old word goes before the scan is there, would be seen at neither place.
        long moves = Moves;
        int count = _table.Intervals.CopyWords(interval, handles);
        KernelMemory.OrderLoads();
        return Moves == moves ? count : -1;
    }

    public override long Moves => Volatile.Read(ref _moves);

    /// <summary>Whether the columns of the row that a cursor is at have the key at which it is.</summary>
    /// <param name="cursor">A cursor over this index.</param>
    /// <param name="location">Where its row is.</param>
    public bool HasKeyOf(OrderedCursor cursor, RowLocation location) => HasKey(location, cursor.Key[..^KeyOrder.IdBytes]);

    /// <summary>Whether the first column has integers, as which <see cref="TryReadFirst"/> can read it.</summary>
    public bool BeginsWithInteger => First[0].IsInteger;

    /// <summary>The first column of a row: equal for equal keys.</summary>
    /// <returns>False if it is null.</returns>
    public bool TryReadFirst(RowLocation location, out ulong key)
    {
        bool isKey = KeyImage.TryReadWords(First, location, out KeyImage image);
        key = isKey ? image[0].Low : 0;
        return isKey;
    }

    /// <summary>Writes the value of the first column that a query asks for.</summary>
    /// <param name="key">The value.</param>
    /// <param name="destination">Where to.</param>
    /// <returns>The number of bytes; 0 if there is no such value, or no room.</returns>
    public int WriteFirst<TKey>(TKey key, Span<byte> destination)
    {
        using KeyText text = new(KeyEncoder<TKey>.TextBytes(key));
        KeyImage image = new(First);
        return KeyEncoder<TKey>.TryEncode(First, key, ref image, text.Place) && KeyOrder.MaxLength(First, in image) <= destination.Length
            ? KeyOrder.Write(First, in image, destination)
            : 0;
    }

    /// <summary>Writes the interval of keys whose first column lies in a range.</summary>
    /// <param name="values">The values.</param>
    /// <param name="from">Gets the lowest bytes: 8.</param>
    /// <param name="to">Gets those above all: 8.</param>
    /// <param name="interval">The interval.</param>
    /// <returns>False if the column does not have integers, or the range has all of them, or none.</returns>
    public bool TryWriteFirst(ValueRange values, Span<byte> from, Span<byte> to, out KeyInterval interval)
    {
        interval = default;
        KeyPart part = First[0];
        // Unsigned values of eight bytes are in another order in zone maps.
        if (!part.IsInteger || (part.Kind == KeyKind.Unsigned && part.Width == sizeof(ulong)))
            return false;
        (long least, long greatest) = part.Kind == KeyKind.Unsigned
            ? (0, (1L << (8 * part.Width)) - 1)
            : (long.MinValue >> (64 - (8 * part.Width)), long.MaxValue >> (64 - (8 * part.Width)));
        long low = Math.Max(values.Low, least), high = Math.Min(values.High, greatest);
        if (low > high || (low == least && high == greatest))
            return false;
        int length = KeyOrder.Write(part, new KeyWord((ulong)low, 0), from);
        KeyOrder.Write(part, new KeyWord((ulong)high, 0), to);
        int end = KeyOrder.MakeSuccessor(to[..length]);
        interval = new KeyInterval(from[..length], to[..end], isEndless: end == 0);
        return true;
    }

    /// <summary>With how many of these columns the key begins.</summary>
    private int CountWithin(ReadOnlySpan<ulong> columns)
    {
        int count = 0;
        while (count < Parts.Length && columns.Contains((ulong)Parts[count].Offset))
            count++;
        return count;
    }
}
