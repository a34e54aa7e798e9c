using Smc.Memory.Blocks;
using Smc.Memory.Epochs;

namespace Smc.Memory.Allocation;

/// <summary>Gives a cursor its next block when the one that it has is used up.</summary>
/// <remarks>
/// Invariants: the block of a cursor is owned, and only who holds the cursor's latch takes slots of it. A block that a cursor gives up with enough limbo is queued, by this thread or by the
/// one that makes the last of the limbo; never by neither (fence 8 of docs/memory-model.md).
/// </remarks>
internal sealed class CursorBlocks(BlockStore store)
{
    /// <summary>Gives the cursor another block: one with limbo that can be re-used, else an unused one.</summary>
    public void Refill(AllocationCursor cursor, ref bool advance)
    {
        BlockRef last = cursor.Block;
        Release(cursor);
        BlockRef block = store.TakeForOwner(out bool waits);
        advance |= waits;
        // The cursor owns the block from here on.
        int used = block.Header.HighWater;
        // The block that was full stays mapped until the caller's section ends.
        if (used == 0 && !last.IsNone) ColumnSummaries.Scale(store.Layout, block, [last]);
        cursor.Block = block;
        cursor.NextFresh = used;
        cursor.FastLimit = 0;
        cursor.WalkWord = 0;
        cursor.WalkWords = (used + 63) / 64;
        cursor.WalkMask = 0;
        cursor.SearchEpoch = used > 0 ? GlobalEpoch.Now : 0;
    }

    /// <summary>Lets go of a block that has no more slots for now.</summary>
    private void Release(AllocationCursor cursor)
    {
        BlockRef block = cursor.Block;
        if (block.IsNone) return;
        long searched = cursor.SearchEpoch;
        cursor.Clear();
        // A full fence between giving up the block and counting its limbo; partner: RowRemoval.MakeLimbo counts first and then looks at the state,
        // so one of the two sees that the block has to be queued.
        block.ExchangeState(BlockState.Idle);
        // What a search left in limbo was not ready in its epoch.
        if (block.Limbo >= store.QueueAt) store.QueueForReuse(block, Math.Max(searched, block.LimboStamp));
    }
}
