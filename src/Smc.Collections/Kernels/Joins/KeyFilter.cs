using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Which integer keys the table of a join has, small enough to be asked for every row of a scan: a bit for each integer in the span of the keys where they lie close together, which
/// tells exactly; else a Bloom filter, two bits in one word for each key.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct KeyFilter
{
    /// <summary>So many bits for a key are worth an exact answer.</summary>
    private const ulong SparsestKeys = 64;

    /// <summary>So many are where all of them fit the second-level cache.</summary>
    private const ulong SparsestCachedKeys = 512;

    /// <summary>So many bits fit the first-level cache, where asking them is faster than a Bloom filter, however few keys there are.</summary>
    private const ulong SmallSpan = 1 << 18;

    /// <summary>So many bits fit the second-level cache.</summary>
    private const ulong CachedSpan = 1 << 23;

    private const int RowsOfWord = 64;

    /// <summary>After so many rows it is known whether asking is worth the time.</summary>
    private const long Trial = 16384;

    /// <summary>Codes are worth their memory where no more than one row in so many is kept.</summary>
    private const long ShareOfCoded = 8;

    /// <summary>As <see cref="ShareOfCoded"/>, where a value costs a line of memory.</summary>
    private const long ShareOfCodedApart = 2;

    private ulong _words;
    private ulong _least;
    private ulong _size;
    private int _shift;
    private bool _hasReusedIds;
    private ulong _flags;
    private bool _hasFlags;
    private RowShare _open;
    private RowShare _steps;
    private long _asked;
    private long _kept;

    /// <summary>Whether <see cref="Contains"/> says exactly which keys were added.</summary>
    public bool IsExact { get; private set; }

    /// <summary>A filter that keeps all rows, where nobody knows the keys: it tells nothing by itself.</summary>
    public static KeyFilter All => new() { _asked = long.MaxValue / 2, _kept = long.MaxValue / 2 };

    /// <summary>A filter for so many keys, none of which is in it yet.</summary>
    public static KeyFilter Create(ref Region region, int keys, in KeySpan span)
    {
        if (IsWorthBits(span, (ulong)keys))
            return Exact(ref region, span);
        int bits = Math.Max(6, BitOperations.Log2((uint)keys / 4) + 1);
        return new KeyFilter { _words = region.AllocateZeroed((long)sizeof(ulong) << bits), _shift = 64 - bits };
    }

    /// <summary>An exact filter for the values of a column, before they are read; one that is not exact when they lie too far apart.</summary>
    /// <param name="region">Where the bits go.</param>
    /// <param name="context">The collection with the column.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    public static KeyFilter Over(ref Region region, MemoryContext context, ulong zoneOffset)
    {
        KeySpan span = KeySpan.Of(ZoneSpan.Over(context, zoneOffset));
        return IsWorthBits(span, (ulong)context.Count) ? Exact(ref region, span) : default;
    }

    /// <summary>
    /// As <see cref="Over"/> for a column of references, by dense id: exact where all lead to one collection. Handles are added by <see cref="TryAddRow"/>.
    /// </summary>
    /// <remarks>
    /// A dense id may have stood for other rows before. Where that can be, only handles of rows that exist are added; a removed row is in nobody's scan. Inside one critical
    /// section this is exact: the id of a row that exists in it gets no other row before it ends.
    /// </remarks>
    /// <inheritdoc cref="Over"/>
    public static KeyFilter OverRows(ref Region region, MemoryContext context, ulong zoneOffset)
    {
        TargetRows rows = TargetRows.Locate(context, zoneOffset);
        if (rows.Context is not { } target)
            return default;
        KeyFilter filter = Exact(ref region, rows.Origin, rows.Limit, TargetRows.DenseIdShift);
        filter._hasReusedIds = target.HasReusedIds;
        return filter;
    }

    /// <summary>Adds a key of the span that the filter was made for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe void Add(ulong key)
    {
        ulong* words = (ulong*)_words; // SAFETY: the region gave a bit for each integer of the span, or as many words as the shift leaves.
        if (IsExact)
        {
            ulong bit = (key >> _shift) - _least;
            words[bit >> 6] |= 1UL << (int)(bit & 63);
            return;
        }

        ulong hash = KeyWords.Spread(key);
        words[hash >> _shift] |= (1UL << (int)((hash >> 20) & 63)) | (1UL << (int)((hash >> 27) & 63));
    }

    /// <summary>Adds a key to an exact filter; false when it lies outside of the span, because a writer has widened it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryAdd(ulong key)
    {
        if ((key >> _shift) - _least >= _size)
            return false;
        Add(key);
        return true;
    }

    /// <summary>As <see cref="TryAdd"/> for a handle, which is not null, and a filter <see cref="OverRows"/>: a handle whose place is taken adds nothing, so nobody needs to know whether its row exists. Inside the critical section in which the filter was made.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryAddRow(ulong handle) => (_hasReusedIds && !Contains(handle) && !TargetRows.IsAlive(handle)) || TryAdd(handle);

    /// <summary>Adds the keys of a batch's rows, if the filter is exact; else false, and nothing has happened.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="block">The block.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="offset">Where blocks have the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <param name="skipsZero">Whether keys are handles, of which null is left out.</param>
    /// <param name="isOutside">Set when a key lies outside of the span, because a writer has widened it.</param>
    /// <safety>As <see cref="Keep"/>; the bitmap covers the batch.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe bool TryAddColumn<T>(ulong block, ulong zoneOffset, ulong offset, ulong stride, int first, int rows, ulong bitmap, bool skipsZero, ref bool isOutside)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (!IsExact)
            return false;
        if (_hasReusedIds)
        {
            isOutside |= !TryAddColumnOfRows(block + offset, stride, first, rows, bitmap);
            return true;
        }

        if (BlockNumbers.LieApart(stride) && BlockNumbers.Of(block, zoneOffset, offset, stride, _least, _size, _shift) is { Codes: not 0 } keys)
        {
            ulong* others = stackalloc ulong[ScanBatch.Rows / RowsOfWord];
            AddCodes(keys, first, rows, bitmap, others);
            bitmap = (ulong)others;
        }

        ulong value = block + offset + ((ulong)first * stride);
        for (int row = 0; row < rows; row += RowsOfWord, value += RowsOfWord * stride)
        {
            ulong left = *(ulong*)(bitmap + (ulong)(row / 8)); // SAFETY: the bitmap covers the batch.
            isOutside |= !(left == ulong.MaxValue
                ? TryAddAll<T>(_words, _least, _size, _shift, value, stride, skipsZero)
                : TryAddSome<T>(_words, _least, _size, _shift, value, stride, left, skipsZero));
        }

        return true;
    }

    /// <summary>Adds the keys that codes tell, and notes the rows whose codes tell none: a bit for each row of the batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe void AddCodes(in BlockNumbers keys, int first, int rows, ulong bitmap, ulong* open)
    {
        // SAFETY: as in Add; both bitmaps cover the batch.
        ulong* words = (ulong*)_words, batch = (ulong*)bitmap;
        ulong size = _size;
        for (int w = 0; w < (rows + RowsOfWord - 1) / RowsOfWord; w++)
        {
            ulong others = 0;
            for (ulong left = batch[w]; left != 0; left &= left - 1)
            {
                int row = BitOperations.TrailingZeroCount(left);
                if (keys.Tells((ulong)(first + (w * RowsOfWord) + row), out ulong bit) && bit < size)
                    words[bit >> 6] |= 1UL << (int)(bit & 63);
                else
                    others |= 1UL << row;
            }

            open[w] = others;
        }
    }

    /// <summary>Adds the keys of the 64 rows of a word; false if some lie outside of the span, and these are not added.</summary>
    /// <remarks>No row waits for the bit of the one before: 1.5 million references took 0.87 ms, where going from bit to bit took 1.29.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe bool TryAddAll<T>(ulong filter, ulong least, ulong size, int shift, ulong value, ulong stride, bool skipsZero)
        where T : unmanaged, IBinaryInteger<T>
    {
        KernelMemory.PrefetchPageLater<T>(value);
        ulong* words = (ulong*)filter; // SAFETY: as in Add; the caller has 64 values.
        bool areInside = true;
        for (int row = 0; row < RowsOfWord; row++, value += stride)
        {
            ulong key = KeyAt<T>(value), bit = (key >> shift) - least;
            if (bit < size)
                words[bit >> 6] |= 1UL << (int)(bit & 63);
            else
                areInside &= key == 0 && skipsZero;
        }

        return areInside;
    }

    /// <summary>Adds the keys of some of 64 rows; false if some lie outside of the span, and these are not added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe bool TryAddSome<T>(ulong filter, ulong least, ulong size, int shift, ulong value, ulong stride, ulong left, bool skipsZero)
        where T : unmanaged, IBinaryInteger<T>
    {
        ulong* words = (ulong*)filter; // SAFETY: as in Add; the caller has the values.
        bool areInside = true;
        for (; left != 0; left &= left - 1)
        {
            ulong key = KeyAt<T>(value + ((ulong)BitOperations.TrailingZeroCount(left) * stride)), bit = (key >> shift) - least;
            if (bit < size)
                words[bit >> 6] |= 1UL << (int)(bit & 63);
            else
                areInside &= key == 0 && skipsZero;
        }

        return areInside;
    }

    /// <summary>Adds the handles of a batch's rows, null left out, as <see cref="TryAddRow"/> does; false if some lie outside of the span.</summary>
    /// <remarks>
    /// Only the first handle to a row asks whether the row exists: where its bit is set already, no other handle to the place can change that. So most rows are done eight at a time,
    /// by a look at the bits: of 1.5 million references to 150,000 rows, one in ten led to an entry.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe bool TryAddColumnOfRows(ulong column, ulong stride, int first, int rows, ulong bitmap)
    {
        // SAFETY: the bitmap covers the batch, which has as many words at most as there are on the stack.
        ulong* words = (ulong*)bitmap, added = stackalloc ulong[ScanBatch.Rows / RowsOfWord];
        int count = (rows + RowsOfWord - 1) / RowsOfWord;
        if (NumberLookUp.IsPossible<ulong>(stride, _size))
        {
            for (int w = 0; w < count; w++)
                added[w] = words[w];
            NumberLookUp.Keep<ulong>(_words, _least, _size, _shift, column, first, rows, (ulong)added);
        }

        bool areInside = true;
        ulong value = column + ((ulong)first * stride);
        for (int w = 0; w < count; w++, value += RowsOfWord * stride)
        {
            KernelMemory.PrefetchPageLater<ulong>(value);
            if ((words[w] & ~added[w]) is var left and not 0)
                areInside &= TryAddRows(value, stride, left);
        }

        return areInside;
    }

    /// <summary>Adds the handles of some of 64 rows. Their entries are on the way at once, before the first one is needed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly bool TryAddRows(ulong value, ulong stride, ulong left)
    {
        for (ulong asked = left; asked != 0; asked &= asked - 1)
            Handle.Prefetch(HandleAt(value, stride, asked));
        bool areInside = true;
        for (; left != 0; left &= left - 1)
        {
            ulong handle = HandleAt(value, stride, left);
            areInside &= handle == 0 || TryAddRow(handle);
        }

        return areInside;

        static ulong HandleAt(ulong value, ulong stride, ulong rows) => KernelMemory.Read<ulong>(value + ((ulong)BitOperations.TrailingZeroCount(rows) * stride));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong KeyAt<T>(ulong value)
        where T : unmanaged, IBinaryInteger<T> => unchecked((ulong)long.CreateTruncating(KernelMemory.Read<T>(value)));

    /// <summary>A filter of the same span without keys, for a part of a scan; one that is not exact when this is not.</summary>
    public readonly KeyFilter WithoutKeys(ref Region region) => IsExact ? this with { _words = NumberLookUp.AllocateBits(ref region, _size), _flags = 0 } : default;

    /// <summary>Adds the keys of a filter that <see cref="WithoutKeys"/> made of this one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void AddAll(in KeyFilter part)
    {
        if (!IsExact)
            return;
        ulong* words = (ulong*)_words, added = (ulong*)part._words; // SAFETY: both have as many words.
        for (nint i = 0; i < (nint)WordCount; i++)
            words[i] |= added[i];
    }

    /// <summary>Whether an exact filter has a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Contains(ulong key) => HasBit(_words, Math.Min((key >> _shift) - _least, _size)) != 0;

    /// <summary>Whether an exact filter by dense ids has a row.</summary>
    /// <safety>As <see cref="BlockHeader.HandleAt"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool ContainsRow(ulong block, ulong slot) => HasBit(_words, Math.Min(TargetRows.PlaceOf(block, slot) - _least, _size)) != 0;

    /// <summary>The keys that a block has in a column of integers, as numbers of the filter.</summary>
    /// <param name="block">The block.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="offset">Where blocks have the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <safety>The caller reached the block in its critical section, after the last key was added.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public BlockNumbers NumbersIn(ulong block, ulong zoneOffset, ulong offset, ulong stride)
    {
        // The join reads the keys of the rows that are left: where they are many, their values are read at once. Nor is a byte for each number worth its time for few rows.
        bool lieApart = BlockNumbers.LieApart(stride);
        bool areWorth = IsExact && _asked > Trial && _kept <= _asked / (lieApart ? ShareOfCodedApart : ShareOfCoded) && !_open.IsAboveOneIn(BlockNumbers.RowsForOneOpen);
        if (!areWorth || !(lieApart || _flags != 0))
            return BlockNumbers.OfValues(block + offset, stride);
        BlockNumbers numbers = BlockNumbers.Of(block, zoneOffset, offset, stride, _least, _size, _shift);
        if (numbers.Codes != 0 && _flags != 0 && !_hasFlags)
            MakeFlags();
        return numbers;
    }

    /// <summary>Keeps the selected rows whose key may be in the filter; when nearly all are, it soon stops asking.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="keys">The keys.</param>
    /// <param name="selection">The slots, 32 bits each, and <see cref="ScanBatch.Ahead"/> bytes behind them.</param>
    /// <param name="count">How many.</param>
    /// <returns>How many are kept.</returns>
    /// <safety>The keys are those of the block in which the slots are; the bytes behind the selection can be read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Keep<T>(in BlockNumbers keys, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (KeepsNearlyAll)
            return count;
        int kept = keys.Codes != 0 ? KeepByCodes<T>(keys, selection, count) : KeepByValues<T>(keys, selection, count);
        _asked += count;
        _kept += kept;
        return kept;
    }

    /// <summary>Appends to a selection the rows of a batch whose key may be in the filter, as <see cref="Keep"/> would leave them.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch. What it is afterwards is nobody's business.</param>
    /// <param name="selection">The selection.</param>
    /// <param name="count">How many rows are in it.</param>
    /// <returns>How many are then.</returns>
    /// <safety>As <see cref="Keep"/> and <see cref="RowBitmap.AppendTo"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Append<T>(in BlockNumbers keys, int first, int rows, ulong bitmap, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (KeepsNearlyAll || !CanLookUp<T>(keys))
        {
            int appended = RowBitmap.AppendTo(selection, count, bitmap, first, rows) - count;
            return count + Keep<T>(keys, selection + ((ulong)count * sizeof(uint)), appended);
        }

        _asked += RowBitmap.Count(bitmap, rows);
        if (keys.Codes != 0)
            _open.Note(rows, NumberLookUp.KeepByCodes<T>(_words, _flags, keys, _least, _size, _shift, first, rows, bitmap, out _));
        else
            NumberLookUp.Keep<T>(_words, _least, _size, _shift, keys.Column, first, rows, bitmap);
        int kept = RowBitmap.AppendTo(selection, count, bitmap, first, rows) - count;
        _kept += kept;
        return count + kept;
    }

    /// <summary>What <see cref="Append"/> takes for each row of a block: picoseconds, for <see cref="FilterOrder.Weigh"/>.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="keys">The keys.</param>
    /// <param name="slots">The block's slots.</param>
    /// <safety>As <see cref="Append"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly int Cost<T>(in BlockNumbers keys, int slots)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (!CanLookUp<T>(keys))
            return FilterOrder.CostOfSelected;
        return keys.Codes != 0 ? NumberLookUp.CostOfKeepByCodes(keys, _size, slots, NumberLookUp.CostByFlags) : NumberLookUp.CostOfKeep;
    }

    private readonly bool CanLookUp<T>(in BlockNumbers keys)
        where T : unmanaged, IBinaryInteger<T> => IsExact && (keys.Codes != 0 ? _hasFlags : NumberLookUp.IsPossible<T>(keys.Stride, _size));

    /// <summary>A byte for each number, of the bits, and one behind the last for other values. Threads that do this at once write the same.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void MakeFlags()
    {
        byte* flags = (byte*)_flags; // SAFETY: the region gave a byte for each integer of the span, and one more.
        for (ulong bit = 0; bit < _size; bit++)
            flags[bit] = (byte)HasBit(_words, bit);
        flags[_size] = TargetRows.False;
        _hasFlags = true;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int KeepByCodes<T>(in BlockNumbers keys, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        int kept = _hasFlags
            ? NumberFlags.KeepByCodes<T>(_flags, keys, _least, _size, _shift, selection, count, out _, out int open)
            : KeepExactlyByCodes<T>(keys, selection, count, out open);
        _open.Note(count, open);
        return kept;
    }

    /// <summary>As <see cref="KeepExactly"/>, by codes that tell the numbers, of which there are too many for a byte each.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe int KeepExactlyByCodes<T>(in BlockNumbers keys, ulong selection, int count, out int open)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: as in KeepExactly.
        keys.Ask(selection, count);
        uint* slots = (uint*)selection, kept = slots;
        ulong words = _words, least = _least, size = _size;
        int shift = _shift, looked = 0;
        for (uint* end = slots + count; slots < end; slots++)
        {
            uint slot = *slots;
            if (!keys.Tells(slot, out ulong number))
            {
                number = keys.NumberOfValue<T>(slot, least, size, shift);
                looked++;
            }

            *kept = slot;
            kept += HasBit(words, Math.Min(number, size));
        }

        open = looked;
        return (int)(kept - (uint*)selection);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int KeepByValues<T>(in BlockNumbers keys, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (keys.Stride <= sizeof(ulong))
            ScanBatch.AskForColumn(keys.Column, keys.Stride, selection, count);
        // There are steps only for a filter that is exact.
        count = keys.Steps.KeepIfWorth(ref _steps, _words, _size, selection, count);
        return IsExact ? KeepExactly<T>(keys.Column, keys.Stride, selection, count) : KeepLikely<T>(keys.Column, keys.Stride, selection, count);
    }

    private readonly bool KeepsNearlyAll => _asked > Trial && _kept > _asked / 8 * 7;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe int KeepExactly<T>(ulong column, ulong stride, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: the caller's promise; kept slots overwrite those that were read before.
        uint* slots = (uint*)selection, kept = slots;
        ulong words = _words, least = _least, size = _size;
        int shift = _shift;
        for (uint* end = slots + count; slots < end; slots++)
        {
            uint slot = *slots;
            ScanBatch.AskForRow(column, stride, (ulong)slots);
            ulong key = unchecked((ulong)long.CreateTruncating(KernelMemory.Read<T>(column + (slot * stride))));
            *kept = slot;
            kept += HasBit(words, Math.Min((key >> shift) - least, size));
        }

        return (int)(kept - (uint*)selection);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe int KeepLikely<T>(ulong column, ulong stride, ulong selection, int count)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: as above.
        uint* slots = (uint*)selection, kept = slots;
        ulong* words = (ulong*)_words;
        int shift = _shift;
        for (uint* end = slots + count; slots < end; slots++)
        {
            uint slot = *slots;
            ScanBatch.AskForRow(column, stride, (ulong)slots);
            ulong hash = KeyWords.Spread(unchecked((ulong)long.CreateTruncating(KernelMemory.Read<T>(column + (slot * stride)))));
            ulong word = words[hash >> shift];
            *kept = slot;
            kept += (word >> (int)((hash >> 20) & 63)) & (word >> (int)((hash >> 27) & 63)) & 1;
        }

        return (int)(kept - (uint*)selection);
    }

    private readonly long WordCount => (long)(_size / 64) + 1;

    private static bool IsWorthBits(in KeySpan span, ulong keys) =>
        span.Size <= Math.Max(SmallSpan, Math.Max(keys * SparsestKeys, Math.Min(CachedSpan, keys * SparsestCachedKeys)));

    private static KeyFilter Exact(ref Region region, in KeySpan span) => Exact(ref region, span.Least, span.Size, shift: 0);

    /// <summary>The bit behind the last stands for all keys outside of the span and is never set.</summary>
    private static KeyFilter Exact(ref Region region, ulong least, ulong size, int shift) => new()
    {
        IsExact = true,
        _words = NumberLookUp.AllocateBits(ref region, size),
        _least = least,
        _size = size,
        _shift = shift,
        _flags = size <= ColumnSketch.Steps ? region.Allocate((long)size + 1) : 0,
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe ulong HasBit(ulong words, ulong bit) => (((ulong*)words)[bit >> 6] >> (int)(bit & 63)) & 1; // SAFETY: bits up to the size of the span have a word.
}
