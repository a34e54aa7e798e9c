using System.Numerics;
using Smc.Memory.Blocks;
using Smc.Memory.DirectReferences;
using Smc.Memory.Indirection;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Allocation;

/// <summary>Which slot of a block is next, and which entry it gets: the slow way of <see cref="RowAllocator"/>.</summary>
/// <remarks>
/// Invariants: a slot in limbo is taken two epochs after its stamp (I1). Its row gets the entry of the row before, unless that is worn out or packed. Where direct references name slots, no two rows of a slot have
/// the same 16 bits of incarnation; a slot that has had them all is spent.
/// </remarks>
internal sealed class SlotSearch(CollectionLife life, BlockStore store, EntryTable entries, RowCleaner cleaner, SnapshotMarks snapshots, ReferrersToRows referrers)
{
    // Slots apart from which values of eight bytes lie in different lines; nearer ones come without asking.
    private const int SparseLimbo = 8;

    /// <summary>Takes a slot of a cursor's block, of limbo first.</summary>
    /// <param name="cursor">The cursor.</param>
    /// <param name="row">The place.</param>
    /// <param name="isReused">Whether a row was there, which is to be cleaned.</param>
    /// <returns>False if the block has none, or there is no block.</returns>
    /// <safety>The caller holds the cursor's latch.</safety>
    public bool TryTake(AllocationCursor cursor, out RowSlot row, out bool isReused)
    {
        life.ThrowIfDisposed();
        row = default;
        isReused = false;
        BlockRef block = cursor.Block;
        if (block.IsNone) return false;
        ref BlockPrefix prefix = ref block.Header;
        isReused = cursor.TryFindLimbo(out int slot);
        while (isReused && TrySpend(block, slot)) isReused = cursor.TryFindLimbo(out slot);
        if (isReused) PrefetchNextLimbo(cursor, slot);
        if (!isReused)
        {
            if (cursor.NextFresh >= prefix.Slots) return false;
            if (!prefix.HasUsedIds) cursor.FastLimit = prefix.Slots;
            slot = cursor.NextFresh;
        }
        uint id = isReused || prefix.HasListedIds ? block.DenseIdAt(slot) : prefix.FirstId + (uint)slot;
        if (entries.IsSpent(id)) id = ReplaceId(block, id);
        if (entries.NoteIncarnation(id)) prefix.HasReusedEntries = true;
        if (isReused) TakeLimbo(block, slot);
        else cursor.TakeFresh(block, slot);
        block.SetId(slot, id);
        row = new RowSlot(block, slot, entries.Of(id));
        return true;
    }

    /// <summary>
    /// Asks for the memory of the row that the next allocation takes, if the search goes on as it is: interlocked operations wait until what
    /// was written before has found its way to the cache, and where limbo is sparse that is a line for every column. (5 % limbo: adding
    /// takes 200 instead of 280 ns.)
    /// </summary>
    private void PrefetchNextLimbo(AllocationCursor cursor, int current)
    {
        int word = cursor.WalkWord - 1;
        ulong mask = cursor.WalkMask;
        if (mask == 0)
        {
            if (++word >= cursor.WalkWords) return;
            mask = ~cursor.Block.ValidWord(word);
            if (mask == 0) return;
        }
        int slot = word * 64 + BitOperations.TrailingZeroCount(mask);
        if (slot - current < SparseLimbo) return;
        // Nearly always the id that the slot began with.
        entries.Of(cursor.Block.Header.FirstId + (uint)slot).Prefetch();
        cleaner.Prefetch(cursor.Block, slot);
    }

    private static void TakeLimbo(BlockRef block, int slot)
    {
        block.SetSlot(slot, SlotWord.Reserved);
        block.TakeLimbo();
    }

    /// <summary>
    /// Takes a slot in limbo out of use for ever (its block's ever) if another row in it could not be told from an old one by direct references:
    /// when 2^16 rows were in it, or its entry has no incarnation left, or is packed, and would have to be replaced.
    /// </summary>
    private bool TrySpend(BlockRef block, int slot)
    {
        if (!referrers.IsAny) return false;
        uint id = block.DenseIdAt(slot);
        uint next = entries.NextIncarnation(entries.Of(id));
        if ((next & DirectWord.IncarnationMask) != 0 && !entries.IsSpent(id)) return false;
        cleaner.Clean(block, slot);
        // It stays counted as limbo: no row is in it.
        block.SetSlot(slot, SlotWord.Spent);
        return true;
    }

    // Of a slot that the cursor found and has not taken: its entry is dead, and no reader that found it alive is left.
    private uint ReplaceId(BlockRef block, uint replaced)
    {
        uint id;
        lock (life.Lock)
        {
            // An id of a run goes back with it. One by which a snapshot may look for a row is lost: that is rare.
            id = entries.Replace(replaced, isReturned: block.Header.HasListedIds && !snapshots.IsSnapshotted);
            // The newest block no longer has the highest id.
            store.ForgetTail();
        }
        block.Header.HasReplacedIds = true;
        return id;
    }
}
