using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Platform;

namespace Smc.Memory.Snapshots;

/// <summary>Blocks for the next copies: mapped, and their pages touched, so that the first writer after a snapshot does not wait for the system.</summary>
/// <remarks>
/// Invariant: none is added while no snapshot is open, or when the collection has ended: whoever adds one looks at that under the collection's lock. When the last snapshot has ended, who ended it
/// takes them out, one after the other and without a lock, unless another snapshot has begun, which has use for them: then it is up to the end of that one.
/// </remarks>
internal sealed class SpareBlocks(CollectionLife life, BlockStore store, SnapshotMarks marks)
{
    /// <summary>So many are kept of those that come back.</summary>
    public const int Most = 4;

    private readonly Lock _lock = new();
    private readonly Stack<(BlockRef Block, bool IsZeroed)> _blocks = new();
    private long _bytes;

    /// <summary>Bytes of the blocks here and of the versions whose successors came from here.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    private int Count
    {
        get
        {
            lock (_lock) return _blocks.Count;
        }
    }

    /// <summary>Has a thread of the pool make blocks ready: to copy into fresh pages takes fifty times as long.</summary>
    public void TouchLater(int wanted)
    {
        if (wanted == 0 || Count >= wanted) return;
        ThreadPool.UnsafeQueueUserWorkItem(static state => state.Spares.Touch(state.Wanted), (Spares: this, Wanted: wanted), preferLocal: false);
    }

    /// <summary>Takes a block, a new one if there is none here.</summary>
    /// <param name="isZeroed">False if it has the bytes of a former version.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public BlockRef Take(out bool isZeroed)
    {
        if (TryTake(out BlockRef block, out isZeroed)) return block;
        isZeroed = true;
        block = store.Map();
        Interlocked.Add(ref _bytes, store.Layout.BlockBytes);
        return block;
    }

    /// <summary>Unmaps a block that was taken and not used.</summary>
    public void Return(BlockRef block)
    {
        store.Unmap(block);
        CountLeft();
    }

    /// <summary>Unmaps the blocks that are here, as long as no snapshot is open.</summary>
    public void ReturnUnused()
    {
        while (!marks.IsSnapshotted && TryTake(out BlockRef spare, out _)) Return(spare);
    }

    /// <summary>Unmaps the blocks that are here. Under the collection's lock.</summary>
    public void ReturnAll()
    {
        while (TryTake(out BlockRef spare, out _)) Return(spare);
    }

    /// <summary>A version leaves, which is counted here since its successor was taken.</summary>
    public void CountLeft() => Interlocked.Add(ref _bytes, -store.Layout.BlockBytes);

    /// <summary>Keeps a version that left, if there will be use for it. No reader can have it any more.</summary>
    public bool TryKeep(BlockRef block)
    {
        lock (life.Lock)
        {
            if (!marks.IsSnapshotted || life.IsDisposed || Count >= Most) return false;
            GuardMode.Poison(block.Address, store.Layout.BlockBytes);
            Add(block, isZeroed: false);
            Interlocked.Add(ref _bytes, store.Layout.BlockBytes);
            return true;
        }
    }

    private void Add(BlockRef block, bool isZeroed)
    {
        lock (_lock) _blocks.Push((block, isZeroed));
    }

    private bool TryTake(out BlockRef block, out bool isZeroed)
    {
        lock (_lock)
        {
            bool taken = _blocks.TryPop(out (BlockRef Block, bool IsZeroed) spare);
            (block, isZeroed) = spare;
            return taken;
        }
    }

    private void Touch(int wanted)
    {
        try
        {
            while (Count < wanted && marks.IsSnapshotted)
            {
                BlockRef block = store.Map();
                VirtualMemory.Touch(block.Address, store.Layout.BlockBytes);
                Interlocked.Add(ref _bytes, store.Layout.BlockBytes);
                bool isWanted;
                lock (life.Lock)
                {
                    isWanted = marks.IsSnapshotted && !life.IsDisposed;
                    if (isWanted) Add(block, isZeroed: true);
                }
                if (isWanted) continue;
                // A collection that has ended counts as snapshotted until the last snapshot of the process ends, and has no use for the next one either.
                Return(block);
                return;
            }
        }
        catch (OutOfMemoryException)
        {
            // The first writers take what they need themselves.
        }
    }
}
