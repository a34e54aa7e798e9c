using System.ComponentModel;
using System.Numerics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A scan over the blocks of a collection in one critical section: the outer loop of a kernel.</summary>
/// <remarks>
/// Rows added while it runs may be seen or not; rows that stay are seen once.
/// <code>
/// using var scan = BlockScanner.Begin(orders, layoutHash);
/// while (scan.MoveNext()) { … scan.Block … scan.SlotCount … scan.Validity … }
/// </code>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct BlockScanner : IDisposable
{
    private readonly CriticalSection _section;
    private readonly MemoryContext _context;
    private readonly BlockList _blocks;
    private int _next;

    private BlockScanner(MemoryContext context)
    {
        _section = CriticalSection.Enter();
        _context = context;
        _blocks = context.Blocks;
    }

    /// <summary>The base address of the current block.</summary>
    public ulong Block { get; private set; }

    /// <summary>Slots of the current block that were ever used: rows lie in slots 0 to this.</summary>
    public int SlotCount { get; private set; }

    /// <summary>The address of the current block's validity bitmap, 64-bit words with one bit per slot.</summary>
    public ulong Validity { get; private set; }

    /// <summary>Whether all <see cref="SlotCount"/> slots held rows when the block was reached.</summary>
    public bool IsDense { get; private set; }

    /// <summary>Enters a critical section and stands before the first block.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="layoutHash">The hash of the layout that the kernel was compiled for.</param>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    /// <exception cref="InvalidOperationException">The row type was compiled with another layout since.</exception>
    public static BlockScanner Begin<T>(Collection<T> collection, ulong layoutHash)
        where T : unmanaged
    {
        MemoryContext context = CollectionAccess.Context(collection);
        if (context.Layout.Hash != layoutHash)
            throw new InvalidOperationException($"The query was compiled against another version of {typeof(T).Name}. Rebuild the assembly that contains the query.");
        return new BlockScanner(context);
    }

    /// <summary>Goes to the next block that holds rows.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    public bool MoveNext()
    {
        while (_next < _blocks.Count)
        {
            ObjectDisposedException.ThrowIf(_context.IsDisposed, _context);
            Block = _blocks[_next++];
            SlotCount = BlockHeader.SlotCount(Block);
            if (SlotCount == 0)
                continue;
            Validity = BlockHeader.Validity(Block);
            IsDense = AllValid(Validity, SlotCount);
            return true;
        }

        return false;
    }

    /// <summary>Leaves the critical section.</summary>
    public void Dispose() => _section.Dispose();

    /// <summary>Looks at the bitmap itself, because a count and the bitmap need not agree while others add and remove.</summary>
    private static bool AllValid(ulong validity, int slots)
    {
        int words = slots >> 6;
        for (int i = 0; i < words; i++)
        {
            if (RowAccess.Read<ulong>(validity + ((ulong)i * 8)) != ulong.MaxValue)
                return false;
        }

        int rest = slots & 63;
        return rest == 0 || BitOperations.TrailingZeroCount(~RowAccess.Read<ulong>(validity + ((ulong)words * 8))) >= rest;
    }
}
