using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A scan over the blocks of a collection in one critical section, or in several: the outer loop of a kernel.</summary>
/// <remarks>
/// Rows added while it runs may be seen or not; rows that stay are seen once.
/// A scan that gets the kernel's section may renew it: it leaves and enters again between blocks while garbage is over a soft mark
/// (<see cref="GarbageBudget"/>). What the kernel keeps from one block to the next may then be handles and copied values, but no address, location,
/// string word, or dense id whose row it does not compare by handle: they are good inside one section only. What the kernel does before and after the
/// scan is in its section, too.
/// <code>
/// using var section = CriticalSection.Enter();
/// using var scan = BlockScanner.Begin(orders, layoutHash, section);
/// while (scan.MoveNext()) { … scan.Block … scan.SlotCount … scan.Validity … }
/// </code>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct BlockScanner : IDisposable
{
    private readonly CriticalSection _section;
    private readonly CriticalSection _renewable;
    private readonly MemoryContext _context;
    private BlockList _blocks;
    private readonly CancellationToken _cancellation;
    private readonly int _end;
    private bool _hasRenewed;
    private bool _isSought;
    private int _asked;
    private RowLocation _found;
    private SoughtRows _soughtRows;
    private FirstRows? _firstRows;
    private KeyInParts? _key;
    private FoundBits _foundBits;

    // The column of which an index was not worth its cost for one value.
    private int _refused = -1;
    private int _next;

    // The slot that MoveToRow looks at next.
    private int _slot;

    private BlockScanner(MemoryContext context, CriticalSection renewable)
    {
        _section = CriticalSection.Enter();
        _renewable = renewable;
        _context = context;
        _blocks = SnapshotScope.BlocksOf(context);
        _end = _blocks.Count;
        _cancellation = KernelOptions.Current.CancellationToken;
    }

    private BlockScanner(MemoryContext context, BlockList blocks, int block)
    {
        _section = CriticalSection.Enter();
        _context = context;
        _blocks = blocks;
        _next = block;
        _end = block + 1;
        _cancellation = KernelOptions.Current.CancellationToken;
    }

    /// <summary>The base address of the current block.</summary>
    public ulong Block { get; private set; }

    /// <summary>The slot to begin at, a multiple of 64. 0 unless an index was asked.</summary>
    public int FirstSlot { get; private set; }

    /// <summary>Slots of the current block that were ever used: rows lie in slots <see cref="FirstSlot"/> to this.</summary>
    public int SlotCount { get; private set; }

    /// <summary>How many rows of the current block are asked: those of all slots, or those that an index found.</summary>
    public readonly int Asked => _isSought ? _asked : SlotCount;

    /// <summary>The address of the current block's validity bitmap, 64-bit words with one bit per slot. If an index was asked, of a bitmap that has the rows that it found, and words from <see cref="FirstSlot"/> on.</summary>
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
        where T : unmanaged => new(CollectionAccess.Context(collection, layoutHash), renewable: default);

    /// <summary>As <see cref="Begin{T}(Collection{T}, ulong)"/>; between blocks the scan may renew the section that the kernel is in.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="layoutHash">The hash of the layout that the kernel was compiled for.</param>
    /// <param name="renewable">The kernel's section. Where it is nested in another, the scan stays in that one.</param>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    /// <exception cref="InvalidOperationException">The row type was compiled with another layout since.</exception>
    public static BlockScanner Begin<T>(Collection<T> collection, ulong layoutHash, CriticalSection renewable)
        where T : unmanaged => new(CollectionAccess.Context(collection, layoutHash), renewable);

    /// <summary>Stands before one block of a list, which another thread took in a critical section that lasts longer than this scan.</summary>
    internal static BlockScanner OfBlock(MemoryContext context, BlockList blocks, int block) => new(context, blocks, block);

    /// <summary>Goes to the next block that holds rows.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <exception cref="OperationCanceledException">The query was cancelled.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool MoveNext()
    {
        if (_isSought)
            return MoveToFound();
        while (_next < _end)
        {
            if (_next > 0 && _renewable.IsOutermost && Epoch.IsUnderPressure)
                Renew();
            _context.ThrowIfDisposed();
            _cancellation.ThrowIfCancellationRequested();
            Block = _blocks[_next++].Address;
            // Blocks without rows may have left between two sections.
            if (Block == 0 || (_hasRenewed && !_context.Blocks.Contains(_blocks[_next - 1], _next - 1)))
                continue;
            SlotCount = BlockHeader.SlotCount(Block);
            if (SlotCount == 0)
                continue;
            Validity = BlockHeader.Validity(Block);
            // The bitmap itself, because a count and the bitmap need not agree while others add and remove.
            IsDense = RowBitmap.IsFull(Validity, SlotCount);
            return true;
        }

        // Rows of a collection that was disposed under the scan may have no handles any more.
        _context.ThrowIfDisposed();
        return false;
    }

    /// <summary>Goes to the next row, for a kernel that takes them one by one.</summary>
    /// <param name="block">The row's block.</param>
    /// <param name="slot">Its slot.</param>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <exception cref="OperationCanceledException">The query was cancelled.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MoveToRow(out ulong block, out ulong slot)
    {
        while (true)
        {
            while (_slot < SlotCount)
            {
                slot = (ulong)_slot++;
                block = Block;
                if (RowBitmap.Contains(Validity, slot))
                    return true;
            }

            if (!MoveNext())
            {
                block = slot = 0;
                return false;
            }

            _slot = FirstSlot;
        }
    }

    /// <summary>Leaves the critical section.</summary>
    public void Dispose()
    {
        if (_hasRenewed)
            _context.CompactionGate.EndRenewing();
        _soughtRows.Dispose();
        EndFirst();
        _section.Dispose();
    }

    private void Renew()
    {
        MemorySnapshot? snapshot = SnapshotView.Current;
        bool isOfSnapshot = snapshot?.BlocksOf(_context) is not null;
        // While rows move, the scan stays in its one section. The blocks of a snapshot stay where they are.
        if (!isOfSnapshot && !_hasRenewed && !(_hasRenewed = _context.CompactionGate.TryBeginRenewing()))
            return;
        _renewable.Renew();
        // Blocks that were left to a snapshot meanwhile have successors.
        if (!isOfSnapshot)
            _blocks = _blocks.Followed(_context.Blocks, _next);
        // The blocks of a lost one may be gone in the next section, also those that the kernel reads beside this scan.
        if (snapshot is not null)
            SnapshotLostException.ThrowIfLost(snapshot);
    }
}
