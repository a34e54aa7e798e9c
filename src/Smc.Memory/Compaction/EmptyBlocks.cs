using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Indirection;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Compaction;

/// <summary>Gives back blocks in which no row is.</summary>
/// <remarks>
/// Invariants: a block leaves when no slot of it holds a row or is reserved, and nobody can take one: its state is <see cref="BlockState.Leaving"/>, which no other state follows. Blocks of
/// a snapshot's list stay until the snapshots have ended. Strings, ids and memory follow two epochs later, in pieces.
/// </remarks>
internal sealed class EmptyBlocks(
    CollectionLife life, BlockStore store, EntryTable entries, RowAllocator allocator, RowCleaner cleaner, StringHeap strings, Departures departures, ReferrersToRows referrers, SnapshotMarks snapshots)
{
    private bool _isPostponed;

    /// <summary>Retires blocks without rows.</summary>
    /// <param name="includeUnused">True for blocks also that were reserved and not used yet.</param>
    /// <param name="includeActive">True for blocks also that threads are adding to.</param>
    /// <returns>How many.</returns>
    public int Retire(bool includeUnused, bool includeActive)
    {
        using CriticalSection section = CriticalSection.Enter();
        using WriteWindow window = WriteWindow.Enter();
        if (snapshots.IsSnapshotted)
        {
            Volatile.Write(ref _isPostponed, true);
            return 0;
        }
        HashSet<BlockRef> leaving = [];
        if (includeActive) allocator.TakeEmpty(leaving);
        lock (life.Lock)
        {
            if (life.IsDisposed) return 0;
            TakeFromList(leaving, includeUnused);
            if (leaving.Count == 0) return 0;
            store.Unqueue(leaving);
            store.ForgetTail(leaving);
            store.List = store.List.Without(leaving);
            departures.AddBytes((long)leaving.Count * store.Layout.BlockBytes);
            departures.Retire(new RetiredBlocks(this, referrers, departures, leaving));
            return leaving.Count;
        }
    }

    /// <summary>Whether blocks were to leave while a snapshot was open. Asked once.</summary>
    public bool WasPostponed() => Interlocked.Exchange(ref _isPostponed, false);

    // Under the collection's lock, under which alone blocks become owned.
    private void TakeFromList(HashSet<BlockRef> leaving, bool includeUnused)
    {
        BlockList blocks = store.List;
        for (int i = 0; i < blocks.Count; i++)
        {
            BlockRef block = blocks[i];
            if (block.State is not (BlockState.Idle or BlockState.Queued) || !block.IsEmpty) continue;
            if (!includeUnused && block.SlotCount == 0) continue;
            // Without an owner no slot can be taken, so the block stays empty. A removal may queue it meanwhile, hence the exchange.
            block.ExchangeState(BlockState.Leaving);
            leaving.Add(block);
        }
    }

    // Runs two epochs after the block left the list, before Free. A slot with strings is one piece.
    private bool TryFreeChunks(BlockRef block, ref int slot, ref int pieces)
    {
        if (!cleaner.HasChunks) return true;
        int end = block.SlotCount;
        for (; slot < end && pieces > 0; slot++, pieces--) cleaner.FreeChunks(block, slot);
        return slot == end;
    }

    private void Free(BlockRef block)
    {
        entries.ReturnIds(block, store.SlotsPerBlock);
        store.Free(block);
    }

    /// <summary>Blocks without rows. A block is one piece, and so is each of its slots if they have strings.</summary>
    private sealed class RetiredBlocks(EmptyBlocks owner, ReferrersToRows referrers, Departures departures, HashSet<BlockRef> blocks) : RetiredMemory
    {
        private readonly Queue<BlockRef> _left = new(blocks);
        private int _slot;

        public override IEnumerable<BlockRef> Blocks => blocks;

        public override bool ReleaseSome(ref int pieces)
        {
            bool hasBegun = _left.Count < blocks.Count || _slot > 0;
            if (!hasBegun && referrers.Await(this)) return true;
            bool isDone = true;
            try
            {
                isDone = TryFree(ref pieces);
            }
            finally
            {
                if (isDone) departures.CountFreed();
            }
            if (isDone) owner.Tell(blocks.Count);
            return isDone;
        }

        private bool TryFree(ref int pieces)
        {
            for (; _left.TryPeek(out BlockRef block); _slot = 0, pieces--)
            {
                if (pieces <= 0 || !owner.TryFreeChunks(block, ref _slot, ref pieces)) return false;
                owner.Free(block);
                _left.Dequeue();
            }
            owner.TrimStrings();
            return true;
        }
    }

    private void TrimStrings() => strings.Evacuation.TrimExcess();

    private void Tell(int blocks) => MemoryEventSource.Log.BlocksFreed(life.Name, blocks, (long)blocks * store.Layout.BlockBytes);
}
