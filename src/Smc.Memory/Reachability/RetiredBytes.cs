using System.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Reachability;

/// <summary>The bytes of a manager's retired rows between the marks of its <see cref="RetireBudget"/>, and the scans that keep them there.</summary>
/// <remarks>
/// Invariants: the bytes of a row are reserved before it is hidden, and given back once: when it is removed by somebody else, or when a scan has removed it and no reader can be at it any more.
/// So they never pass the hard mark. One scan of a manager is queued at a time.
/// </remarks>
internal sealed class RetiredBytes(MemoryManager manager, RetireBudget budget)
{
    private long _bytes;
    private long _waiting;
    // Ever, so that a scan can tell what it left from what was retired meanwhile.
    private long _reclaimed;
    private long _scanAt = budget.SoftMark ?? long.MaxValue;
    private bool _isQueued;
    private long _scans;

    /// <summary>What is reserved now.</summary>
    public long Now => Volatile.Read(ref _bytes);

    // Without those that no scan can do anything about.
    private long Retired => Now - Volatile.Read(ref _waiting);

    /// <summary>Reserves the bytes of a row that is to be retired; waits for a scan at the hard mark.</summary>
    /// <exception cref="OffHeapMemoryException">No scan made room in time, or the caller is inside what a scan waits for.</exception>
    public void Reserve(long bytes)
    {
        if (!TryReserve(bytes)) AwaitRoom(bytes);
        QueueScanAboveMark();
    }

    /// <summary>The row was not retired, or was removed, but not by a scan.</summary>
    public void Release(long bytes) => Interlocked.Add(ref _bytes, -bytes);

    /// <summary>A scan has removed rows: their bytes are given back when no reader can be at them.</summary>
    public void ReleaseLater(long bytes)
    {
        if (bytes == 0) return;
        Interlocked.Add(ref _waiting, bytes);
        Interlocked.Add(ref _reclaimed, bytes);
        manager.Reclaimer.Retire(new Reclaimed(this, bytes));
    }

    private bool TryReserve(long bytes)
    {
        for (long now = Now; budget.HardMark is not { } mark || now + bytes <= mark;)
        {
            long found = Interlocked.CompareExchange(ref _bytes, now + bytes, now);
            if (found == now) return true;
            now = found;
        }
        return false;
    }

    private void AwaitRoom(long bytes)
    {
        bool isInside = Epoch.IsInsideSection || WriteWindow.IsInside;
        long start = Stopwatch.GetTimestamp(), scans = Volatile.Read(ref _scans);
        while (true)
        {
            // What waits may need no more than that somebody moves the epoch on.
            manager.Reclaimer.AdvanceTwice();
            if (TryReserve(bytes)) return;
            if (isInside || Stopwatch.GetElapsedTime(start) >= budget.HardMarkTimeout) throw Refuse(bytes, isInside, hasScanned: Volatile.Read(ref _scans) != scans);
            QueueScan();
            Thread.Sleep(1);
        }
    }

    private OffHeapMemoryException Refuse(long bytes, bool isInside, bool hasScanned)
    {
        string cause = isInside ? "This call is inside a critical section or a write group, for which a scan would wait: retire outside."
            : $"Waited {budget.HardMarkTimeout.TotalSeconds:0.###} s. {Cause(hasScanned)}";
        return new OffHeapMemoryException(
            $"{manager.Name}: {Now:N0} bytes of retired rows wait, {Volatile.Read(ref _waiting):N0} of them for readers, and {bytes:N0} more would pass the hard mark of {budget.HardMark:N0}. {cause} " +
            "The marks are RetireBudget's of MemoryManagerOptions.");
    }

    // More than one may hold it up: a reader keeps what scans have removed, and the next scan may not have ended.
    private string Cause(bool hasScanned)
    {
        string scan = hasScanned ? ""
            : ReachabilityScan.Scanned is not { } scanned ? "No scan has ended meanwhile. "
            : scanned == manager ? "The scan has not ended: it waits for write groups that are open, or reads references. "
            : $"The scan waits for that of manager '{scanned.Name}', which waits for write groups that are open, or reads references: one runs at a time in the process. ";
        string reader = Epoch.OldestReader is { } oldest ? $"The oldest reader is {oldest}."
            : hasScanned ? "Stored references lead to the rows." : "";
        return (scan + reader).TrimEnd();
    }

    private void QueueScanAboveMark()
    {
        if (Retired > Volatile.Read(ref _scanAt)) QueueScan();
    }

    private void QueueScan()
    {
        if (manager.IsDisposed || Interlocked.Exchange(ref _isQueued, true)) return;
        ThreadPool.UnsafeQueueUserWorkItem(static bytes => bytes.ScanOnPool(), this, preferLocal: false);
    }

    private void ScanOnPool()
    {
        long before = Retired, reclaimed = Volatile.Read(ref _reclaimed);
        try
        {
            ReachabilityScan.Run(manager, timeLimit: null, progress: null, CancellationToken.None);
        }
        catch (OutOfMemoryException)
        {
            // It would end the process. Rows that are retired later come back.
        }
        finally
        {
            Interlocked.Increment(ref _scans);
            // What it left is no reason for the next scan; what was retired since it began is.
            long left = before - (Volatile.Read(ref _reclaimed) - reclaimed);
            if (budget.SoftMark is { } mark) Volatile.Write(ref _scanAt, Math.Max(mark, 2 * left));
            Volatile.Write(ref _isQueued, false);
            QueueScanAboveMark();
        }
    }

    /// <summary>Rows that a scan has removed.</summary>
    private sealed class Reclaimed(RetiredBytes owner, long bytes) : Retired
    {
        public override void Release()
        {
            Interlocked.Add(ref owner._waiting, -bytes);
            owner.Release(bytes);
        }
    }
}
