using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;

namespace Smc.Memory.Indirection;

/// <summary>
/// Pages of entries of which few are in use, without their memory: handles are addresses of entries, so entries do not move, but a page that
/// reads as zero costs nothing, and its few entries are found through a table. docs/models/packing.pml.
/// </summary>
/// <remarks>
/// <code>
///                 page in place                      table                 packed page
///  in place       inc | inc|DEAD | flags             0
///  TryPack        inc --CAS--> 0, one by one         address               inc          a reader that finds 0 asks the table
///  --grace-->     0, given back to the system        address               inc, as any entry: frozen, moved, killed
///  TryRestore     0 --> inc, one by one              0                     inc --CAS--> inc|K --> 0
/// </code>
/// Invariants: of the two words of an entry in use one is not 0, and that is the one that counts; both are only while TryRestore has locked it, and
/// readers get the same from both. An id that is not in use has no word other than 0 anywhere until its page is restored, and begins then above
/// the highest incarnation of its page. Ids of the page that are free when it is packed serve nobody until it is restored.
/// A page is packed by the compactor, which has taken its free ids, in a critical section: so no slot whose row died since the look at its entry can be
/// used again, and no id of such a row be returned, meanwhile. It is restored under the collection's lock, and not during a compaction: who compacts may
/// keep addresses of entries.
/// Who looks an entry up is in a critical section. Between packing a page and restoring it lies a grace, and between that and packing it again, so a
/// reader meets one of the two at most.
/// </remarks>
/// <param name="range">The entries.</param>
/// <param name="maxIncarnation">Entries above this are worn out.</param>
/// <param name="budget">Is charged for packed pages and given the bytes of those in place.</param>
/// <param name="retire">Calls <see cref="Free"/> two epochs later.</param>
internal sealed unsafe class PackedEntries(EntryRange range, uint maxIncarnation, MemoryBudget budget, Action<PackedBatch> retire)
{
    private readonly PackedBatches _batches = new(budget);
    private readonly SortedSet<int> _restorable = [];
    private readonly EntryRef _first = range.First;
    private ulong _table;
    private long _tableBytes;
    private long _smallPages;
    private long _discarded;
    private long _restoredIn = -Epoch.Grace;

    /// <summary>Whether the system takes pages of this size, and leaves zeros for whoever looks at any moment.</summary>
    public static bool IsSupported { get; } = VirtualMemory.PageSize == PackedPage.Bytes && VirtualMemory.DiscardsInPlace;

    /// <summary>True while addresses of entries must not change: nothing is restored.</summary>
    public bool IsPinned { get; set; }

    /// <summary>Free ids in packed pages.</summary>
    public long FreeCount { get; private set; }

    /// <summary>Pages that were packed so far.</summary>
    public long PagesPacked { get; private set; }

    /// <summary>Pages that were restored so far.</summary>
    public long PagesRestored { get; private set; }

    /// <summary>Bytes that the entries take, in place and packed.</summary>
    public long MappedBytes => range.Committed - Volatile.Read(ref _discarded) + Volatile.Read(ref _tableBytes) + _batches.MappedBytes;

    /// <summary>From this epoch on pages may be packed again that were restored: nobody is left who looks for their entries where they were packed.</summary>
    public long MayPackIn => Volatile.Read(ref _restoredIn) + Epoch.Grace;

    /// <summary>Whether an id lies in a packed page.</summary>
    public bool Contains(uint id) => PageAt(PackedPage.Of(id)) != null;

    /// <summary>Where an entry is, and its word; 0 if no row can have it.</summary>
    /// <param name="entry">The entry in its range.</param>
    /// <param name="home">Where it is now.</param>
    /// <safety>The caller is inside a critical section, or restoring is out of the question.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Current(EntryRef entry, out EntryRef home)
    {
        uint id = entry.IdFrom(_first);
        while (true)
        {
            // SAFETY: entries are never unmapped; a packed page is while nobody can have found it. Acquire, then the table; partner: TryPack.
            home = entry;
            ulong word = entry.Word;
            if (word != 0) return word;
            ProtocolSteps.Reach(ProtocolStep.EntryFoundPacked);
            PackedPage* packed = PageAt(PackedPage.Of(id));
            ProtocolSteps.Reach(ProtocolStep.PackedPageRead);
            if (packed == null)
            {
                // Never used, or restored by now.
                return entry.Word;
            }
            EntryWord* found = Table[PackedPage.Of(id)].Find(packed, (int)(id & PackedPage.Mask));
            if (found == null) return 0;
            home = new EntryRef((ulong)found);
            word = home.Word;
            if (word != 0) return word;
        }
    }

    /// <summary>Makes room in the table, for as many pages as have memory.</summary>
    /// <returns>False if there is no memory for it.</returns>
    public bool TryPrepare()
    {
        if (range.Committed > _smallPages)
        {
            // Large ones would come back whole as soon as one of their small ones is touched.
            VirtualMemory.UseSmallPages(range.Base, range.Committed);
            _smallPages = range.Committed;
        }
        long needed = VirtualMemory.RoundUp(range.Committed / PackedPage.Bytes * sizeof(PackedPlace), VirtualMemory.Granularity);
        if (needed <= _tableBytes) return true;
        if (_table == 0) _table = VirtualMemory.Reserve(TableAddresses);
        if (_table == 0 || !budget.TryCharge(needed - _tableBytes)) return false;
        if (!VirtualMemory.Commit(_table + (ulong)_tableBytes, needed - _tableBytes, hugePages: false))
        {
            budget.Release(needed - _tableBytes);
            return false;
        }
        // Release: who finds 0 in an entry packed after this finds its place in the table.
        Volatile.Write(ref _tableBytes, needed);
        return true;
    }

    /// <summary>Packs a page, except if too many of its ids are in use, or one that is has no row at this moment.</summary>
    /// <param name="page">Number of the page.</param>
    /// <param name="free">Which of its ids are free.</param>
    /// <param name="singles">Which of these go to the free ids when it is restored; the others are part of a run.</param>
    /// <safety>The caller is inside a critical section, holds the compaction gate and has the free ids of the page, which is not packed; no row is frozen.</safety>
    /// <returns>False if the page stays as it is.</returns>
    public bool TryPack(int page, Bits free, Bits singles)
    {
        EntryWord* entries = (EntryWord*)range.Base + (long)page * PackedPage.Ids;
        uint highest = range.FirstIncarnation;
        int inUse = 0;
        for (int i = 0; i < PackedPage.Ids; i++)
        {
            // SAFETY: the page has memory behind it.
            ulong word = Volatile.Read(ref entries[i].Word);
            highest = Math.Max(highest, (uint)word & Handle.MaxIncarnation);
            if (free[i]) continue;
            // In limbo, reserved or not used yet: somebody may bring it to life at any time. Or a draft, which writers lock.
            if (word is 0 or >= EntryWord.Dead) return false;
            inUse++;
        }
        // All ids of the page go on from the highest incarnation, so enough have to be left.
        if (inUse > PackedPage.MostInUse || highest > maxIncarnation / 2) return false;
        PackedPage* packed = _batches.TryTake(inUse);
        if (packed == null) return false;
        ProtocolSteps.Reach(ProtocolStep.PageChecked);
        packed->Highest = highest;
        PackedPlace* place = Table + page;
        place->Describe(free);
        PageTransfer.Copy(entries, place, packed, singles);
        // Release: the entries are complete; partner: Current.
        Volatile.Write(ref place->Packed, (ulong)packed);
        PageTransfer.Hide(entries, place, packed);
        return true;
    }

    /// <summary>Counts the free ids of a page that was packed. Under the collection's lock.</summary>
    public void OfferIds(int page)
    {
        // SAFETY: packed pages are mapped until they are restored.
        int free = PackedPage.ToBeFree(PageAt(page)).Count;
        FreeCount += free;
        if (free > 0) _restorable.Add(page);
        PagesPacked++;
    }

    /// <summary>Gives the memory of pages back that were packed two epochs ago.</summary>
    public void Discard(IReadOnlyList<int> pages)
    {
        for (int i = 0; i < pages.Count;)
        {
            int end = i + 1;
            while (end < pages.Count && pages[end] == pages[end - 1] + 1) end++;
            VirtualMemory.Discard(range.Base + (ulong)pages[i] * PackedPage.Bytes, (long)(end - i) * PackedPage.Bytes);
            i = end;
        }
        long bytes = (long)pages.Count * PackedPage.Bytes;
        Interlocked.Add(ref _discarded, bytes);
        budget.Release(bytes);
        // SAFETY: nobody restores a page, and with it frees the packed one, before this.
        foreach (int page in pages)
        {
            Volatile.Write(ref PageAt(page)->IsDiscarded, 1);
        }
    }

    /// <summary>An id in use in a packed page is free: its entry is dead, and no reader that found it alive is left. Under the collection's lock.</summary>
    public void Return(uint id)
    {
        int page = PackedPage.Of(id);
        // SAFETY: the page is packed, and only the lock's owner restores it.
        PackedPage* packed = PageAt(page);
        _restorable.Add(page);
        PackedPage.ToBeFree(packed).Set((int)(id & PackedPage.Mask));
        FreeCount++;
    }

    /// <summary>Restores some page that has free ids. Under the collection's lock.</summary>
    /// <param name="free">Gets them.</param>
    /// <returns>False if there is no such page, or restoring is not allowed now, or there is no memory.</returns>
    public bool TryRestoreAny(FreeIds free) => _restorable.Count > 0 && TryRestore(_restorable.Max, free);

    /// <summary>Puts the entries of a packed page back in their places. Under the collection's lock.</summary>
    /// <returns>False if restoring is not allowed now, or there is no memory.</returns>
    public bool TryRestore(int page, FreeIds free)
    {
        PackedPage* packed = PageAt(page);
        // SAFETY: the lock's owner alone restores.
        bool isDiscarded = Volatile.Read(ref packed->IsDiscarded) != 0;
        if (IsPinned || !isDiscarded || !budget.TryCharge(PackedPage.Bytes)) return false;
        Interlocked.Add(ref _discarded, -PackedPage.Bytes);
        EntryWord* entries = (EntryWord*)range.Base + (long)page * PackedPage.Ids;
        PageTransfer.Show(entries, Table + page, packed);
        Volatile.Write(ref Table[page].Packed, 0);
        FreeCount -= PackedPage.ToBeFree(packed).Count;
        PagesRestored++;
        // A full fence between the last store and the epoch; partner: the advance.
        Interlocked.MemoryBarrier();
        Volatile.Write(ref _restoredIn, GlobalEpoch.Now);
        _restorable.Remove(page);
        free.Add(page, PackedPage.ToBeFree(packed));
        if (_batches.TryEnd(packed->Batch) is { } batch) retire(batch);
        return true;
    }

    /// <summary>Unmaps a batch whose pages are all restored. No reader can have found one of them.</summary>
    public void Free(PackedBatch batch) => _batches.Free(batch);

    /// <summary>Unmaps all batches and the table. The range is about to be vacated, which has <see cref="MappedBytes"/> charged until then.</summary>
    public void Release()
    {
        _batches.Release();
        if (_table == 0) return;
        VirtualMemory.Unmap(_table, TableAddresses);
        budget.Release(_tableBytes);
        _table = 0;
        _tableBytes = 0;
    }

    private PackedPlace* Table => (PackedPlace*)_table;

    private long TableAddresses => VirtualMemory.RoundUp(range.Bytes / PackedPage.Bytes * sizeof(PackedPlace), VirtualMemory.Granularity);

    // The packed page in place of a page, or null.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private PackedPage* PageAt(int page) =>
        (page + 1L) * sizeof(PackedPlace) <= Volatile.Read(ref _tableBytes) ? (PackedPage*)Volatile.Read(ref Table[page].Packed) : null;
}
