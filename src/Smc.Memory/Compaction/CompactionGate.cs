using System.ComponentModel;
using Smc.Memory.Compaction;

namespace Smc.Memory;

/// <summary>Who may move rows or strings of a collection, and who has to know that somebody does.</summary>
/// <remarks>
/// Invariants: one thread at a time moves rows or strings, the one inside, so no row is frozen while its string words change. <see cref="IsCompacting"/> is true from before the
/// first row is frozen until the last group has moved or was given up. A scan renews its section only if it began while nobody was compacting, and
/// no row moves while there is such a scan. The gate is taken before every other lock, and not from inside a critical section.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CompactionGate
{
    private readonly PatientLock _lock = new();
    private bool _isCompacting;
    private int _renewingScans;

    internal CompactionGate()
    {
    }

    /// <summary>Written under the collection's lock by whoever is inside.</summary>
    internal bool IsCompacting
    {
        get => Volatile.Read(ref _isCompacting);
        set => Volatile.Write(ref _isCompacting, value);
    }

    /// <summary>Scans that renew their section now. Rows must not move while there are any.</summary>
    public int RenewingScans => Volatile.Read(ref _renewingScans);

    internal bool IsHeldByCurrentThread => _lock.IsHeldByCurrentThread;

    internal bool TryEnter() => _lock.TryEnter();

    /// <returns>False if patience ended before.</returns>
    internal bool TryEnter(in CompactionPatience patience) => _lock.TryEnter(patience);

    internal void Exit() => _lock.Exit();

    /// <summary>
    /// Asks, inside the section in which the scan took <see cref="MemoryContext.Blocks"/>, whether it may renew that section between two blocks and still
    /// see every row that stays exactly once. If so <see cref="EndRenewing"/> follows at the end of the scan. Blocks that hold no rows may
    /// leave meanwhile: after each renewal the scan looks whether its blocks are still in <see cref="MemoryContext.Blocks"/>.
    /// </summary>
    /// <returns>False while rows are being moved; the scan then stays in its one section, for whose end the compaction waits.</returns>
    public bool TryBeginRenewing()
    {
        // Store, full fence, load; partner: a compaction says that it is under way and then, after a fence, looks for renewing scans.
        Interlocked.Increment(ref _renewingScans);
        if (!IsCompacting) return true;
        EndRenewing();
        return false;
    }

    /// <summary>The scan is over.</summary>
    public void EndRenewing() => Interlocked.Decrement(ref _renewingScans);
}
