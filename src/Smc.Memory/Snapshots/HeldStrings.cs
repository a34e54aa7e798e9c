using Smc.Memory.Blocks;

namespace Smc.Memory.Snapshots;

/// <summary>Chunks that no row of now holds, kept because a snapshot may read them.</summary>
internal sealed class HeldStrings
{
    private readonly Lock _lock = new();
    private readonly Queue<(ulong Word, long Clock)> _words = new();
    private long _bytes;

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
    public void Add(ulong word, long bytes)
    {
        lock (_lock)
        {
            _words.Enqueue((word, SnapshotState.Clock));
            _bytes += bytes;
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
