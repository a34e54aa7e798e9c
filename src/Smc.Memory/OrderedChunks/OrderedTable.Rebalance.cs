using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.OrderedChunks;
using Smc.Memory.Reclamation;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <content>Chunks written anew, split, merged, and the end of the table.</content>
public sealed partial class OrderedTable
{
    /// <summary>Deletes all slices of the heap and gives everything back two epochs later. Operations that are under way end as if they had been earlier, or throw.</summary>
    public void Dispose()
    {
        ChunkIndex? last;
        lock (_lock)
        {
            last = _index;
            Volatile.Write(ref _index, null);
        }
        if (last is null) return;
        Heap.Dispose();
        Chunk[] chunks = [.. last.Chunks];
        // Keys that late writers still add lie in these chunks, too: they are in sections that the release waits for.
        Heap.Retire(new RetiredChunks(Heap, chunks, keys: null), chunks.Sum(static chunk => chunk.Place.SizeInBytes));
        Heap.Manager.Reclaimer.AdvanceTwice();
    }

    /// <summary>Ends a table that is part of a collection and gives its memory back: keys and chunks at once, their blocks when two epochs have passed.</summary>
    /// <safety>No thread is at the table any more, and none comes.</safety>
    public void Release()
    {
        ChunkIndex? last;
        lock (_lock)
        {
            last = _index;
            Volatile.Write(ref _index, null);
        }
        if (last is null) return;
        Heap.LeaveCollection();
        Heap.Dispose();
        foreach (Chunk chunk in last.Chunks)
        {
            foreach (ChunkKey key in RetiredChunks.KeysOf(chunk)) key.Free();
            SliceHeap.AbandonPlace(chunk.Place);
        }
    }

    // The change itself is done; whoever changes the chunk next tries again.
    private void TryRebalance(Chunk chunk)
    {
        try
        {
            Rebalance(chunk);
        }
        catch (Exception failure) when (failure is OffHeapMemoryException or ObjectDisposedException)
        {
            // Expected: see above.
        }
    }

    /// <summary>Writes a chunk anew, in one or two, together with a neighbour if it has few keys. Nothing happens if that was done meanwhile.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    private void Rebalance(Chunk chunk)
    {
        Stack<SlicePlace> places = [];
        try
        {
            // Memory is taken outside of latches, so how much is needed turns out afterwards.
            for (int wanted = 1; wanted > 0; wanted = Replace(chunk, places))
            {
                while (places.Count < wanted) places.Push(Heap.ReservePlace(_layout.Length));
            }
        }
        finally
        {
            while (places.TryPop(out SlicePlace unused)) SliceHeap.AbandonPlace(unused);
        }
    }

    /// <returns>0 if nothing is left to do, else the number of places that are needed.</returns>
    private int Replace(Chunk chunk, Stack<SlicePlace> places)
    {
        Chunk[]? old = null;
        List<ChunkKey> dropped = [];
        int wanted;
        using (CriticalSection.Enter())
        {
            chunk.Latch.Enter();
            Chunk? neighbour = TakeNeighbour(chunk);
            try
            {
                if (chunk.IsFrozen || (neighbour is null && !chunk.NeedsRebuild)) return 0;
                old = neighbour is null ? [chunk] : chunk.High is null ? [neighbour, chunk] : [chunk, neighbour];
                wanted = PiecesFor(old.Sum(static one => one.Live));
                if (places.Count < wanted) return wanted;
                Chunk[] made = Write(old, wanted, places, dropped);
                if (!TryShow(old, made))
                {
                    foreach (Chunk one in made) places.Push(one.Place);
                    return 0;
                }
                // Who waits for a latch finds this, and looks for the chunk anew.
                foreach (Chunk one in old) one.IsFrozen = true;
            }
            finally
            {
                neighbour?.Latch.Exit();
                chunk.Latch.Exit();
            }
        }
        Heap.Retire(new RetiredChunks(Heap, old, dropped), old.Sum(static one => one.Place.SizeInBytes));
        return 0;
    }

    // Two threads that try each other's latches go on without a merge.
    private Chunk? TakeNeighbour(Chunk chunk)
    {
        if (chunk.IsFrozen || !chunk.IsSmall || Volatile.Read(ref _index)?.Neighbour(chunk) is not { } neighbour || !neighbour.Latch.TryEnter()) return null;
        // Neither is frozen, so both are in the index, side by side.
        if (!neighbour.IsFrozen) return neighbour;
        neighbour.Latch.Exit();
        return null;
    }

    private int PiecesFor(int live) => live <= _layout.Capacity / 4 * 3 ? 1 : 2;

    /// <summary>Copies what is there to new chunks, in order. The keys that are not go to <paramref name="dropped"/>.</summary>
    private Chunk[] Write(Chunk[] old, int pieces, Stack<SlicePlace> places, List<ChunkKey> dropped)
    {
        int live = old.Sum(static one => one.Live);
        // Keys that come in ascending order go on behind the last one: the lower chunk stays nearly full.
        bool isAppended = old is [{ High: null, IsAppended: true }];
        int lower = pieces == 1 ? live : isAppended ? live - Math.Max(1, live / 16) : live / 2;
        byte[]? border = pieces == 1 ? null : KeyAt(old, lower);
        List<Chunk> made = [new Chunk(_layout, places.Pop(), old[0].Low, border ?? old[^1].High)];
        foreach (Chunk one in old)
        {
            for (ChunkWalk walk = new(one); walk.MoveNext();)
            {
                int cell = walk.Cell;
                if (one.ValueOf(cell) == 0)
                {
                    if (!_layout.IsPrefixWhole) dropped.Add(one.KeyOf(cell));
                    continue;
                }
                if (made is [{ } first] && first.Live == lower && border is not null) made.Add(new Chunk(_layout, places.Pop(), border, old[^1].High));
                made[^1].Append(one, cell);
            }
        }
        return [.. made];
    }

    private static byte[] KeyAt(Chunk[] old, int number)
    {
        foreach (Chunk one in old)
        {
            for (ChunkWalk walk = new(one); walk.MoveNext();)
            {
                if (one.ValueOf(walk.Cell) == 0 || number-- > 0) continue;
                byte[] key = new byte[one.LengthOf(walk.Cell)];
                one.CopyKey(walk.Cell, key);
                return key;
            }
        }
        throw new InvariantViolatedException("A chunk has fewer keys than it counts.");
    }

    private bool TryShow(Chunk[] old, Chunk[] made)
    {
        lock (_lock)
        {
            if (_index is not { } index) return false;
            // Release: the cells of the new chunks come before; partner: Index.
            Volatile.Write(ref _index, index.Replace(old, made));
            return true;
        }
    }

    /// <summary>Chunks that others took the place of, and the keys that were not copied; with <c>null</c> all keys of these chunks.</summary>
    private sealed class RetiredChunks(SliceHeap heap, Chunk[] chunks, List<ChunkKey>? keys) : Retired
    {
        public override void Release()
        {
            foreach (ChunkKey key in keys ?? chunks.SelectMany(KeysOf)) key.Free();
            long bytes = chunks.Sum(static chunk => chunk.Place.SizeInBytes);
            foreach (Chunk chunk in chunks) SliceHeap.AbandonPlace(chunk.Place);
            heap.NoteReleased(bytes);
        }

        public static IEnumerable<ChunkKey> KeysOf(Chunk chunk)
        {
            for (ChunkWalk walk = new(chunk); walk.MoveNext();)
            {
                if (chunk.KeyOf(walk.Cell) is { Word: not 0 } key) yield return key;
            }
        }
    }
}
