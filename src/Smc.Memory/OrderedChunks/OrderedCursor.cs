using System.Buffers;
using System.ComponentModel;
using Smc.Memory.Diagnostics;
using Smc.Memory.OrderedChunks;

namespace Smc.Memory;

/// <summary>Reads the keys of a range of an <see cref="OrderedTable"/> in order, in batches. Between calls it holds nothing but its place.</summary>
/// <remarks>
/// <para>Oak's guarantees (section 4.2): a key that is present from the beginning to the end of the scan is returned, one that is absent all the time is not, none is returned twice.
/// The place is a key, and every batch looks up the chunk that holds it anew: after a chunk, ascending, the one that holds its upper bound, and descending the one with the greatest
/// lower bound below its own. Chunks that were split, merged or written anew meanwhile change nothing about that. A batch comes from one chunk.</para>
/// <para>Used by one thread at a time, and disposed once.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OrderedCursor : IDisposable
{
    private const int FirstBatch = 16;
    private const int LargestBatch = 256;

    private readonly TableChunks _chunks;
    private readonly KeyBound? _last;
    private readonly bool _isDescending;

    // A batch: the words, where each key ends, and the keys one behind the other. Batches grow, so that a short range costs little.
    private ulong[] _words = new ulong[FirstBatch];
    private int[] _ends = new int[FirstBatch];
    private byte[] _keys = [];
    private int _count;
    private int _current = -1;

    // Keys from here on are still to be read; null for all.
    private KeyBound? _next;
    private bool _isAtEnd;

    internal OrderedCursor(TableChunks chunks, KeyBound? from, KeyBound? to, bool isDescending)
    {
        _chunks = chunks;
        _next = isDescending ? to : from;
        _last = isDescending ? from : to;
        _isDescending = isDescending;
        _isAtEnd = from is { } low && to is { } high && low.Key.AsSpan().SequenceCompareTo(high.Key) is var order && (order > 0 || (order == 0 && !(low.IsIncluded && high.IsIncluded)));
    }

    /// <summary>The key. Good until the next call.</summary>
    public ReadOnlySpan<byte> Key => _keys.AsSpan(StartOf(_current).._ends[_current]);

    /// <summary>The word of the key, as it was when its batch was read.</summary>
    public ulong Word => _words[_current];

    /// <summary>Goes to the next key.</summary>
    /// <returns>False if there is none.</returns>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public bool MoveNext()
    {
        if (++_current < _count) return true;
        if (_count == _words.Length && _count < LargestBatch)
        {
            _words = new ulong[2 * _count];
            _ends = new int[2 * _count];
        }
        _count = 0;
        _current = 0;
        while (_count == 0 && !_isAtEnd)
        {
            using CriticalSection section = CriticalSection.Enter();
            if (_isDescending) ReadDescending(_chunks.Index);
            else ReadAscending(_chunks.Index);
        }
        return _count > 0;
    }

    /// <summary>Gives the batch back.</summary>
    public void Dispose()
    {
        if (_keys.Length > 0) ArrayPool<byte>.Shared.Return(_keys);
        _keys = [];
        _count = 0;
        _isAtEnd = true;
    }

    private void ReadAscending(ChunkIndex index)
    {
        Chunk chunk = index.Find(_next is { } first ? first.Key : []);
        ProtocolSteps.Reach(ProtocolStep.ChunkFound);
        // The other end lies in this chunk, or all keys of the chunk are below it.
        KeyBound? last = _last is { } bound && (chunk.High is not { } high || bound.Key.AsSpan().SequenceCompareTo(high) < 0) ? bound : null;
        bool skips = _next is not null;
        ulong nextPrefix = skips ? chunk.PrefixOf(_next!.Value.Key) : 0;
        ulong lastPrefix = last is { } end ? chunk.PrefixOf(end.Key) : 0;
        int position = skips ? chunk.SortedAtOrBelow(_next!.Value.Key, nextPrefix) : -1;
        ChunkWalk walk = new(chunk, position);
        for (bool isAt = position >= 0 || walk.MoveNext(); isAt; isAt = walk.MoveNext())
        {
            if (skips && IsOutside(chunk.Compare(walk.Cell, _next!.Value.Key, nextPrefix), _next.Value)) continue;
            skips = false;
            if (last is { } to && IsOutside(-chunk.Compare(walk.Cell, to.Key, lastPrefix), to)) break;
            if (!TryTake(chunk, walk.Cell)) return;
        }
        if (last is not null || chunk.High is null) _isAtEnd = true;
        else _next = new KeyBound(chunk.High, IsIncluded: true);
    }

    private void ReadDescending(ChunkIndex index)
    {
        // Nothing is below the empty key.
        if (_next is { IsIncluded: false, Key.Length: 0 })
        {
            _isAtEnd = true;
            return;
        }
        Chunk chunk = _next is not { } first ? index.Last : first.IsIncluded ? index.Find(first.Key) : index.FindBelow(first.Key);
        ProtocolSteps.Reach(ProtocolStep.ChunkFound);
        KeyBound? last = _last is { } bound && bound.Key.AsSpan().SequenceCompareTo(chunk.Low) >= 0 ? bound : null;
        bool skips = _next is not null;
        ulong nextPrefix = skips ? chunk.PrefixOf(_next!.Value.Key) : 0;
        ulong lastPrefix = last is { } end ? chunk.PrefixOf(end.Key) : 0;
        int position = skips ? chunk.SortedAtOrBelow(_next!.Value.Key, nextPrefix) : chunk.Sorted - 1;
        for (ChunkDescent descent = new(chunk, position); descent.MoveNext();)
        {
            if (skips && IsOutside(-chunk.Compare(descent.Cell, _next!.Value.Key, nextPrefix), _next.Value)) continue;
            skips = false;
            if (last is { } from && IsOutside(chunk.Compare(descent.Cell, from.Key, lastPrefix), from)) break;
            if (!TryTake(chunk, descent.Cell)) return;
        }
        if (last is not null || chunk.Low.Length == 0) _isAtEnd = true;
        else _next = new KeyBound(chunk.Low, IsIncluded: false);
    }

    // order: below 0 if the key lies on the outer side of the bound.
    private static bool IsOutside(int order, KeyBound bound) => order < 0 || (order == 0 && !bound.IsIncluded);

    /// <returns>False if the batch is full: the cell is the first of the next one.</returns>
    private bool TryTake(Chunk chunk, int cell)
    {
        ulong word = chunk.ValueOf(cell);
        if (word == 0) return true;
        int start = StartOf(_count);
        if (_count == _words.Length)
        {
            _next = new KeyBound(_keys[StartOf(_count - 1)..start], IsIncluded: false);
            return false;
        }
        int end = start + chunk.LengthOf(cell);
        if (end > _keys.Length) Grow(start, end);
        chunk.CopyKey(cell, _keys.AsSpan(start..end));
        _words[_count] = word;
        _ends[_count++] = end;
        return true;
    }

    private int StartOf(int number) => number == 0 ? 0 : _ends[number - 1];

    private void Grow(int used, int wanted)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(wanted, 2 * _keys.Length));
        _keys.AsSpan(0, used).CopyTo(larger);
        if (_keys.Length > 0) ArrayPool<byte>.Shared.Return(_keys);
        _keys = larger;
    }
}
