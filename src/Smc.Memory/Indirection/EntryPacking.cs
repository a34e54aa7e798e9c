using Smc.Memory.Allocation;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Indirection;

/// <summary>Gives the memory of entries back that most rows of a collection have left.</summary>
/// <remarks>
/// Invariants: only the thread that compacts packs, so nothing is restored meanwhile. A page's free ids serve nobody from before it is packed. Where direct references lead nothing is packed: they
/// name slots, whose entries have to stay. The memory of packed pages is discarded, and that of restored ones unmapped, two epochs later.
/// </remarks>
internal sealed class EntryPacking(CollectionLife life, EntryTable entries, Departures departures, ReferrersToRows referrers, SnapshotMarks snapshots, Reclaimer reclaimer)
{
    // A section takes some microseconds with so many.
    private const int PagesPerSection = 16;

    // What is given back together: two megabytes of entries.
    private const int PagesPerRetirement = 512;

    /// <summary>
    /// Packs the pages of entries that have few rows left, so that a collection that shrank does not keep 16 bytes for every row that it ever
    /// held. Handles stay as they are; following one to such a row takes a look at a table more. O(entries).
    /// </summary>
    public void Pack(CompactionOptions options, in CompactionPatience patience)
    {
        if (referrers.IsAny || !entries.Ids.AreWorthPacking(options.LeastPagesToPack)) return;
        if (!AwaitEpoch(entries.Packed.MayPackIn, patience)) return;
        int pages;
        lock (life.Lock)
        {
            if (life.IsDisposed || !entries.Packed.TryPrepare()) return;
            pages = (int)(entries.Ids.Taken / PackedPage.Ids);
        }
        List<int> packed = [];
        for (int first = 0; first < pages && !patience.IsOver && !life.IsDisposed; first += PagesPerSection)
        {
            PackPages(first, Math.Min(first + PagesPerSection, pages), packed);
            if (packed.Count < PagesPerRetirement) continue;
            RetirePages(packed, options);
            packed = [];
        }
        RetirePages(packed, options);
    }

    // Nothing is restored meanwhile, so the epoch to wait for does not change.
    private bool AwaitEpoch(long epoch, in CompactionPatience patience)
    {
        EpochWait wait = new(reclaimer, patience);
        while (GlobalEpoch.Now < epoch)
        {
            if (!wait.TryWait()) return false;
        }
        return true;
    }

    private void PackPages(int first, int end, List<int> packed)
    {
        using CriticalSection section = CriticalSection.Enter();
        for (int page = first; page < end; page++)
        {
            // Entries of a snapshot's rows stay where they are; writers may be redirecting them.
            using WriteWindow window = WriteWindow.Enter();
            if (snapshots.IsSnapshotted) return;
            if (TryPackPage(page)) packed.Add(page);
        }
    }

    private bool TryPackPage(int page)
    {
        Bits free = new(stackalloc ulong[PackedPage.Ids / 64]);
        Bits singles = new(stackalloc ulong[PackedPage.Ids / 64]);
        lock (life.Lock)
        {
            if (life.IsDisposed || !entries.Ids.TryDetach(page, free, singles)) return false;
        }
        bool isPacked = entries.Packed.TryPack(page, free, singles);
        lock (life.Lock) entries.Ids.Attach(page, singles, isPacked);
        return isPacked;
    }

    private void RetirePages(List<int> packed, CompactionOptions options)
    {
        if (packed.Count == 0) return;
        ProtocolSteps.Reach(ProtocolStep.EntriesPacked);
        options.Observer?.Invoke(ProtocolStep.EntriesPacked);
        departures.Retire(new RetiredPages(entries.Packed, departures, packed));
    }

    /// <summary>Pages of entries that were packed.</summary>
    private sealed class RetiredPages(PackedEntries entries, Departures departures, List<int> pages) : Retired, IFreedBetweenCompactions
    {
        public override void Release() => departures.Release(this);

        public void Free() => entries.Discard(pages);
    }
}
