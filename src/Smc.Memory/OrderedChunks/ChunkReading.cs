namespace Smc.Memory.OrderedChunks;

/// <summary>Walks the cells of a chunk that lie in an interval, in ascending order.</summary>
/// <safety>The caller stays in the critical section in which it found the chunk.</safety>
internal ref struct ChunkReading
{
    private readonly Chunk _chunk;
    private readonly KeyInterval _interval;
    private readonly ulong _fromPrefix;
    private readonly ulong _toPrefix;
    private readonly bool _hasEnd;
    private ChunkWalk _walk;
    private bool _skips;
    private bool _isAt;

    public ChunkReading(Chunk chunk, KeyInterval interval)
    {
        _chunk = chunk;
        _interval = interval;
        // Keys outside of the bounds have no prefix in the chunk.
        _skips = interval.From.SequenceCompareTo(chunk.Low) > 0;
        _hasEnd = !interval.IsEndless && (chunk.High is not { } high || interval.To.SequenceCompareTo(high) < 0);
        _fromPrefix = _skips ? chunk.PrefixOf(interval.From) : 0;
        _toPrefix = _hasEnd ? chunk.PrefixOf(interval.To) : 0;
        int position = _skips ? chunk.SortedAtOrBelow(interval.From, _fromPrefix) : -1;
        _walk = new ChunkWalk(chunk, position);
        _isAt = position >= 0;
    }

    /// <summary>The word of the cell; 0 if its key is not in the table.</summary>
    public ulong Word { get; private set; }

    public bool MoveNext()
    {
        // The walk begins at the sorted cell that is not above the lower end.
        for (bool isThere = _isAt || _walk.MoveNext(); isThere; isThere = _walk.MoveNext())
        {
            _isAt = false;
            if (_skips && _chunk.Compare(_walk.Cell, _interval.From, _fromPrefix) < 0) continue;
            _skips = false;
            if (_hasEnd && _chunk.Compare(_walk.Cell, _interval.To, _toPrefix) >= 0) return false;
            Word = _chunk.ValueOf(_walk.Cell);
            return true;
        }
        return false;
    }
}
