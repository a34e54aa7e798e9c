using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <content>Giving the memory of entries back that most rows have left.</content>
public sealed partial class MemoryContext
{
    // A section takes some microseconds with so many.
    private const int PagesPerSection = 16;

    // What is given back together: two megabytes of entries.
    private const int PagesPerRetirement = 512;

    /// <summary>
    /// Packs the pages of entries that have few rows left, so that a collection that shrank does not keep 16 bytes for every row that it ever
    /// held. Handles stay as they are; following one to such a row takes a look at a table more. O(entries).
    /// </summary>
    /// <remarks>Not where direct references lead: they name slots, whose entries have to stay.</remarks>
    private void PackEntries(CompactionOptions options, CompactionPatience patience)
    {
        if (!_packsEntries || IsDirectTarget || !_ids.AreWorthPacking(options.LeastPagesToPack)) return;
        if (!AwaitEpoch(PackedEntries.MayPackIn, patience)) return;
        int pages;
        lock (_lock)
        {
            if (IsDisposed || !PackedEntries.TryPrepare()) return;
            pages = (int)(_ids.Taken / PackedPage.Ids);
        }
        List<int> packed = [];
        for (int first = 0; first < pages && !patience.IsOver && !IsDisposed; first += PagesPerSection)
        {
            PackPages(first, Math.Min(first + PagesPerSection, pages), packed);
            if (packed.Count < PagesPerRetirement) continue;
            RetirePages(packed, options);
            packed = [];
        }
        RetirePages(packed, options);
    }

    // Nothing is restored meanwhile, so the epoch to wait for does not change.
    private bool AwaitEpoch(long epoch, CompactionPatience patience)
    {
        SpinWait spin = default;
        while (GlobalEpoch.Now < epoch)
        {
            if (patience.IsOver) return false;
            if (Reclaimer.TryAdvance()) continue;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            spin.SpinOnce();
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
            if (IsSnapshotted) return;
            if (TryPackPage(page)) packed.Add(page);
        }
    }

    private bool TryPackPage(int page)
    {
        Span<ulong> free = stackalloc ulong[PackedPage.Ids / 64];
        Span<ulong> singles = stackalloc ulong[PackedPage.Ids / 64];
        lock (_lock)
        {
            if (IsDisposed || !_ids.TryDetach(page, free, singles)) return false;
        }
        bool isPacked = PackedEntries.TryPack(page, free, singles);
        lock (_lock) _ids.Attach(page, singles, isPacked);
        return isPacked;
    }

    private void RetirePages(List<int> packed, CompactionOptions options)
    {
        if (packed.Count == 0) return;
        ProtocolSteps.Reach(ProtocolStep.EntriesPacked);
        options.Observer?.Invoke(ProtocolStep.EntriesPacked);
        Retire(new RetiredPages(this, packed));
    }

    private void Retire(PackedEntries.Batch batch)
    {
        Retire(new RetiredBatch(this, batch));
    }

    /// <summary>Pages of entries that were packed.</summary>
    private sealed class RetiredPages(MemoryContext context, List<int> pages) : Retired, IFreedBetweenCompactions
    {
        public override void Release() => context.Release(this);

        public void Free() => context.PackedEntries.Discard(pages);
    }

    /// <summary>A mapping of packed pages that are restored.</summary>
    private sealed class RetiredBatch(MemoryContext context, PackedEntries.Batch batch) : Retired, IFreedBetweenCompactions
    {
        public override void Release() => context.Release(this);

        public void Free() => context.PackedEntries.Free(batch);
    }
}
