using Smc.Memory.Diagnostics;
using Smc.Memory.Slices;

namespace Smc.Memory.OrderedChunks;

/// <summary>Writes chunks anew: one that is full or in disorder, in one or two, and one that has few keys together with a neighbour.</summary>
/// <remarks>
/// Invariants: what is copied does not change meanwhile, because the latches of the chunks are held; they are frozen under these latches, so whoever waited for one looks for its chunk anew. Memory is
/// taken outside of all latches. The chunks that go, and keys that are in no other chunk, are freed two epochs later.
/// </remarks>
internal sealed class ChunkRebalance(SliceHeap heap, ChunkLayout layout, TableChunks chunks)
{
    /// <summary>As <see cref="Run"/>, after a change that has room without it: whoever changes the chunk next tries again if it fails.</summary>
    public void TryRun(Chunk chunk)
    {
        try
        {
            Run(chunk);
        }
        catch (Exception failure) when (failure is OffHeapMemoryException or ObjectDisposedException)
        {
            // Expected: see above.
        }
    }

    /// <summary>Writes a chunk anew, in one or two, together with a neighbour if it has few keys. Nothing happens if that was done meanwhile.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public void Run(Chunk chunk)
    {
        Stack<SlicePlace> places = [];
        try
        {
            // Memory is taken outside of latches, so how much is needed turns out afterwards.
            for (int wanted = 1; wanted > 0; wanted = Replace(chunk, places))
            {
                while (places.Count < wanted) places.Push(heap.ReservePlace(layout.Length));
            }
        }
        finally
        {
            while (places.TryPop(out SlicePlace unused)) SlicePlaces.Abandon(unused);
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
                if (!chunks.TryReplace(old, made))
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
        heap.Garbage.Retire(new RetiredChunks(heap, old, dropped), old.Sum(static one => one.Place.SizeInBytes));
        return 0;
    }

    // Two threads that try each other's latches go on without a merge.
    private Chunk? TakeNeighbour(Chunk chunk)
    {
        if (chunk.IsFrozen || !chunk.IsSmall || chunks.Neighbour(chunk) is not { } neighbour || !neighbour.Latch.TryEnter()) return null;
        // Neither is frozen, so both are in the index, side by side.
        if (!neighbour.IsFrozen) return neighbour;
        neighbour.Latch.Exit();
        return null;
    }

    private int PiecesFor(int live) => live <= layout.Capacity / 4 * 3 ? 1 : 2;

    /// <summary>Copies what is there to new chunks, in order. The keys that are not go to <paramref name="dropped"/>.</summary>
    private Chunk[] Write(Chunk[] old, int pieces, Stack<SlicePlace> places, List<ChunkKey> dropped)
    {
        int live = old.Sum(static one => one.Live);
        // Keys that come in ascending order go on behind the last one: the lower chunk stays nearly full.
        bool isAppended = old is [{ High: null, IsAppended: true }];
        int lower = pieces == 1 ? live : isAppended ? live - Math.Max(1, live / 16) : live / 2;
        byte[]? border = pieces == 1 ? null : KeyAt(old, lower);
        List<Chunk> made = [new Chunk(layout, places.Pop(), old[0].Low, border ?? old[^1].High)];
        foreach (Chunk one in old)
        {
            for (ChunkWalk walk = new(one); walk.MoveNext();)
            {
                int cell = walk.Cell;
                if (one.ValueOf(cell) == 0)
                {
                    if (layout.HasKeySlices) dropped.Add(one.SliceOf(cell));
                    continue;
                }
                if (made is [{ } first] && first.Live == lower && border is not null) made.Add(new Chunk(layout, places.Pop(), border, old[^1].High));
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
}
