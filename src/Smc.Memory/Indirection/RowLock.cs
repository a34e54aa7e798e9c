using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;

namespace Smc.Memory.Indirection;

/// <summary>
/// The freeze of a row that is about to move, and the lock that writers, removers and scans then share with the compactor: a view of the row's entry
/// (<see cref="EntryWord"/> has the diagram).
/// </summary>
/// <remarks>
/// Invariants: who has locked a row is the only one to write, move or remove it, for a few instructions; removers wait. Every load of the word is an acquire; partner: the release
/// that unlocks. Entries are never unmapped, and only a row that is not packed is frozen.
/// </remarks>
internal readonly unsafe struct RowLock
{
    private readonly EntryWord* _entry;

    /// <safety>The entry is in a range, or in a packed page and found in the caller's section.</safety>
    public RowLock(EntryWord* entry) => _entry = entry;

    /// <summary>Freezes a live row that is not frozen: from here on writers lock it, except those whose section began before.</summary>
    /// <returns>False if there is no such row.</returns>
    /// <safety>The caller compacts the block in which the entry's row lies, and scans can see the row.</safety>
    public bool TryFreeze()
    {
        // SAFETY: entries are never unmapped. Nobody gives the entry to another row: its slot is in no allocator's hands.
        ulong word = Volatile.Read(ref _entry->Word);
        return word != 0 && word < EntryWord.Dead && Interlocked.CompareExchange(ref _entry->Word, word | EntryWord.Frozen, word) == word;
    }

    /// <summary>Ends the freeze of a row that was not moved, if it lives.</summary>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public void Thaw()
    {
        if (TryLock(out ulong word)) Unlock((uint)word);
    }

    /// <summary>Locks a frozen row: nobody else writes, moves or removes it until the entry is stored again without K.</summary>
    /// <param name="word">The entry's word before.</param>
    /// <returns>False if the row is dead, or not frozen: it has moved.</returns>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public bool TryLock(out ulong word)
    {
        ShortWait wait = default;
        while (true)
        {
            word = Volatile.Read(ref _entry->Word);
            if ((uint)word >= EntryWord.Dead || (word & EntryWord.Frozen) == 0) return false;
            if ((word & EntryWord.Locked) != 0) Latch.Spin(ref wait);
            else if (TryLockSeen(word)) return true;
        }
    }

    /// <summary>Locks a row that has flags and no lock, by a writer's look at its word.</summary>
    /// <returns>False if the word has changed.</returns>
    /// <safety>The caller is inside a critical section and a <see cref="WriteWindow"/>.</safety>
    public bool TryLockSeen(ulong word) =>
        Interlocked.CompareExchange(ref _entry->Word, (uint)word | EntryWord.Frozen | EntryWord.Locked, word) == word; // SAFETY: entries are never unmapped.

    /// <summary>Unlocks a row that was not changed.</summary>
    /// <param name="word">The entry's word from here on: what <see cref="TryLock"/> gave, with the flags or without.</param>
    /// <safety>The caller locked the row.</safety>
    public void Unlock(ulong word) => Volatile.Write(ref _entry->Word, word); // SAFETY: the lock is the caller's.

    /// <summary>Whether somebody writes or moves the row at this moment.</summary>
    public bool IsHeld => (Volatile.Read(ref _entry->Word) & EntryWord.Locked) != 0;

    /// <summary>Says that a copy of a frozen row is about to be made: a write from here on sets W again.</summary>
    /// <returns>False if the row is dead.</returns>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public bool TryClearWritten()
    {
        ShortWait wait = default;
        while (true)
        {
            // SAFETY: entries are never unmapped. Acquire; partner: the release in UnlockWritten.
            ulong word = Volatile.Read(ref _entry->Word);
            if ((uint)word >= EntryWord.Dead) return false;
            if ((word & (EntryWord.Locked | EntryWord.Written)) == 0) return true;
            if ((word & EntryWord.Locked) != 0) Latch.Spin(ref wait);
            else Interlocked.CompareExchange(ref _entry->Word, word & ~EntryWord.Written, word);
        }
    }

    /// <summary>Gives a locked row its new place, leaves word of that at the old one, and ends its freeze.</summary>
    /// <param name="from">The old place.</param>
    /// <param name="to">The new place.</param>
    /// <safety>The caller locked the row and completed its copy at <paramref name="to"/>.</safety>
    public void Move(RowLocation from, RowLocation to)
    {
        // SAFETY: the lock is the caller's. All are releases, in this order: who sees that the row has moved finds out where, who sees it in
        // its old slot sees what is current, and who sees it unfrozen writes to the new place.
        uint incarnation = _entry->Incarnation;
        Volatile.Write(ref _entry->Location, to.Bits);
        ProtocolSteps.Reach(ProtocolStep.LocationMoved);
        from.Block.SetSlot(from.Slot, SlotWord.Moved(incarnation));
        Volatile.Write(ref _entry->Word, incarnation);
    }

    /// <summary>Unlocks a row that a writer locked and changed.</summary>
    /// <safety>The caller locked the row.</safety>
    public void UnlockWritten()
    {
        // SAFETY: the lock is the caller's. Release; partner: TryLock and TryClearWritten.
        Volatile.Write(ref _entry->Word, _entry->Incarnation | EntryWord.Frozen | EntryWord.Written);
    }
}
