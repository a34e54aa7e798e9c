using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;

namespace Smc.Memory.Compaction;

/// <summary>
/// Gives the copies of a group to their rows: the compactor, and scans that arrive meanwhile, each for any copy at any time. docs/models/recompaction.pml.
/// </summary>
/// <remarks>
/// Invariants: a row is moved by whoever locks it, and the next who comes finds it unfrozen, or this object closed; a row that died before
/// it moved has its copy dropped once, under this object's lock, before the group is done. So a scan that is late, and settles copies when the
/// group is done, changes nothing: it is in a critical section, and no row moves a second time before that has ended.
/// </remarks>
/// <param name="layout">The rows' layout.</param>
/// <param name="entries">Their entries.</param>
/// <param name="retired">Those of them that are hidden.</param>
/// <param name="cleaner">Clears copies that are dropped.</param>
/// <param name="target">The block with the copies.</param>
internal sealed class RowMover(BlockLayout layout, EntryTable entries, RetiredRows retired, RowCleaner cleaner, BlockRef target)
{
    private readonly RowCopier _copier = new(layout);
    private readonly Lock _drops = new();
    private readonly HashSet<int> _dropped = [];
    private bool _isClosed;

    /// <summary>Copies whose rows died before they moved. Exact when all are settled.</summary>
    public int Dropped => _dropped.Count;

    /// <summary>Sees to it that a copy is its row's place, or dropped. Waits for whoever has locked the row.</summary>
    /// <safety>The group is moving. The caller is the compactor, or was in this critical section when it was.</safety>
    public void Settle(int copy)
    {
        EntryRef entry = EntryOf(copy);
        // The entry belongs to the copy's slot until the target is freed.
        if (entry.Lock.TryLock(out ulong before))
        {
            // All are settled: the row is in the target, frozen by the next compaction, or in a successor of the target, which a snapshot has.
            if (Volatile.Read(ref _isClosed)) entry.Lock.Unlock(before);
            else Move(entry, before, copy);
        }
        else if (entry.IsDead && !IsInTarget(entry)) Drop(copy);
    }

    /// <summary>All copies are settled: who comes late changes nothing.</summary>
    public void Close()
    {
        lock (_drops) Volatile.Write(ref _isClosed, true);
    }

    /// <summary>Settles a copy if nobody has locked its row.</summary>
    /// <returns>Whether it is settled.</returns>
    /// <safety>As <see cref="Settle"/>.</safety>
    public bool TrySettle(int copy)
    {
        ProtocolSteps.Reach(ProtocolStep.HelperArrived);
        if (EntryOf(copy).Lock.IsHeld) return false;
        Settle(copy);
        return true;
    }

    /// <summary>Asks for the entry of a copy that is settled soon: those of neighbouring rows lie anywhere.</summary>
    public void Prefetch(int copy) => InPlace(copy).Prefetch();

    private void Move(EntryRef entry, ulong before, int copy)
    {
        // The caller locked the row, so its location does not change, and nobody writes it.
        RowLocation old = entry.Location;
        ProtocolSteps.Reach(ProtocolStep.RowLocked);
        if ((before & EntryWord.Written) != 0)
        {
            _copier.CopyRow(old.Block, old.Slot, target, copy);
            ColumnSummaries.Note(layout, target, copy);
        }
        // The row's lock orders this with whoever retires it: the bit of its id was set before, or the row is hidden where it is then.
        if (retired.Has(target.DenseIdAt(copy))) target.ClearValid(copy);
        entry.Lock.Move(old, new RowLocation(target, copy));
        ProtocolSteps.Reach(ProtocolStep.RowUnlocked);
    }

    private void Drop(int copy)
    {
        lock (_drops)
        {
            if (!_isClosed && _dropped.Add(copy)) TakeBack(copy);
        }
    }

    private void TakeBack(int copy)
    {
        cleaner.Clear(target, copy);
        target.ClearValid(copy);
        // Slots around this one may be in use.
        target.SetSlot(copy, SlotWord.Limbo(GlobalEpoch.Now));
        target.AddLimbo();
    }

    private bool IsInTarget(EntryRef entry) => entry.Location.Block == target;

    private EntryRef EntryOf(int copy)
    {
        // A scan that is late may find the entry where it was: it is neither frozen nor dead there.
        entries.Packed.Current(InPlace(copy), out EntryRef entry);
        return entry;
    }

    private EntryRef InPlace(int copy) => target.EntryAt(copy);
}
