using Smc.Memory.Allocation;
using Smc.Memory.Compaction;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory.Blocks;

/// <summary>The blocks of one collection: which there are, and which wait for somebody who allocates in them.</summary>
/// <remarks>
/// Invariants: every row is in exactly one block of <see cref="List"/>. A block has one owner at a time, by its state (<see cref="BlockState"/>): under the collection's lock
/// alone a block becomes owned or queued. A block in use with enough limbo is queued by whoever made the last of it, or by whoever gave the block up; never by neither
/// (fence 8 of docs/memory-model.md). Blocks that are mapped and in no list are counted in <see cref="Departures.Bytes"/>.
/// </remarks>
internal sealed class BlockStore(CollectionLife life, BlockLayout layout, EntryTable entries, ArenaPool arenas, Departures departures, int slotsPerBlock, int queueAt)
{
    private readonly BlockQueue _queue = new();
    private readonly Queue<BlockRef> _unused = new();
    private BlockList _list = BlockList.Empty();
    private ulong _tail;

    /// <summary>Slots of a block that are used.</summary>
    public int SlotsPerBlock => slotsPerBlock;

    /// <summary>So many slots in limbo make a block worth re-using.</summary>
    public int QueueAt => queueAt;

    public BlockLayout Layout => layout;

    /// <summary>The blocks that belong to the collection, those that a compaction is emptying among them. Set under the collection's lock.</summary>
    public BlockList List
    {
        get => Volatile.Read(ref _list);
        set => Volatile.Write(ref _list, value);
    }

    /// <summary>Every dense id in use is below this. It grows while others add.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public long EntryLimit
    {
        get
        {
            BlockRef tail = new(Volatile.Read(ref _tail));
            // The newest block has the highest ids, of which only those of used slots count, unless a single id was taken since.
            // A block that leaves stops being the tail first, and stays mapped until this section ends.
            return tail.IsNone ? entries.Ids.Taken : tail.Header.FirstId + (long)tail.SlotCount;
        }
    }

    /// <summary>Maps a block. Nobody sees it.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    // The first blocks may stay nearly empty, so they take small pages as they are touched.
    public BlockRef Map() => new(arenas.Take(layout.BlockBytes, hugePages: (long)List.Count * layout.BlockBytes >= VirtualMemory.HugePageSize));

    /// <summary>Unmaps a block that nobody counts.</summary>
    public void Unmap(BlockRef block) => arenas.Return(block.Address, layout.BlockBytes);

    /// <summary>Unmaps a block that is in no list.</summary>
    public void Free(BlockRef block)
    {
        Unmap(block);
        departures.AddBytes(-layout.BlockBytes);
    }

    /// <summary>Writes the header of a block that nobody sees.</summary>
    public void Initialize(BlockRef block) => BlockInitializer.Initialize(block, layout, slotsPerBlock, entries.First, entries.HadTenants);

    /// <summary>Takes a block to allocate in: one with limbo that can be re-used, else an unused one.</summary>
    /// <param name="waits">True if there is one with limbo for which the epoch has to move on.</param>
    public BlockRef TakeForOwner(out bool waits)
    {
        lock (life.Lock)
        {
            BlockRef block = _queue.TryTakeReady();
            waits = block.IsNone && _queue.Count > 0;
            if (block.IsNone) block = _unused.Count > 0 ? _unused.Dequeue() : Add();
            block.SetState(BlockState.Owned);
            return block;
        }
    }

    /// <summary>Adds unused blocks until there are so many fresh slots. Under the collection's lock.</summary>
    /// <param name="rows">Slots that are wanted.</param>
    /// <param name="rest">Slots that the caller has.</param>
    public void Reserve(long rows, long rest)
    {
        for (long reserved = rest + (long)_unused.Count * slotsPerBlock; reserved < rows; reserved += slotsPerBlock) _unused.Enqueue(Add());
    }

    /// <summary>Queues a block with limbo, unless somebody has it.</summary>
    /// <safety>The caller's section keeps the block mapped.</safety>
    public void QueueForReuse(BlockRef block, long stamp)
    {
        lock (life.Lock)
        {
            if (life.IsDisposed || !block.TryChangeState(BlockState.Idle, BlockState.Queued)) return;
            _queue.Add(block, stamp);
        }
    }

    /// <summary>Gives a block back to the allocators. Under the collection's lock.</summary>
    /// <safety>The block is the caller's.</safety>
    public void Readmit(BlockRef block)
    {
        // Full fence; partner: RowRemoval.MakeLimbo, as in CursorBlocks.Release.
        block.ExchangeState(BlockState.Idle);
        bool hasFresh = block.SlotCount < block.Header.Slots;
        if (!hasFresh && block.Limbo < queueAt) return;
        block.SetState(BlockState.Queued);
        _queue.Add(block, hasFresh ? GlobalEpoch.Now - Epoch.Grace : block.LimboStamp);
    }

    /// <summary>Nobody takes slots of these blocks from the queues any more. Under the collection's lock.</summary>
    public void Unqueue(HashSet<BlockRef> blocks)
    {
        _queue.Remove(blocks);
        int unused = _unused.Count;
        for (int i = 0; i < unused; i++)
        {
            BlockRef block = _unused.Dequeue();
            if (!blocks.Contains(block)) _unused.Enqueue(block);
        }
    }

    /// <summary>The tail, which is about to leave or has no longer the highest id, stops being it. Under the collection's lock.</summary>
    public void ForgetTail() => Volatile.Write(ref _tail, 0);

    /// <summary>As <see cref="ForgetTail()"/>, if the tail is one of these blocks.</summary>
    public void ForgetTail(HashSet<BlockRef> leaving)
    {
        if (leaving.Contains(new BlockRef(_tail))) ForgetTail();
    }

    /// <summary>A block takes the place of another in the list. Under the collection's lock.</summary>
    public void Succeed(BlockRef block, BlockRef successor)
    {
        List = _list.WithSuccessor(block, successor);
        if (_tail == block.Address) Volatile.Write(ref _tail, successor.Address);
    }

    /// <summary>Takes all blocks out of the list. Under the collection's lock.</summary>
    public BlockList TakeAll()
    {
        BlockList blocks = _list;
        ForgetTail();
        List = blocks.WithoutAll();
        departures.AddBytes((long)blocks.Count * layout.BlockBytes);
        _queue.Clear();
        _unused.Clear();
        return blocks;
    }

    // Under the collection's lock.
    private BlockRef Add()
    {
        BlockRef block = Map();
        BlockList list;
        bool areUsed;
        try
        {
            list = _list.With(block);
            Initialize(block);
            areUsed = entries.GiveIds(block, slotsPerBlock);
        }
        catch
        {
            Unmap(block);
            throw;
        }
        Volatile.Write(ref _tail, areUsed ? 0 : block.Address);
        List = list;
        return block;
    }
}
