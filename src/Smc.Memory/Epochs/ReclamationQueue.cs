using System.Collections.Concurrent;

namespace Smc.Memory.Epochs;

/// <summary>Something that readers may still reach, to be freed when two epochs have passed.</summary>
internal abstract class Retired
{
    /// <summary>Epoch in which it became unreachable for new readers.</summary>
    public long Stamp { get; set; }

    /// <summary>Frees it. Runs once, with no lock of the library held but the queue's own.</summary>
    public abstract void Release();
}

/// <summary>
/// The reclamation policy: who frees what was retired, and how much at a time. This one is the simplest, batches freed by whoever
/// advances the epoch; another policy takes the place of this class.
/// </summary>
/// <remarks>Rows do not pass through here. They wait in their slots and are found there by the next allocation.</remarks>
internal static class ReclamationQueue
{
    private static readonly ConcurrentQueue<Retired> s_queue = new();
    private static readonly Lock s_drainLock = new();

    public static int Count => s_queue.Count;

    /// <summary>Retires in the current epoch. The item must be unreachable for readers that begin after this call.</summary>
    public static void Add(Retired item)
    {
        // A full fence between making it unreachable and reading the epoch; partner: the advance.
        Interlocked.MemoryBarrier();
        item.Stamp = GlobalEpoch.Now;
        s_queue.Enqueue(item);
    }

    /// <summary>Puts an item back whose oldest part was retired at <paramref name="stamp"/>.</summary>
    public static void Add(Retired item, long stamp)
    {
        item.Stamp = stamp;
        s_queue.Enqueue(item);
    }

    /// <summary>Frees what has waited long enough, unless another thread is at it.</summary>
    public static void Drain()
    {
        if (!s_drainLock.TryEnter()) return;
        try
        {
            // Stamps are nearly in order; one that is not delays what is behind it, never the other way round.
            while (s_queue.TryPeek(out Retired? head) && Epoch.HasPassed(head.Stamp) && s_queue.TryDequeue(out head)) head.Release();
        }
        finally
        {
            s_drainLock.Exit();
        }
    }
}
