using Smc.Memory.Blocks;

namespace Smc.Memory.Snapshots;

/// <summary>Chunks that no row of now holds, kept because a snapshot may read them.</summary>
internal sealed class HeldStrings
{
    private readonly Lock _lock = new();
    private readonly Queue<(ulong Word, long Clock)> _words = new();
    private long _bytes;
    private bool _isHolding;

    /// <summary>Whether chunks are kept. Once it is false none comes any more: those that are kept are the ones to release.</summary>
    public bool IsHolding
    {
        get => Volatile.Read(ref _isHolding);
        set
        {
            lock (_lock) Volatile.Write(ref _isHolding, value);
        }
    }

    /// <summary>Bytes of the chunks.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>How many they are.</summary>
    public int Count
    {
        get
        {
            lock (_lock) return _words.Count;
        }
    }

    /// <summary>Keeps a chunk.</summary>
    /// <returns>False if none are kept any more.</returns>
    public bool TryAdd(ulong word, long bytes)
    {
        lock (_lock)
        {
            if (!_isHolding) return false;
            _words.Enqueue((word, SnapshotState.Clock));
            _bytes += bytes;
            return true;
        }
    }

    /// <summary>Takes out a chunk that no snapshot from <paramref name="oldest"/> on can read.</summary>
    public bool TryTake(long oldest, Func<ulong, long> bytesOf, out ulong word)
    {
        lock (_lock)
        {
            word = 0;
            if (!_words.TryPeek(out (ulong Word, long Clock) held) || held.Clock >= oldest) return false;
            _words.Dequeue();
            _bytes -= bytesOf(held.Word);
            word = held.Word;
            return true;
        }
    }
}
