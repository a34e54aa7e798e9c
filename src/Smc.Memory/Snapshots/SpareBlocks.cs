using Smc.Memory.Platform;

namespace Smc.Memory.Snapshots;

/// <summary>Blocks whose pages have been touched, for the next copies.</summary>
internal sealed class SpareBlocks
{
    /// <summary>So many are kept of those that come back.</summary>
    public const int Most = 4;

    private readonly Lock _lock = new();
    private readonly Stack<(BlockRef Block, bool IsZeroed)> _blocks = new();

    public int Count
    {
        get
        {
            lock (_lock) return _blocks.Count;
        }
    }

    /// <summary>Keeps a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="isZeroed">False if it has the bytes of a former version.</param>
    public void Add(BlockRef block, bool isZeroed)
    {
        lock (_lock) _blocks.Push((block, isZeroed));
    }

    /// <summary>Takes a block.</summary>
    public bool TryTake(out BlockRef block, out bool isZeroed)
    {
        lock (_lock)
        {
            bool taken = _blocks.TryPop(out (BlockRef Block, bool IsZeroed) spare);
            (block, isZeroed) = spare;
            return taken;
        }
    }

    /// <summary>Has the system put memory behind every page of a block that is zero.</summary>
    public static unsafe void Touch(BlockRef block, long bytes)
    {
        // SAFETY: the caller took the block, and nobody else sees it.
        for (long at = 0; at < bytes; at += VirtualMemory.PageSize) Volatile.Write(ref *(byte*)(block.Address + (ulong)at), 0);
    }
}
