using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Indirection;

/// <summary>Moves the entries of a page to a packed page and back, while readers look them up and removers kill them. <see cref="PackedEntries"/> has the diagram.</summary>
/// <remarks>
/// Invariants: of the two words of an entry in use one is not 0, and that is the one that counts; both are only while it is locked here, and readers get the same from both. A row that dies in
/// between is dead in the word that counts from then on.
/// </remarks>
internal static unsafe class PageTransfer
{
    /// <summary>Copies the entries in use to a packed page that nobody has found yet, and notes which free ids go back when it is restored.</summary>
    public static void Copy(EntryWord* entries, PackedPlace* place, PackedPage* packed, Bits singles)
    {
        // SAFETY: the packed page is new, and has room for the entries in use.
        singles.CopyTo(PackedPage.ToBeFree(packed));
        EntryWord* copy = PackedPage.Entries(packed);
        foreach (int index in place->Indexes()) *copy++ = new EntryWord { Location = entries[index].Location, Word = entries[index].Incarnation };
    }

    /// <summary>Takes the entries in use out of their places, one by one: from there on the copies count.</summary>
    public static void Hide(EntryWord* entries, PackedPlace* place, PackedPage* packed)
    {
        EntryWord* copy = PackedPage.Entries(packed);
        foreach (int index in place->Indexes())
        {
            ProtocolSteps.Reach(ProtocolStep.EntryCopied);
            // SAFETY: the page has memory behind it until it is discarded, two epochs later. A row that died since keeps its word: who wants to know finds it dead.
            uint incarnation = copy->Incarnation;
            if (Interlocked.CompareExchange(ref entries[index].Word, 0, incarnation) != incarnation)
            {
                Volatile.Write(ref copy->Word, entries[index].Incarnation);
                Volatile.Write(ref entries[index].Word, 0);
            }
            copy++;
        }
    }

    /// <summary>Puts the entries of a packed page back in their places, one by one: from there on these count.</summary>
    public static void Show(EntryWord* entries, PackedPlace* place, PackedPage* packed)
    {
        uint floor = packed->Highest | EntryWord.Dead;
        for (int i = 0; i < PackedPage.Ids; i++)
        {
            // SAFETY: the page is charged, nobody writes to it, and who reads one of these words has a handle to a row that is dead.
            if (place->Find(packed, i) == null) Volatile.Write(ref entries[i].Word, floor);
        }
        EntryWord* copy = PackedPage.Entries(packed);
        foreach (int index in place->Indexes())
        {
            ulong word = LockForGood(copy);
            ProtocolSteps.Reach(ProtocolStep.EntryLockedForGood);
            // SAFETY: the lock is the caller's: nobody kills the row until it is found in its place again. Release each, in this order: a
            // reader that finds the word finds the location, and one that finds 0 in the packed page finds the word in place.
            entries[index].Location = copy->Location;
            Volatile.Write(ref entries[index].Word, word);
            ProtocolSteps.Reach(ProtocolStep.EntryShown);
            Volatile.Write(ref copy->Word, 0);
            copy++;
        }
    }

    /// <returns>The entry's word, which nobody changes from here on.</returns>
    private static ulong LockForGood(EntryWord* entry)
    {
        // SAFETY: the entry is that of a packed page. Nothing is frozen, so a live row's word is its incarnation, or dead in the next moment.
        uint word = Volatile.Read(ref entry->Incarnation);
        if (word >= EntryWord.Dead) return word;
        ulong found = Interlocked.CompareExchange(ref entry->Word, word | EntryWord.Locked, word);
        return found == word ? word : Volatile.Read(ref entry->Incarnation);
    }
}
