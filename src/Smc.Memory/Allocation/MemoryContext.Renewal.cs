namespace Smc.Memory;

/// <content>Scans that leave and enter their section between blocks.</content>
public sealed partial class MemoryContext
{
    private int _renewingScans;

    /// <summary>Scans that renew their section now. Rows must not move while there are any.</summary>
    public int RenewingScans => Volatile.Read(ref _renewingScans);

    /// <summary>
    /// Asks, inside the section in which the scan took <see cref="Blocks"/>, whether it may renew that section between two blocks and still
    /// see every row that stays exactly once. If so <see cref="EndRenewing"/> follows at the end of the scan. Blocks that hold no rows may
    /// leave meanwhile: after each renewal the scan looks whether its blocks are still in <see cref="Blocks"/>.
    /// </summary>
    /// <returns>False while rows are being moved; the scan then stays in its one section, for whose end the compaction waits.</returns>
    public bool TryBeginRenewing()
    {
        // Store, full fence, load; partner: a compaction says that it is under way and then, after a fence, looks for renewing scans.
        Interlocked.Increment(ref _renewingScans);
        if (!IsCompacting) return true;
        Interlocked.Decrement(ref _renewingScans);
        return false;
    }

    /// <summary>The scan is over.</summary>
    public void EndRenewing() => Interlocked.Decrement(ref _renewingScans);
}
