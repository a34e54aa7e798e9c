using Smc.Memory.Blocks;

namespace Smc.Memory.Compaction;

/// <summary>Counts the blocks that removals left sparse, and asks for a compaction in the background when they are worth one.</summary>
/// <remarks>The count is of the times that a block became sparse, so it is too high at times; the blocks are looked at before anybody is asked.</remarks>
/// <param name="collection">Is named to the background; nothing is called on it here.</param>
/// <param name="store">Its blocks.</param>
/// <param name="sparseAt">So many slots in limbo make a block sparse.</param>
/// <param name="leastBytes">Bytes of sparse blocks that are worth a compaction.</param>
internal sealed class SparseBlocks(MemoryContext collection, BlockStore store, int sparseAt, long leastBytes)
{
    // One sparse block in so many is worth a compaction in the background.
    private const int SparseShare = 8;

    private long _count;

    /// <summary>So many slots in limbo make a block sparse.</summary>
    public int SparseAt => sparseAt;

    /// <summary>A removal left a block sparse.</summary>
    /// <safety>The caller is in the critical section in which it removed the row.</safety>
    public void Note()
    {
        if (!AreWorthCompacting(Interlocked.Increment(ref _count))) return;
        // Some of them have been filled again or are gone.
        long sparse = Count();
        Volatile.Write(ref _count, sparse);
        if (AreWorthCompacting(sparse)) BackgroundCompaction.Shared.Request(collection);
    }

    private bool AreWorthCompacting(long sparse) => sparse * store.Layout.BlockBytes >= leastBytes && sparse >= store.List.Count / SparseShare;

    private long Count()
    {
        BlockList blocks = store.List;
        long sparse = 0;
        for (int i = 0; i < blocks.Count; i++)
        {
            if (blocks[i].Limbo >= sparseAt && blocks[i].State != BlockState.Compacting) sparse++;
        }
        return sparse;
    }
}
