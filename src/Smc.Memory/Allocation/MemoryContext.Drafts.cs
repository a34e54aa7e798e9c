using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <content>Rows that an initialiser fills through their handle before others see them.</content>
public sealed partial class MemoryContext
{
    /// <summary>
    /// Makes the handle of a reserved place work while enumerations and queries do not see the row: for an initialiser that sets the row's
    /// properties. Writers lock the row and leave zone maps and sketches alone (<see cref="RowWriter"/>). <see cref="Reveal"/> or <see cref="Withdraw"/> follows in the same critical section.
    /// </summary>
    /// <returns>The row's handle.</returns>
    public unsafe ulong PublishHidden(in RowSlot row)
    {
        // SAFETY: as in Publish. Whoever gets the handle may remove the row; the slot is not re-used before the caller's section ends.
        using WriteWindow window = WriteWindow.Enter();
        RowSlot place = MustPrepare(row.Block) ? PreparePlace(row) : row;
        return Handle.Make(row.Entry, EnlivenDraft(place.Block, place.Slot, (EntryWord*)row.Entry));
    }

    /// <summary>Writes zone maps and sketches from the values of a row of <see cref="PublishHidden"/> and shows it to everybody.</summary>
    /// <returns>The row's handle; 0 if the row was removed while it was hidden.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public unsafe ulong Reveal(in RowSlot row)
    {
        // SAFETY: as in PublishHidden.
        EntryWord* entry = (EntryWord*)row.Entry;
        using WriteWindow window = WriteWindow.Enter();
        // The draft has moved with its block if a snapshot needs that.
        ulong block = MustPrepare(row.Block) ? PrepareNewest(row.Block) : row.Block;
        ref ulong word = ref *((ulong*)BlockHeader.Validity(block) + (row.Slot >> 6));
        ulong bit = 1UL << (row.Slot & 63);
        bool isScanned = ReferenceBarrier.IsNeeded && !Mutants.RetirePublishesBlind;
        if (isScanned) AdmitReferences(block, row.Slot);
        // No writer is between a value and the end of the lock, and who writes after it widens the zone map first. A remover waits for the lock, too, and clears
        // the bit after; of a row that was removed before, the bit is never set.
        if (EntryWord.TryLock(entry, out ulong live))
        {
            ColumnSummaries.Note(Layout, block, row.Slot);
            Interlocked.Or(ref word, bit);
            EntryWord.Unlock(entry, (uint)live);
            ProtocolSteps.Reach(ProtocolStep.EntryLive);
        }
        if (isScanned) AdmitReferences(block, row.Slot);
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = EntryWord.HandleOf(entry);
        if (handle == 0) Interlocked.And(ref word, ~bit);
        else if (IsDisposed) PublishedTooLate(entry, Handle.Incarnation(handle));
        return handle;
    }

    /// <summary>Takes back a row of <see cref="PublishHidden"/> that nobody shall see.</summary>
    public unsafe void Withdraw(in RowSlot row)
    {
        // SAFETY: as in PublishHidden.
        EntryWord* entry = (EntryWord*)row.Entry;
        _counters.CountPublished(ThreadSlots.Current->Index, 1);
        ulong handle = EntryWord.HandleOf(entry);
        if (handle == 0) return;
        if (!IsDisposed) RemoveInSection(entry, Handle.Incarnation(handle));
        else KillCounted(entry, Handle.Incarnation(handle));
    }
}
