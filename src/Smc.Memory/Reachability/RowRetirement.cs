using System.ComponentModel;
using Smc.Memory.Reachability;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>Hides rows whose owner is done with them, and ends those that a scan condemned.</summary>
/// <remarks>
/// Invariants: of several threads that retire a row one hides it, under the row's lock if a compaction is about to move it. Who retires sets the bit of the id and then looks at the entry; who
/// removes kills the entry and then looks at the bit: one of the two takes it back, and the row leaves the count once.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowRetirement
{
    private readonly CollectionLife _life;
    private readonly EntryTable _entries;
    private readonly IndexSet _indexSet;
    private readonly LiveCounters _counters;
    private readonly RetiredRows _retired;
    private readonly RowRemoval _removal;
    private readonly Reclaimer _reclaimer;
    private readonly int _bytesPerRow;

    internal RowRetirement(CollectionLife life, EntryTable entries, IndexSet indexSet, LiveCounters counters, RetiredRows retired, RowRemoval removal, Reclaimer reclaimer, int bytesPerRow)
    {
        _life = life;
        _entries = entries;
        _indexSet = indexSet;
        _counters = counters;
        _retired = retired;
        _removal = removal;
        _reclaimer = reclaimer;
        _bytesPerRow = bytesPerRow;
    }

    /// <summary>Hides a row from scans and indexes. Handles and references find it until a scan finds none of the latter (<see cref="MemoryManager.CollectRetired"/>).</summary>
    /// <returns>False if the handle is null or the row was retired or removed before; of several threads that retire a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="InvalidOperationException">The row is being initialised.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">The hard mark of a <see cref="RetireBudget"/>, or the limit, leaves no memory; nothing is changed.</exception>
    public bool TryRetire(ulong handle)
    {
        if (handle == 0) return false;
        // Outside of the section, which a scan that makes room waits for, if its readers do.
        _retired.ReserveBytes();
        bool isRetired = false;
        try
        {
            using CriticalSection section = CriticalSection.Enter();
            _entries.RequireOwn(handle);
            isRetired = TryRetireOwn(handle);
        }
        finally
        {
            if (!isRetired) _retired.GiveBackBytes();
        }
        return isRetired;
    }

    /// <summary>Removes a row that a scan condemned.</summary>
    /// <returns>The bytes that the row keeps until no reader can be at it; 0 if it is gone.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    internal int Reclaim(ScanPart part, uint id)
    {
        if (_life.IsDisposed) return 0;
        ulong handle = _retired.HandleOf(id);
        // The handle first: a row that is still a candidate after that is the one whose handle it is, until this section ends.
        if (handle == 0 || !part.Candidates.IsSet(id)) return 0;
        if (!_removal.TryRemove(EntryRef.Of(handle), Handle.Incarnation(handle), out _)) return 0;
        _reclaimer.AddGarbage(_bytesPerRow + _indexSet.TakeGarbage());
        return _bytesPerRow;
    }

    /// <safety>The caller is inside a critical section in which the collection was not disposed; the handle is one of it.</safety>
    private unsafe bool TryRetireOwn(ulong handle)
    {
        using WriteWindow window = WriteWindow.Enter();
        // SAFETY: as the caller promises.
        EntryRef entry = EntryRef.Of(handle);
        uint id = _entries.IdOf(entry);
        IdBitmap ids = _retired.Reserve(id);
        // A snapshot that is open keeps the block with the row, before the row is located for its indexes.
        if (SnapshotState.IsSlow) BlockVersions.PrepareRow(handle);
        RowIndex[]? indexes = _indexSet.All;
        IndexedRemoval words = default;
        if (indexes is not null && !_indexSet.TryBeginRemoval(indexes, entry, Handle.Incarnation(handle), out words)) return false;
        bool isRetired = TryHide(handle, id, ids, out bool isDraft);
        if (indexes is not null) _indexSet.EndRemoval(indexes, words);
        if (isDraft && _retired.HandleOf(id) == handle)
            throw new InvalidOperationException($"The row of {_life.Name} is being initialised. Retire it when it has been added.");
        if (!isRetired) return false;
        // Removed meanwhile, by somebody who did not see the bit: it was never retired, and the remover counts it.
        if (_retired.HandleOf(id) != handle && _retired.TryForget(id)) return false;
        _counters.CountGone(ThreadSlots.Current->Index);
        return true;
    }

    /// <summary>Hides a row, if it is there and neither hidden nor a draft.</summary>
    private static bool TryHide(ulong handle, uint id, IdBitmap ids, out bool isDraft)
    {
        isDraft = false;
        // Locked if a compaction is about to move the row: its mover looks at the id's bit after this.
        if (!RowWriter.TryBegin(handle, out RowLocation location, out bool isLocked)) return false;
        BlockRef block = location.Block;
        int slot = location.Slot;
        bool isVisible = block.IsValid(slot);
        isDraft = !isVisible && !ids.IsSet(id);
        bool isHidden = isVisible && ids.TrySet(id);
        ProtocolSteps.Reach(ProtocolStep.RetiredBitSet);
        if (isHidden) block.ClearValid(slot);
        if (isLocked) RowWriter.End(handle);
        return isHidden;
    }
}
