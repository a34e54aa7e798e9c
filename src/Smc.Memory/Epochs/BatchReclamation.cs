using System.Collections.Concurrent;

namespace Smc.Memory.Epochs;

/// <summary>Whoever moves the epoch on frees everything that is due by then, as in the paper's section 3.4.</summary>
internal sealed class BatchReclamation : ReclamationPolicy
{
    private readonly ConcurrentQueue<Retired> _queue = new();
    private readonly Lock _drainLock = new();

    public override int Count => _queue.Count;

    public override void Add(Retired item) => _queue.Enqueue(item);

    public override void EpochMoved() => Drain();

    public override void OperationDone()
    {
    }

    /// <summary>Frees what is due, unless another thread is at it.</summary>
    public override void Drain()
    {
        if (!_drainLock.TryEnter()) return;
        try
        {
            // Stamps are nearly in order; one that is not delays what is behind it, never the other way round.
            while (_queue.TryPeek(out Retired? head) && IsDue(head) && _queue.TryDequeue(out head)) head.Release();
        }
        finally
        {
            _drainLock.Exit();
        }
    }
}
