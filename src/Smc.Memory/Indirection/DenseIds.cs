using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>
/// Hands out the dense ids of a collection, that is, its entries: a run for every block, and single ones in place of entries whose
/// incarnations are used up. The ids that compactions leave over are single too; a block's worth of them serves like a run.
/// The collection's lock protects it.
/// </summary>
/// <param name="range">The entries.</param>
/// <param name="maxRows">Ids are below this.</param>
/// <param name="maxIncarnation">Entries above this are worn out.</param>
/// <param name="packed">Entries that are not in their places.</param>
/// <param name="budget">Is charged for memory behind the range.</param>
/// <param name="owner">Name of the collection, for messages.</param>
internal sealed class DenseIds(
    EntryRange range, long maxRows, uint maxIncarnation, PackedEntries packed, MemoryBudget budget, string owner)
{
    // Packing is worth it when one page in so many can be.
    private const int PackedShare = 8;

    private readonly FreeIds _free = new(range);
    private readonly SortedSet<uint> _runs = [];
    private int _runLength;
    private int _detached = -1;
    private long _taken;

    /// <summary>Ids below this were handed out.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Takes the ids of a block.</summary>
    /// <param name="length">The same for every block of a collection.</param>
    /// <param name="areUsed">True if the ids served another block before.</param>
    /// <exception cref="OffHeapMemoryException">No ids are left, or no memory for their entries; nothing is changed.</exception>
    public uint TakeRun(int length, out bool areUsed)
    {
        _runLength = length;
        areUsed = _runs.Count > 0 && TryRestoreRun(_runs.Max);
        if (!areUsed) return TakeNew(length);
        uint first = _runs.Max;
        _runs.Remove(first);
        _free.CountRun(first, length, isFree: false);
        return first;
    }

    /// <summary>Takes single ids for a block if there are enough and no run is free.</summary>
    public bool TryTakeList(Span<uint> ids)
    {
        if (_runs.Count > 0 || _free.Count + packed.FreeCount < ids.Length) return false;
        while (_free.Count < ids.Length)
        {
            if (!packed.TryRestoreAny(_free)) return false;
        }
        foreach (ref uint id in ids) id = _free.Take();
        return true;
    }

    /// <summary>Takes one id whose entry has incarnations left.</summary>
    /// <exception cref="OffHeapMemoryException">As <see cref="TakeRun"/>.</exception>
    public uint TakeSingle()
    {
        while (_free.Count == 0)
        {
            if (!packed.TryRestoreAny(_free)) return TakeNew(1);
        }
        return _free.Take();
    }

    /// <summary>Takes the ids of a block back.</summary>
    public void ReturnRun(uint first)
    {
        _runs.Add(first);
        _free.CountRun(first, _runLength, isFree: true);
    }

    /// <summary>Takes back one id, unless its entry is worn out.</summary>
    /// <safety>The entry is not alive, and no reader that found it alive is left.</safety>
    public void ReturnSingle(uint id)
    {
        if (packed.Contains(id)) packed.Return(id);
        else if (!IsWornOut(id)) _free.Add(id);
    }

    /// <summary>True if the entry has no incarnation left for another row.</summary>
    /// <safety>The entry is not packed.</safety>
    public bool IsWornOut(uint id)
    {
        return range.First.After(id).NextIncarnation(range.FirstIncarnation) > maxIncarnation;
    }

    /// <summary>Whether enough pages are nearly free. Needs no lock: an estimate.</summary>
    /// <param name="least">So many at least.</param>
    public bool AreWorthPacking(int least)
    {
        int pages = _free.PageLimit, sparse = 0;
        for (int page = 0; page < pages; page++) sparse += IsSparse(page) && !packed.Contains((uint)page * PackedPage.Ids) ? 1 : 0;
        return sparse >= Math.Max(least, Taken / PackedPage.Ids / PackedShare);
    }

    /// <summary>Takes the free ids of a page that is nearly free, for <see cref="PackedEntries.TryPack"/>; <see cref="Attach"/> follows.</summary>
    /// <param name="page">Number of the page.</param>
    /// <param name="free">Gets the ids that are free.</param>
    /// <param name="singles">Gets those of them that are not part of a run.</param>
    public bool TryDetach(int page, Bits free, Bits singles)
    {
        if (page >= _free.PageLimit || !IsSparse(page) || packed.Contains((uint)page * PackedPage.Ids)) return false;
        singles.Clear();
        _free.Mark(page, singles);
        _free.Forget(page);
        singles.CopyTo(free);
        if (_free.InRunsIn(page) > 0) MarkRuns((uint)page * PackedPage.Ids, free);
        _detached = page;
        return true;
    }

    /// <summary>Ends what <see cref="TryDetach"/> began.</summary>
    public void Attach(int page, Bits singles, bool isPacked)
    {
        _detached = -1;
        if (isPacked) packed.OfferIds(page);
        else _free.Add(page, singles);
    }

    private bool IsSparse(int page) => _free.SinglesIn(page) + _free.InRunsIn(page) >= PackedPage.Ids - PackedPage.MostInUse;

    private void MarkRuns(uint firstOfPage, Bits bits)
    {
        long end = (long)firstOfPage + PackedPage.Ids;
        foreach (uint run in _runs.GetViewBetween((uint)Math.Max(0, firstOfPage - _runLength + 1L), (uint)(end - 1)))
        {
            for (long id = Math.Max(run, firstOfPage); id < Math.Min((long)run + _runLength, end); id++)
                bits.Set((int)(id & PackedPage.Mask));
        }
    }

    private bool TryRestoreRun(uint first)
    {
        int last = PackedPage.Of((uint)(first + _runLength - 1L));
        for (int page = PackedPage.Of(first); page <= last; page++)
        {
            if (page == _detached || packed.Contains((uint)page * PackedPage.Ids) && !packed.TryRestore(page, _free)) return false;
        }
        return true;
    }

    private uint TakeNew(int length)
    {
        long end = _taken + length;
        if (end > maxRows)
            throw new OffHeapMemoryException(
                $"{owner} has used the {maxRows:N0} row numbers that its MaxRows allows. Set MaxRows higher when it is created.");
        long missing = range.MissingFor(end);
        if (missing > 0)
        {
            budget.Charge(missing, "the indirection table");
            if (!range.TryCommit(missing)) throw budget.Refused(missing, "the indirection table");
        }
        uint first = (uint)_taken;
        Volatile.Write(ref _taken, end);
        return first;
    }
}
