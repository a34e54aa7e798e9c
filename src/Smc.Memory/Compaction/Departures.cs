using System.Collections.Concurrent;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Compaction;

/// <summary>Memory of a collection that nobody finds any more and that waits for readers: counted, so that a compaction can wait for it and the end of the collection comes last.</summary>
/// <remarks>
/// <code>
/// Retire --grace--> (references to it are repaired --grace-->) Release --between two steps of a compaction--> freed
/// </code>
/// Invariants: what was retired is counted until it is freed, under <see cref="HasRetired"/> or, while references to it are to be repaired, under
/// <see cref="HasUnrepaired"/>. Bytes are those of blocks that are mapped and in no list: old ones, and targets that no list shows yet. What cannot be freed leaks, and is not counted, so
/// that nobody waits for it.
/// </remarks>
/// <param name="reclaimer">Frees for the manager.</param>
/// <param name="gate">Tells whether a compaction is under way.</param>
internal sealed class Departures(Reclaimer reclaimer, CompactionGate gate)
{
    private readonly ConcurrentQueue<IFreedBetweenCompactions> _released = new();
    private int _retired;
    private int _unrepaired;
    private long _bytes;

    /// <summary>Bytes of blocks that are mapped and in no list.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Whether something waits for readers.</summary>
    public bool HasRetired => Volatile.Read(ref _retired) > 0;

    /// <summary>Whether references to something are still to be repaired.</summary>
    public bool HasUnrepaired => Volatile.Read(ref _unrepaired) > 0;

    /// <summary>True for the last that was retired: nothing else is left.</summary>
    public bool IsLast => Volatile.Read(ref _retired) <= 1 && !HasUnrepaired;

    public void AddBytes(long bytes) => Interlocked.Add(ref _bytes, bytes);

    /// <summary>Frees an item two epochs from now. It must be unreachable for readers that begin after this call.</summary>
    public void Retire(RetiredParts item)
    {
        Interlocked.Increment(ref _retired);
        reclaimer.Retire(item);
    }

    /// <summary>An item is freed.</summary>
    public void CountFreed() => Interlocked.Decrement(ref _retired);

    /// <summary>The first grace of an item has passed, and references to it are to be repaired.</summary>
    public void CountUnrepaired()
    {
        // In this order, so that the item is counted all the time.
        Interlocked.Increment(ref _unrepaired);
        Interlocked.Decrement(ref _retired);
    }

    /// <summary>No row refers to an item any more: it is freed two epochs from now.</summary>
    public void RetireRepaired(RetiredMemory item)
    {
        Interlocked.Increment(ref _retired);
        Interlocked.Decrement(ref _unrepaired);
        reclaimer.Retire(item);
    }

    /// <summary>
    /// No reader can have some memory any more. Freeing a block takes half a millisecond, which the compacting thread has; the thread that moved
    /// the epoch on, and is here, may be a user's.
    /// </summary>
    public void Release(IFreedBetweenCompactions memory)
    {
        _released.Enqueue(memory);
        // Into the queue, full fence, look at the mark; partner: the end of a compaction.
        Interlocked.MemoryBarrier();
        if (!gate.IsCompacting) FreeReleased();
    }

    /// <summary>Frees what was released.</summary>
    public void FreeReleased()
    {
        while (_released.TryDequeue(out IFreedBetweenCompactions? memory))
        {
            try
            {
                memory.Free();
            }
            finally
            {
                // What could not be freed leaks; those who wait for the others must not wait for it.
                CountFreed();
            }
        }
    }

    /// <summary>Waits until what left is freed: memory that nobody uses goes back although nobody may advance the epoch any more.</summary>
    /// <returns>False if some reader did not let that happen in time.</returns>
    public bool AwaitAll(in CompactionPatience patience)
    {
        EpochWait wait = new(reclaimer, patience);
        while (true)
        {
            FreeReleased();
            if (!HasRetired) return !patience.IsOver;
            if (!wait.TryWait(frees: true)) return false;
        }
    }
}
