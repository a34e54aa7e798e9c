namespace Smc.Memory.OrderedChunks;

/// <summary>
/// Walks the cells of a chunk in descending order: chains are linked upwards, so each is put on a stack before the sorted cell that begins it. (Oak, section 4.2 and figure 2.)
/// </summary>
/// <safety>The caller stays in the critical section in which it found the chunk.</safety>
internal ref struct ChunkDescent
{
    [ThreadStatic]
    private static ushort[]? t_stack;

    private readonly Chunk _chunk;
    private readonly ushort[] _stack;
    private int _stacked;
    private int _position;

    /// <summary>Begins above all cells in the chain of a sorted one, or of the place before the first, which is -1.</summary>
    public ChunkDescent(Chunk chunk, int position)
    {
        _chunk = chunk;
        _stack = t_stack is { } kept && kept.Length >= chunk.Capacity ? kept : t_stack = new ushort[chunk.Capacity];
        _position = position;
        Cell = -1;
        StackChain();
    }

    /// <summary>The cell.</summary>
    public int Cell { get; private set; }

    public bool MoveNext()
    {
        if (_stacked > 0)
        {
            Cell = _stack[--_stacked];
            return true;
        }
        if (_position < 0) return false;
        Cell = _position--;
        StackChain();
        return true;
    }

    private void StackChain()
    {
        for (int cell = _chunk.Next(_position); cell != ChunkLayout.End; cell = _chunk.Next(cell)) _stack[_stacked++] = (ushort)cell;
    }
}
