using System.Collections.Concurrent;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Epochs;

/// <summary>
/// Who frees what was retired, and how much at a time. When something may be freed is not its matter: that is <see cref="IsDue"/>.
/// docs/decisions/0005-reclamation-seam.md says what other policies would look like.
/// </summary>
/// <remarks>Rows do not pass through here. They wait in their slots and are found there by the next allocation, one at a time.</remarks>
internal abstract class ReclamationPolicy
{
    /// <summary>Things that wait.</summary>
    public abstract int Count { get; }

    /// <summary>Takes something that is unreachable for readers that begin from now on, with its stamp set.</summary>
    public abstract void Add(RetiredParts item);

    /// <summary>Called by a thread that has just moved the epoch on. It may hold a lock of the program, none of this library.</summary>
    public abstract void EpochMoved();

    /// <summary>Called by a thread at the end of an operation that made garbage or took memory. It holds no lock of this library.</summary>
    public abstract void OperationDone();

    /// <summary>Frees everything that is due: for those who give memory back and want to see it gone.</summary>
    /// <param name="waits">False to leave to other threads what they are at; true for callers that need what is freed.</param>
    public abstract void Drain(bool waits);

    /// <summary>Frees up to <paramref name="pieces"/> pieces of what is due.</summary>
    /// <returns>False if nothing more is due.</returns>
    /// <safety>One caller at a time for a queue: only who holds its lock dequeues, so the head stays the head.</safety>
    protected static bool TryFree(ConcurrentQueue<RetiredParts> queue, ref int pieces)
    {
        // Stamps are nearly in order; one that is not delays what is behind it, never the other way round.
        if (!queue.TryPeek(out RetiredParts? head) || !IsDue(head)) return false;
        bool isDone = head.ReleaseSome(ref pieces);
        // Not done with pieces left: the rest is younger, and what is behind need not wait for it.
        if (isDone || pieces > 0) queue.TryDequeue(out _);
        if (!isDone && pieces > 0) queue.Enqueue(head);
        return true;
    }

    /// <summary>True when no reader can reach the item any more.</summary>
    private static bool IsDue(RetiredParts item) => Mutants.FreedBeforeItsTime || Epoch.HasPassed(item.Stamp);
}
