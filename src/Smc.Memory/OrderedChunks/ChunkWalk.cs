namespace Smc.Memory.OrderedChunks;

/// <summary>Walks the cells of a chunk in ascending order: the chain before the first sorted cell, then every sorted cell and its chain.</summary>
/// <safety>The caller stays in the critical section in which it found the chunk.</safety>
internal struct ChunkWalk
{
    private readonly Chunk _chunk;
    private int _position;

    /// <summary>Begins before the first cell, or at a sorted one.</summary>
    public ChunkWalk(Chunk chunk, int position = -1)
    {
        _chunk = chunk;
        _position = position;
        Cell = position;
    }

    /// <summary>The cell; -1 before the first.</summary>
    public int Cell { get; private set; }

    public bool MoveNext()
    {
        int next = _chunk.Next(Cell);
        if (next == ChunkLayout.End)
        {
            if (_position + 1 >= _chunk.Sorted) return false;
            next = ++_position;
        }
        Cell = next;
        return true;
    }
}
