using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <content>Scans that indexes restrict to the rows that they find.</content>
public ref partial struct BlockScanner
{
    private const int KeyBytes = 256;
    private const int IntegerBytes = sizeof(ulong);

    // Indexes have the keys of now: a scan through a snapshot does without.
    private static RowIndex[]? IndexesOf(MemoryContext context) => SnapshotView.Covers(context) ? null : context.Indexes.All;

    /// <summary>Whether an index restricts the scan: then threads have nothing to share.</summary>
    public readonly bool IsSought => _isSought;

    /// <summary>
    /// Restricts the scan to the rows with a key, if the collection has an index on the column, or a unique one on this column and others of which the value is known; otherwise nothing changes. They are rows that had the key at some moment since: who tests the
    /// scan's conditions tests them on these, too. A row is left out only if at some moment it did not have the key.
    /// </summary>
    /// <param name="offset">The column.</param>
    /// <param name="key">The key; null restricts nothing.</param>
    public void Seek<TKey>(ulong offset, TKey key)
    {
        if (_isSought || IndexesOf(_context) is not { } indexes)
            return;
        if (HashIndex.Of(indexes, (int)offset) is { } index && index.TryFind(key, out ulong handle))
            Found(handle);
        else if (SortedIndex.Of(indexes, (int)offset) is { } sorted)
            Seek(sorted, key);
        if (_isSought || KeyInParts.PartOf(indexes, (int)offset) is not { } part)
            return;
        (_key ??= new KeyInParts()).Add(part, key);
        FindByParts(indexes);
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, with a key that may be null, which restricts nothing: rows with null are in no index.</summary>
    public void Seek<TKey>(ulong offset, TKey? key)
        where TKey : struct
    {
        if (key is { } value)
            Seek(offset, value);
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for a column of integers that are compared as larger ones.</summary>
    public void SeekInteger(ulong offset, long? key)
    {
        if (key is { } value)
            SeekInteger(offset, value);
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for a column of integers that are compared as larger ones.</summary>
    public void SeekInteger(ulong offset, long key)
    {
        if (_isSought || IndexesOf(_context) is not { } indexes)
            return;
        if (HashIndex.Of(indexes, (int)offset) is { } index && index.TryFindInteger(key, out ulong handle))
            Found(handle);
        else
            SeekRange(offset, ValueRange.All.Exactly(key));
        if (_isSought || KeyInParts.PartOf(indexes, (int)offset) is not { } part)
            return;
        (_key ??= new KeyInParts()).AddInteger(part, key);
        FindByParts(indexes);
    }

    /// <summary>As <see cref="Seek{TKey}(ulong, TKey)"/>, for the rows whose values lie in a range, if the collection has an ordered index that begins with the column and if that costs less than the scan.</summary>
    /// <param name="offset">The column.</param>
    /// <param name="range">The range.</param>
    [SkipLocalsInit]
    public void SeekRange(ulong offset, ValueRange range)
    {
        if (_isSought || IndexesOf(_context) is not { } indexes || SortedIndex.Of(indexes, (int)offset) is not { } index || (_refused == (int)offset && range.Low == range.High))
            return;
        if (index.TryWriteFirst(range, stackalloc byte[IntegerBytes], stackalloc byte[IntegerBytes], out KeyInterval interval))
            Seek(index, interval, range);
    }

    /// <summary>
    /// As <see cref="SeekRange"/>, for the rows with the lowest or the highest values of a range. Who has read them calls <see cref="MoveToNextRows"/> as long as it gives more of them, then <see cref="MustBeginAgain"/>.
    /// Then those that are wanted are among them, in the order of the scan where they have one value.
    /// </summary>
    /// <param name="offset">The column.</param>
    /// <param name="range">The range that the scan's conditions leave.</param>
    /// <param name="count">How many rows are wanted.</param>
    /// <param name="isDescending">True for the highest values.</param>
    /// <param name="withTies">Whether all rows are wanted that have the value of the last one.</param>
    /// <param name="others">The conditions beside the range.</param>
    public void SeekFirst(ulong offset, ValueRange range, long count, bool isDescending, bool withTies, OtherConditions others)
    {
        if (_isSought || count <= 0 || IndexesOf(_context) is not { } indexes || SortedIndex.Of(indexes, (int)offset) is not { BeginsWithInteger: true } index)
            return;
        (byte[] from, byte[]? to) = ([], null);
        if (!range.IsAll)
        {
            if (!index.TryWriteFirst(range, stackalloc byte[IntegerBytes], stackalloc byte[IntegerBytes], out KeyInterval interval))
                return;
            (from, to) = (interval.From.ToArray(), interval.IsEndless ? null : interval.To.ToArray());
        }

        WantedRows wanted = new(count, isDescending, withTies);
        FirstRowsBudget budget = IndexCost.BudgetOfFirst(index, wanted, range, others, _blocks);
        if (budget.InVain == 0)
            return;
        if ((_firstRows = FirstRows.TryFind(index, from, to, wanted, budget)) is not null)
            _isSought = SoughtRows.TryPlace(_firstRows.Handles, _blocks, out _soughtRows);
        if (!_isSought)
            EndFirst();
    }

    /// <summary>
    /// To be called when <see cref="MoveNext"/> has returned false: true if too few of the rows that <see cref="SeekFirst"/> found pass the conditions of the scan, and it pays to look at more. The scan
    /// then stands before the first of these.
    /// </summary>
    /// <param name="taken">How many passed so far.</param>
    public bool MoveToNextRows(long taken)
    {
        if (_firstRows is not { } rows || !rows.TryGoOn(taken))
            return false;
        _soughtRows.Dispose();
        if (SoughtRows.TryPlace(rows.Handles, _blocks, out _soughtRows))
            return true;
        rows.GiveUp();
        return false;
    }

    /// <summary>
    /// To be called when <see cref="MoveToNextRows"/> has returned false: true if rows that <see cref="SeekFirst"/> found changed before they were read, or too few of them pass the conditions. The scan
    /// then stands before the first of all rows, and what was read does not count.
    /// </summary>
    public bool MustBeginAgain()
    {
        if (_firstRows is not { } rows)
            return false;
        bool areFound = !rows.IsGivenUp && rows.AreStill();
        EndFirst();
        if (areFound)
            return false;
        _isSought = false;
        FirstSlot = 0;
        return true;
    }

    private void EndFirst()
    {
        _firstRows?.Dispose();
        _firstRows = null;
    }

    [SkipLocalsInit]
    private void Seek<TKey>(SortedIndex index, TKey key)
    {
        Span<byte> from = stackalloc byte[KeyBytes];
        int length = index.WriteFirst(key, from);
        if (length == 0)
            return;
        Span<byte> to = stackalloc byte[length];
        from[..length].CopyTo(to);
        int end = KeyOrder.MakeSuccessor(to);
        // Of integers, what zone maps have of them.
        ValueRange values = KeyEncoder<TKey>.IsInteger ? ValueRange.All.Exactly((long)KeyEncoder<TKey>.Widen(key)) : ValueRange.All;
        Seek(index, new KeyInterval(from[..length], to[..end], isEndless: end == 0), values);
    }

    private void Seek(SortedIndex index, scoped KeyInterval interval, ValueRange values)
    {
        int most = IndexCost.MostFound(index, interval, values, _blocks);
        _isSought = most > 0 && SoughtRows.TryFind(index, interval, most, _blocks, out _soughtRows);
        if (!_isSought)
            _refused = index.Parts[0].Offset;
    }

    private void FindByParts(RowIndex[] indexes)
    {
        if (_key!.TryFind(indexes, out ulong handle))
            Found(handle);
    }

    private void Found(ulong handle)
    {
        _isSought = true;
        // The section keeps the place readable, also if the row is removed or moves from here on.
        if (handle == 0 || !Handle.TryLocate(handle, out _found))
            _found = default;
    }

    private unsafe bool MoveToFound()
    {
        _context.ThrowIfDisposed();
        _cancellation.ThrowIfCancellationRequested();
        int slot;
        if (_soughtRows.Count > 0)
        {
            int before = _soughtRows.Count;
            slot = _soughtRows.Take(_foundBits, out int block, out int first);
            (Block, FirstSlot, _asked) = (_blocks[block].Address, first, before - _soughtRows.Count);
        }
        else if (!_found.IsNone)
        {
            slot = _found.Slot;
            (Block, FirstSlot, _asked) = (_found.Block.Address, slot & ~63, 1);
            _foundBits[0] = 1UL << (slot & 63);
            _found = default;
        }
        else
        {
            return false;
        }

        SlotCount = slot + 1;
        // SAFETY: a ref struct in a local of the kernel, which stays where it is as long as the scan lasts; words before FirstSlot are not read.
        Validity = (ulong)Unsafe.AsPointer(ref _foundBits) - (ulong)(FirstSlot / 8);
        IsDense = false;
        return true;
    }

    /// <summary>Rows in the current batch of found ones, by the distance from its first slot.</summary>
    [InlineArray(8)]
    private struct FoundBits
    {
        private ulong _first;
    }
}
