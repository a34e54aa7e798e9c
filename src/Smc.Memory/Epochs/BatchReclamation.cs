using System.Collections.Concurrent;

namespace Smc.Memory.Epochs;

/// <summary>Whoever moves the epoch on frees everything that is due by then, as in the paper's section 3.4.</summary>
internal sealed class BatchReclamation : ReclamationPolicy
{
    private readonly ConcurrentQueue<RetiredParts> _queue = new();
    private readonly Lock _drainLock = new();

    public override int Count => _queue.Count;

    public override void Add(RetiredParts item) => _queue.Enqueue(item);

    public override void EpochMoved() => Drain(waits: false);

    public override void OperationDone()
    {
    }

    public override void Drain(bool waits)
    {
        if (waits) _drainLock.Enter();
        else if (!_drainLock.TryEnter()) return;
        try
        {
            int pieces = int.MaxValue;
            while (TryFree(_queue, ref pieces)) pieces = int.MaxValue;
        }
        finally
        {
            _drainLock.Exit();
        }
    }
}
