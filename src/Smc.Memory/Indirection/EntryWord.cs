using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Indirection;

/// <summary>
/// One entry of the indirection table: what a handle points to. All transitions of an entry are here, but that from its place in the table to
/// a packed page and back (<see cref="PackedEntries"/>).
/// </summary>
/// <remarks>
/// <code>
///  0  [ location                                   : 64 ]
///  8  [ DEAD : 1 (bit 31) | 0 : 11 | incarnation : 20 ]   what readers compare
/// 12  [ flags of the row's compaction: F, K, W     : 32 ]   what readers never look at
///
///   0 (never used) --Publish--> inc --Kill--> inc|DEAD --Publish--> inc+1 ...   until the incarnations are used up
///
///   inc --TryFreeze--> inc|F --TryLock--> inc|F|K --Move--> inc        the compactor, or a scan that moves for it; Thaw goes back from inc|F to inc
///                      inc|F --TryLock--> inc|F|K --UnlockWritten--> inc|F|W     a writer
///   0, or dead --PublishDraft--> inc|F --TryLock--> inc|F|K --Unlock--> inc      a row that is filled before it is shown
/// </code>
/// F frozen: the row is about to move, or about to be shown, and writers lock it. K locked: one thread writes or moves the row. W written: the row changed since the
/// compactor last cleared this flag, so a copy of it is stale. A dead entry has no flags.
/// A dead incarnation is never one that a handle can hold, so a handle made during a scan can name its row or nobody.
/// A word of 0 belongs to no row, or to one whose entry is in a packed page: <see cref="Current"/> knows.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct EntryWord
{
    public const int SizeInBytes = 16;
    public const uint Dead = 1u << 31;
    public const ulong Frozen = 1UL << 32;
    public const ulong Locked = 1UL << 33;
    public const ulong Written = 1UL << 34;

    [FieldOffset(0)] public ulong Location;
    [FieldOffset(8)] public uint Incarnation;
    [FieldOffset(8)] public ulong Word;

    /// <summary>Brings a row to life: from here on its handle finds it.</summary>
    /// <returns>The row's incarnation.</returns>
    /// <safety>The caller owns the entry (its slot is reserved), and the row's data is complete.</safety>
    public static unsafe uint Publish(EntryWord* entry, ulong location, uint firstIncarnation)
    {
        uint incarnation = NextIncarnation(entry, firstIncarnation);
        // SAFETY: see the contract. Release: row and location are visible before the incarnation; partner: Handle.TryLocate.
        Volatile.Write(ref entry->Location, location);
        Volatile.Write(ref entry->Word, incarnation);
        return incarnation;
    }

    /// <summary>As <see cref="Publish"/>, for a row that no scan sees yet: writers lock it, until <see cref="Unlock"/> ends that.</summary>
    /// <safety>As <see cref="Publish"/>.</safety>
    public static unsafe uint PublishDraft(EntryWord* entry, ulong location, uint firstIncarnation)
    {
        uint incarnation = NextIncarnation(entry, firstIncarnation);
        // SAFETY: as in Publish.
        Volatile.Write(ref entry->Location, location);
        Volatile.Write(ref entry->Word, incarnation | Frozen);
        return incarnation;
    }

    /// <summary>The incarnation that the next tenant of a dead or unused entry gets.</summary>
    /// <safety>The entry is not alive.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe uint NextIncarnation(EntryWord* entry, uint firstIncarnation)
    {
        // SAFETY: entries are never unmapped.
        uint last = entry->Incarnation & Handle.MaxIncarnation;
        return last == 0 ? firstIncarnation : last + 1;
    }

    /// <summary>Where the entry of a handle is now, and its word; 0 if no row can have it.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Current(EntryWord* entry, out EntryWord* home)
    {
        home = entry;
        // SAFETY: entries are never unmapped.
        ulong word = Volatile.Read(ref entry->Word);
        return word != 0 ? word : CurrentPacked(entry, out home);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe ulong CurrentPacked(EntryWord* entry, out EntryWord* home)
    {
        home = entry;
        return RangeRegistry.Find((ulong)entry) is { } context ? context.PackedEntries.Current(entry, out home) : 0;
    }

    /// <summary>Ends the life that <paramref name="incarnation"/> names. Of several callers one gets true.</summary>
    /// <param name="entry">The row's entry; where it is, if the result is true.</param>
    /// <param name="incarnation">Which row.</param>
    /// <param name="packed">The packed entries of its collection, which may not be registered any more.</param>
    /// <safety>The caller is inside a critical section.</safety>
    public static unsafe bool TryKill(ref EntryWord* entry, uint incarnation, PackedEntries packed)
    {
        SpinWait spin = default;
        while (true)
        {
            // SAFETY: entries are never unmapped.
            ulong word = packed.Current(entry, out EntryWord* home);
            if ((uint)word != incarnation) return false;
            if ((word & Locked) == 0)
            {
                if (Interlocked.CompareExchange(ref home->Word, incarnation | Dead, word) != word) continue;
                entry = home;
                return true;
            }
            else
            {
                Wait(ref spin);
            }
        }
    }

    /// <summary>Freezes a live row that is not frozen: from here on writers lock it, except those whose section began before.</summary>
    /// <returns>False if there is no such row.</returns>
    /// <safety>The caller compacts the block in which the entry's row lies, and scans can see the row.</safety>
    public static unsafe bool TryFreeze(EntryWord* entry)
    {
        // SAFETY: entries are never unmapped. Nobody gives the entry to another row: its slot is in no allocator's hands.
        ulong word = Volatile.Read(ref entry->Word);
        return word != 0 && word < Dead && Interlocked.CompareExchange(ref entry->Word, word | Frozen, word) == word;
    }

    /// <summary>Ends the freeze of a row that was not moved, if it lives.</summary>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public static unsafe void Thaw(EntryWord* entry)
    {
        if (TryLock(entry, out ulong word)) Unlock(entry, (uint)word);
    }

    /// <summary>Locks a frozen row: nobody else writes, moves or removes it until the entry is stored again without K.</summary>
    /// <param name="entry">Entry of a row that was frozen.</param>
    /// <param name="word">The entry's word before.</param>
    /// <returns>False if the row is dead, or not frozen: it has moved.</returns>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public static unsafe bool TryLock(EntryWord* entry, out ulong word)
    {
        SpinWait spin = default;
        while (true)
        {
            // SAFETY: entries are never unmapped.
            word = Volatile.Read(ref entry->Word);
            if ((uint)word >= Dead || (word & Frozen) == 0) return false;
            if ((word & Locked) != 0) Wait(ref spin);
            else if (Interlocked.CompareExchange(ref entry->Word, (uint)word | Frozen | Locked, word) == word) return true;
        }
    }

    /// <summary>Unlocks a row that was not changed.</summary>
    /// <param name="entry">Its entry.</param>
    /// <param name="word">The entry's word from here on: what <see cref="TryLock"/> gave, with the flags or without.</param>
    /// <safety>The caller locked the row.</safety>
    public static unsafe void Unlock(EntryWord* entry, ulong word) => Volatile.Write(ref entry->Word, word); // SAFETY: the lock is the caller's.

    /// <summary>Whether somebody writes or moves the row at this moment.</summary>
    public static unsafe bool IsLocked(EntryWord* entry) => (Volatile.Read(ref entry->Word) & Locked) != 0; // SAFETY: entries are never unmapped.

    /// <summary>Whether the entry's last row is dead.</summary>
    public static unsafe bool IsDead(EntryWord* entry) => Volatile.Read(ref entry->Incarnation) >= Dead; // SAFETY: entries are never unmapped.

    /// <summary>Says that a copy of a frozen row is about to be made: a write from here on sets W again.</summary>
    /// <returns>False if the row is dead.</returns>
    /// <safety>As <see cref="TryFreeze"/>.</safety>
    public static unsafe bool TryClearWritten(EntryWord* entry)
    {
        SpinWait spin = default;
        while (true)
        {
            // SAFETY: entries are never unmapped. Acquire; partner: the release in UnlockWritten.
            ulong word = Volatile.Read(ref entry->Word);
            if ((uint)word >= Dead) return false;
            if ((word & (Locked | Written)) == 0) return true;
            if ((word & Locked) != 0) Wait(ref spin);
            else Interlocked.CompareExchange(ref entry->Word, word & ~Written, word);
        }
    }

    /// <summary>Gives a locked row its new place, leaves word of that at the old one, and ends its freeze.</summary>
    /// <param name="entry">The row's entry.</param>
    /// <param name="location">The new place.</param>
    /// <param name="oldSlot">The directory's element of the old place.</param>
    /// <safety>The caller locked the row and completed its copy at <paramref name="location"/>.</safety>
    public static unsafe void Move(EntryWord* entry, ulong location, uint* oldSlot)
    {
        // SAFETY: the lock is the caller's. All are releases, in this order: who sees that the row has moved finds out where, who sees it in
        // its old slot sees what is current, and who sees it unfrozen writes to the new place.
        uint incarnation = entry->Incarnation;
        Volatile.Write(ref entry->Location, location);
        ProtocolSteps.Reach(ProtocolStep.LocationMoved);
        Volatile.Write(ref *oldSlot, SlotWord.Moved(incarnation));
        Volatile.Write(ref entry->Word, incarnation);
    }

    /// <summary>Unlocks a row that a writer locked and changed.</summary>
    /// <safety>The caller locked the row.</safety>
    public static unsafe void UnlockWritten(EntryWord* entry)
    {
        // SAFETY: the lock is the caller's. Release; partner: TryLock and TryClearWritten.
        Volatile.Write(ref entry->Word, entry->Incarnation | Frozen | Written);
    }

    /// <summary>One turn of waiting for a thread that holds K, which it does for a few instructions.</summary>
    internal static void Wait(ref SpinWait spin)
    {
        ProtocolSteps.Reach(ProtocolStep.Waiting);
        spin.SpinOnce(sleep1Threshold: -1);
    }

    /// <summary>A handle to the row, or 0 if it is dead.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public static unsafe ulong HandleOf(EntryWord* entry)
    {
        // SAFETY: entries are never unmapped.
        uint incarnation = Volatile.Read(ref entry->Incarnation);
        if (incarnation == 0) incarnation = (uint)CurrentPacked(entry, out _);
        return incarnation is 0 or >= Dead ? 0 : Handle.Make((ulong)entry, incarnation);
    }

    /// <summary>The handle of a row that was alive in this critical section, dead or not: a dead entry keeps its incarnation until it is used again.</summary>
    /// <safety>The caller saw the row alive in the section that it is in.</safety>
    public static unsafe ulong HandleOfSeen(EntryWord* entry)
    {
        // SAFETY: entries are never unmapped.
        uint incarnation = Volatile.Read(ref entry->Incarnation);
        if (incarnation == 0) incarnation = (uint)CurrentPacked(entry, out _);
        incarnation &= Handle.MaxIncarnation;
        // A packed entry of a collection that was disposed meanwhile is not found any more.
        return incarnation == 0 ? 0 : Handle.Make((ulong)entry, incarnation);
    }
}
