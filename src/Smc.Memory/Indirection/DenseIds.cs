using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>
/// Hands out the dense ids of a collection, that is, its entries: a run for every block, and single ones in place of entries whose
/// incarnations are used up. The ids that compactions leave over are single too; a block's worth of them serves like a run.
/// The context's lock protects it.
/// </summary>
/// <remarks>Free single ids form a queue through the locations of their entries, which are dead and which no reader is at any more.</remarks>
internal sealed class DenseIds(EntryRange range, long maxRows, uint maxIncarnation, MemoryBudget budget, string owner)
{
    private readonly List<uint> _runs = [];
    private uint _firstSingle;
    private uint _lastSingle;
    private long _singles;
    private long _taken;

    /// <summary>Ids below this were handed out.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Takes the ids of a block.</summary>
    /// <param name="length">The same for every block of a collection.</param>
    /// <param name="areUsed">True if the ids served another block before.</param>
    /// <exception cref="OffHeapMemoryException">No ids are left, or no memory for their entries; nothing is changed.</exception>
    public uint TakeRun(int length, out bool areUsed)
    {
        areUsed = _runs.Count > 0;
        if (!areUsed) return TakeNew(length);
        uint first = _runs[^1];
        _runs.RemoveAt(_runs.Count - 1);
        return first;
    }

    /// <summary>Takes single ids for a block if there are enough and no run is free.</summary>
    public bool TryTakeList(Span<uint> ids)
    {
        if (_runs.Count > 0 || _singles < ids.Length) return false;
        foreach (ref uint id in ids) id = TakeSingle();
        return true;
    }

    /// <summary>Takes one id whose entry has incarnations left.</summary>
    /// <exception cref="OffHeapMemoryException">As <see cref="TakeRun"/>.</exception>
    public unsafe uint TakeSingle()
    {
        if (_singles == 0) return TakeNew(1);
        uint id = _firstSingle;
        // SAFETY: the entry is dead or was never used, so its location is this queue's.
        _firstSingle = (uint)EntryOf(id)->Location;
        _singles--;
        return id;
    }

    /// <summary>Takes the ids of a block back.</summary>
    public void ReturnRun(uint first) => _runs.Add(first);

    /// <summary>Takes back one id, unless its entry is worn out.</summary>
    /// <safety>The entry is not alive, and no reader that found it alive is left.</safety>
    public unsafe void ReturnSingle(uint id)
    {
        if (IsWornOut(id)) return;
        // SAFETY: as the caller promises.
        if (_singles == 0) _firstSingle = id;
        else EntryOf(_lastSingle)->Location = id;
        _lastSingle = id;
        _singles++;
    }

    /// <summary>True if the entry has no incarnation left for another row.</summary>
    public unsafe bool IsWornOut(uint id)
    {
        // SAFETY: ids handed out have memory behind their entries.
        return EntryWord.NextIncarnation(EntryOf(id), range.FirstIncarnation) > maxIncarnation;
    }

    private unsafe EntryWord* EntryOf(uint id) => (EntryWord*)range.Base + id;

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
