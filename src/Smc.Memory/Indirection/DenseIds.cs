using Smc.Memory.Allocation;

namespace Smc.Memory.Indirection;

/// <summary>
/// Hands out the dense ids of a collection, that is, its entries: a run for every block, and single ones in place of entries whose
/// incarnations are used up. The context's lock protects it.
/// </summary>
internal sealed class DenseIds(EntryRange range, long maxRows, uint maxIncarnation, MemoryBudget budget, string owner)
{
    private readonly List<uint> _runs = [];
    private readonly List<uint> _singles = [];
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

    /// <summary>Takes one id whose entry has incarnations left.</summary>
    /// <exception cref="OffHeapMemoryException">As <see cref="TakeRun"/>.</exception>
    public uint TakeSingle()
    {
        while (_singles.Count > 0)
        {
            uint id = _singles[^1];
            _singles.RemoveAt(_singles.Count - 1);
            if (!IsWornOut(id)) return id;
        }
        return TakeNew(1);
    }

    /// <summary>Takes the ids of a block back.</summary>
    public void ReturnRun(uint first) => _runs.Add(first);

    /// <summary>Takes back an id that was taken singly.</summary>
    public void ReturnSingle(uint id) => _singles.Add(id);

    /// <summary>True if the entry has no incarnation left for another row.</summary>
    public unsafe bool IsWornOut(uint id)
    {
        // SAFETY: ids handed out have memory behind their entries.
        return EntryWord.NextIncarnation((EntryWord*)range.Base + id, range.FirstIncarnation) > maxIncarnation;
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
