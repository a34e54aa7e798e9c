using System.ComponentModel;
using Smc.Memory.OrderedChunks;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <summary>
/// A sorted table outside the managed heap: from keys, which are bytes in lexicographic order, to words of 8 bytes that mean something to the caller. What an ordered map consists of.
/// </summary>
/// <remarks>
/// <para>Keys lie in chunks of some thousand cells (Oak, section 4.1); a <see cref="ChunkIndex"/> finds the chunk of a key. Readers take no latch and write nothing.
/// A change takes the latch of one chunk for a few instructions, or, when the chunk is written anew, for some microseconds; see docs/decisions/0019-ordered-map.md and
/// docs/models/orderedchunk.pml.</para>
/// <para>Every change of a word is one step, its linearization point, and so is every look-up. Words are 0 where a key is absent.</para>
/// <para>Locks, in the order in which they are taken: the latch of a chunk; the latch of a neighbour, which is tried only; the table's lock. Memory is taken outside of all
/// of them.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OrderedTable : IDisposable
{
    private readonly ChunkLayout _layout;
    private readonly TableChunks _chunks;
    private readonly ChunkRebalance _rebalance;

    /// <summary>Makes an empty table with a heap of its own.</summary>
    /// <param name="manager">Owner of the memory; <see cref="MemoryManager.Default"/> if null.</param>
    /// <param name="options">Options of the heap, which keys and chunks are part of.</param>
    /// <param name="keyLength">Bytes of every key, or null if they vary.</param>
    /// <param name="capacity">Cells of a chunk; null for as many as fit. Small under test.</param>
    /// <exception cref="ObjectDisposedException">The manager was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory of a chunk.</exception>
    public OrderedTable(MemoryManager? manager, SliceHeapOptions options, int? keyLength, int? capacity)
    {
        Heap = new SliceHeap(manager, options) { Owner = this };
        _layout = new ChunkLayout(keyLength, capacity);
        try
        {
            _chunks = new TableChunks(new ChunkIndex(new Chunk(_layout, Heap.ReservePlace(_layout.Length), low: [], high: null)), Heap.Name);
        }
        catch (OffHeapMemoryException)
        {
            Heap.Dispose();
            throw;
        }
        _rebalance = new ChunkRebalance(Heap, _layout, _chunks);
        Intervals = new OrderedIntervals(_chunks);
    }

    /// <summary>Makes an empty table that is part of a collection, whose memory it counts as: an ordered index. <see cref="Release"/> ends it, not <see cref="Dispose"/>.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="name">The name in messages.</param>
    /// <param name="keyLength">Bytes of every key, or null if they vary.</param>
    /// <param name="capacity">Cells of a chunk; null for as many as fit. Small under test.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory of a chunk.</exception>
    public OrderedTable(MemoryContext collection, string name, int? keyLength, int? capacity)
        : this(collection?.Manager, new SliceHeapOptions { Name = name, Collection = collection }, keyLength, capacity)
    {
    }

    private enum PutStep
    {
        Done,

        /// <summary>Other chunks have taken the place of the chunk.</summary>
        Frozen,

        /// <summary>The key is not there and needs a slice.</summary>
        KeyNeeded,

        /// <summary>The chunk has no cell left.</summary>
        Full,
    }

    /// <summary>The heap of keys and chunks. The caller may keep values in it.</summary>
    public SliceHeap Heap { get; }

    /// <summary>The number of keys. Exact when no thread writes; takes time by the number of chunks.</summary>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public long Count => Index.Chunks.Sum(static chunk => (long)chunk.Live);

    /// <summary>Bytes that the table has mapped: keys, chunks, what is free, and what waits for readers.</summary>
    public long MappedBytes => Heap.MappedBytes;

    /// <summary>What intervals of keys have.</summary>
    public OrderedIntervals Intervals { get; }

    internal TableChunks Chunks => _chunks;

    internal ChunkIndex Index => _chunks.Index;

    /// <summary>Finds the word of a key. O(log n); takes no latch and writes nothing.</summary>
    /// <returns>False if the key is absent.</returns>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public bool TryFind(ReadOnlySpan<byte> key, out ulong word)
    {
        using CriticalSection section = CriticalSection.Enter();
        Chunk chunk = _chunks.Find(key);
        int cell = chunk.Find(key, chunk.PrefixOf(key), out _);
        word = cell < 0 ? 0 : chunk.ValueOf(cell);
        return word != 0;
    }

    /// <summary>Sets the word of a key that is absent, or of any key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="word">The word, not 0.</param>
    /// <param name="replaces">True to set it also if the key is present.</param>
    /// <returns>The word that the key had; 0 if it was absent.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public ulong Put(ReadOnlySpan<byte> key, ulong word, bool replaces)
    {
        ChunkKey own = default;
        try
        {
            while (true)
            {
                PutStep step = TryPut(key, word, replaces, ref own, out Chunk chunk, out ulong before, out bool needsRebuild);
                switch (step)
                {
                    case PutStep.Done:
                        if (needsRebuild) _rebalance.TryRun(chunk);
                        return before;
                    case PutStep.KeyNeeded:
                        own = ChunkKey.Allocate(Heap, key);
                        break;
                    case PutStep.Full:
                        _rebalance.Run(chunk);
                        break;
                }
            }
        }
        finally
        {
            if (own.Word != 0) own.Free();
        }
    }

    /// <summary>Sets the word of a key that has another one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">The word that it has to have, not 0.</param>
    /// <param name="word">The word, not 0.</param>
    /// <returns>False, and nothing has changed, if it has not the expected word.</returns>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public bool TryReplace(ReadOnlySpan<byte> key, ulong expected, ulong word)
    {
        while (true)
        {
            using CriticalSection section = CriticalSection.Enter();
            Chunk chunk = EnterChunk(key, out ulong prefix);
            bool isFrozen = chunk.IsFrozen, isReplaced = false;
            if (!isFrozen && chunk.Find(key, prefix, out _) is >= 0 and int cell && chunk.ValueOf(cell) == expected)
            {
                chunk.Exchange(cell, word);
                isReplaced = true;
            }
            chunk.Latch.Exit();
            if (!isFrozen) return isReplaced;
        }
    }

    /// <summary>Removes a key.</summary>
    /// <returns>The word that it had; 0 if it was absent.</returns>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public ulong Remove(ReadOnlySpan<byte> key)
    {
        while (true)
        {
            if (!TryRemove(key, out Chunk chunk, out ulong word, out bool needsRebalance)) continue;
            if (needsRebalance) _rebalance.TryRun(chunk);
            return word;
        }
    }

    /// <summary>A cursor over the keys of a range.</summary>
    /// <param name="from">The lower bound; null for none.</param>
    /// <param name="to">The upper bound; null for none.</param>
    /// <param name="isDescending">True to begin with the highest key.</param>
    public OrderedCursor Scan(KeyBound? from, KeyBound? to, bool isDescending) => new(_chunks, from, to, isDescending);

    /// <summary>Deletes all slices of the heap and gives everything back two epochs later. Operations that are under way end as if they had been earlier, or throw.</summary>
    public void Dispose()
    {
        if (_chunks.TakeAll() is not { } chunks) return;
        Heap.Dispose();
        // Keys that late writers still add lie in these chunks, too: they are in sections that the release waits for.
        Heap.Garbage.Retire(new RetiredChunks(Heap, chunks, keys: null), chunks.Sum(static chunk => chunk.Place.SizeInBytes));
        Heap.Manager.Reclaimer.AdvanceTwice();
    }

    /// <summary>Ends a table that is part of a collection and gives its memory back: keys and chunks at once, their blocks when two epochs have passed.</summary>
    /// <safety>No thread is at the table any more, and none comes.</safety>
    public void Release()
    {
        if (_chunks.TakeAll() is not { } chunks) return;
        Heap.LeaveCollection();
        Heap.Dispose();
        foreach (Chunk chunk in chunks)
        {
            foreach (ChunkKey key in RetiredChunks.KeysOf(chunk)) key.Free();
            SlicePlaces.Abandon(chunk.Place);
        }
    }

    private PutStep TryPut(ReadOnlySpan<byte> key, ulong word, bool replaces, ref ChunkKey own, out Chunk chunk, out ulong before, out bool needsRebuild)
    {
        before = 0;
        needsRebuild = false;
        using CriticalSection section = CriticalSection.Enter();
        chunk = EnterChunk(key, out ulong prefix);
        PutStep step = PutStep.Done;
        if (chunk.IsFrozen)
        {
            step = PutStep.Frozen;
        }
        else if (chunk.Find(key, prefix, out ChunkGap gap) is >= 0 and int cell)
        {
            before = chunk.ValueOf(cell);
            if (before == 0 || replaces) chunk.Exchange(cell, word);
        }
        else if (own.Word == 0 && _layout.HasKeySlices)
        {
            step = PutStep.KeyNeeded;
        }
        else if (chunk.IsFull)
        {
            step = PutStep.Full;
        }
        else
        {
            chunk.Insert(prefix, key, own, word, gap);
            own = default;
            needsRebuild = chunk.NeedsRebuild;
        }
        chunk.Latch.Exit();
        return step;
    }

    private bool TryRemove(ReadOnlySpan<byte> key, out Chunk chunk, out ulong word, out bool needsRebalance)
    {
        word = 0;
        needsRebalance = false;
        using CriticalSection section = CriticalSection.Enter();
        chunk = EnterChunk(key, out ulong prefix);
        bool isDone = !chunk.IsFrozen;
        if (isDone && chunk.Find(key, prefix, out _) is >= 0 and int cell && chunk.ValueOf(cell) != 0)
        {
            word = chunk.Exchange(cell, 0);
            needsRebalance = chunk.NeedsRebuild || chunk.IsSmall;
        }
        chunk.Latch.Exit();
        return isDone;
    }

    /// <summary>Takes the latch of the chunk that a key belongs to, or belonged to if it is frozen.</summary>
    private Chunk EnterChunk(ReadOnlySpan<byte> key, out ulong prefix)
    {
        Chunk chunk = _chunks.Find(key);
        prefix = chunk.PrefixOf(key);
        chunk.Latch.Enter();
        return chunk;
    }
}
