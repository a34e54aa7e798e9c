using System.Diagnostics;
using System.Numerics;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Reachability;

/// <summary>Finds the retired rows of a manager that no stored reference leads to, and removes them, while others read and write. docs/models/reachability.pml.</summary>
/// <remarks>
/// <code>
/// candidates   the rows that are retired now
/// SCANNING     wait for windows; references of all rows that are not retired mark candidates; the references of marked ones mark more
/// DECIDING     wait for windows; references of rows that were retired meanwhile mark, too; something to trace: back to SCANNING
/// CONDEMNED    if nobody took the decision back: candidates without a mark are removed
/// </code>
/// Invariants: R1, in CONDEMNED each candidate that a stored reference of a row that is not retired, a root or a marked row leads to is marked; R2, marks are only set,
/// and a candidate leaves the set only when its row dies; R3, a reference to a condemned row is not stored.
/// </remarks>
internal sealed class ReachabilityScan
{
    private static readonly SemaphoreSlim s_turn = new(1, 1);
    private static MemoryManager? s_scanned;

    private readonly MemoryManager _manager;
    private readonly MemoryContext[] _contexts;
    private readonly ScanPart[] _parts;
    private readonly IProgress<ScanProgress>? _progress;
    private readonly TimeSpan? _timeLimit;
    private readonly CancellationToken _cancellation;
    private readonly long _start;
    private readonly RowMarking _marking;
    private long _bytes;
    private long _bytesToScan;
    private long _candidates;
    private long _removed;
    private bool _findsDangling;
    private IReadOnlyDictionary<(MemoryContext Context, ReferenceColumn Column), long> _dangling = new Dictionary<(MemoryContext, ReferenceColumn), long>();

    private ReachabilityScan(MemoryManager manager, long start, TimeSpan? timeLimit, IProgress<ScanProgress>? progress, CancellationToken cancellation)
    {
        _start = start;
        _manager = manager;
        _contexts = manager.Contexts;
        _parts = [.. _contexts.Select((_, i) => new ScanPart(i, manager.Budget))];
        _marking = new RowMarking(manager, _contexts, IsOver);
        _timeLimit = timeLimit;
        _progress = progress;
        _cancellation = cancellation;
    }

    /// <summary>The manager whose scan has the turn; null if none has.</summary>
    public static MemoryManager? Scanned => Volatile.Read(ref s_scanned);

    private bool IsOver() => _cancellation.IsCancellationRequested || _timeLimit is { } limit && Stopwatch.GetElapsedTime(_start) > limit;

    /// <summary>Runs one scan. One runs at a time in the process; others wait for their turn.</summary>
    public static ScanResult Run(MemoryManager manager, TimeSpan? timeLimit, IProgress<ScanProgress>? progress, CancellationToken cancellation)
    {
        if (Epoch.IsInsideSection || WriteWindow.IsInside)
            throw new InvalidOperationException("CollectRetired waits for write groups to end; it cannot be called inside one, nor inside a critical section.");
        if (timeLimit < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(timeLimit), timeLimit, "The time limit is negative. Leave it out for none.");
        long start = Stopwatch.GetTimestamp();
        int patience = timeLimit is { } limit ? (int)Math.Clamp(limit.TotalMilliseconds, 0, int.MaxValue) : Timeout.Infinite;
        if (!s_turn.Wait(patience, cancellation)) return new ScanResult(0, 0, 0, Stopwatch.GetElapsedTime(start), IsComplete: false);
        try
        {
            Volatile.Write(ref s_scanned, manager);
            return new ReachabilityScan(manager, start, timeLimit, progress, cancellation).Run();
        }
        finally
        {
            PassTurn();
        }
    }

    /// <summary>Reads all references as a scan does, and reclaims nothing.</summary>
    public static ReferenceReport Verify(MemoryManager manager, IProgress<ScanProgress>? progress, CancellationToken cancellation)
    {
        s_turn.Wait(cancellation);
        try
        {
            Volatile.Write(ref s_scanned, manager);
            return new ReachabilityScan(manager, Stopwatch.GetTimestamp(), null, progress, cancellation) { _findsDangling = true }.Verify();
        }
        finally
        {
            PassTurn();
        }
    }

    private static void PassTurn()
    {
        Volatile.Write(ref s_scanned, null);
        s_turn.Release();
    }

    private ScanResult Run()
    {
        bool isComplete = true;
        if (Array.Exists(_contexts, static context => context.RetiredRows > 0))
        {
            try
            {
                isComplete = TryDecide(condemns: true);
                if (isComplete) RemoveCondemned();
            }
            finally
            {
                End();
            }
        }
        return new ScanResult(_candidates, _removed, _bytes, Stopwatch.GetElapsedTime(_start), isComplete);
    }

    private ReferenceReport Verify()
    {
        Region region = new(_manager);
        try
        {
            if (!TryDecide(condemns: false)) _cancellation.ThrowIfCancellationRequested();
            OrphanNumbers orphans = OrphanNumbers.Of(_contexts, ref region);
            long cyclic = CountCyclic(orphans, ref region);
            DanglingColumn[] dangling = [.. _dangling.Select(static found => new DanglingColumn(found.Key.Context.Name, found.Key.Column.Name, found.Value))];
            return new ReferenceReport(dangling, orphans.Count, cyclic, _bytes);
        }
        finally
        {
            region.Dispose();
            End();
        }
    }

    private long CountCyclic(OrphanNumbers orphans, ref Region region)
    {
        try
        {
            return ReferenceCycles.Count(orphans, ref region, _cancellation);
        }
        catch (OffHeapMemoryException refused)
        {
            throw new OffHeapMemoryException(
                $"{_manager.Name}: to find the cycles among {orphans.Count:N0} retired rows that no stored reference leads to takes {ReferenceCycles.BytesFor(orphans):N0} bytes. {refused.Message} CollectRetired reclaims these rows without looking for cycles.");
        }
    }

    /// <summary>Marks what stored references lead to.</summary>
    /// <param name="condemns">Whether rows without a mark cannot be stored any more when this returns true.</param>
    /// <returns>False if it ended early.</returns>
    private bool TryDecide(bool condemns)
    {
        TakeCandidates();
        SnapshotState.BeginScan();
        ReferenceBarrier.Set(ScanPhase.Scanning);
        // A window that is open now may have seen IDLE: its stores are done before the references are read; partner: WriteWindow opens, then looks at the state.
        if (!SnapshotState.HaveWindowsEnded(waits: true, IsOver)) return false;
        ProtocolSteps.Reach(ProtocolStep.ScanBegun);
        if (!TryPass()) return false;
        while (!IsOver())
        {
            _marking.Trace();
            ReferenceBarrier.Set(ScanPhase.Deciding);
            // A window that is open now may have seen SCANNING, and marks; later ones take the decision back first.
            if (!SnapshotState.HaveWindowsEnded(waits: true, IsOver)) return false;
            ProtocolSteps.Reach(ProtocolStep.ScanDeciding);
            // After the wait: a row that was retired by a window of before the scan may have been written by another.
            _marking.MarkFromRowsRetiredSince(_manager.Contexts);
            if (_marking.HasGrey)
            {
                ReferenceBarrier.Set(ScanPhase.Scanning);
            }
            else if (!condemns)
            {
                if (ReferenceBarrier.Phase == ScanPhase.Deciding) return true;
            }
            else if (ReferenceBarrier.TryMove(ScanPhase.Deciding, ScanPhase.Condemned))
            {
                ReferenceBarrier.CountVerdict();
                ProtocolSteps.Reach(ProtocolStep.ScanCondemned);
                return true;
            }
        }
        return false;
    }

    private void TakeCandidates()
    {
        foreach (ScanPart part in _parts)
        {
            _contexts[part.Number].Retired.BeginScan(part);
            _candidates += part.Candidates.Count;
        }
    }

    private void End()
    {
        ReferenceBarrier.Set(ScanPhase.Idle);
        SnapshotState.EndScan();
        foreach (MemoryContext context in _contexts) context.Retired.EndScan();
        // After all else: a collection that was disposed meanwhile has lost its part, and the charge is taken back here all the same.
        foreach (ScanPart part in _parts) part.Release();
    }

    private bool TryPass()
    {
        // Again: a collection that was made since the windows were waited for gets its references through the barrier.
        MemoryContext[] contexts = _manager.Contexts;
        foreach (MemoryContext context in contexts) _bytesToScan += context.Count * context.References.Length * sizeof(ulong);
        foreach (ulong root in _manager.Roots.All) _marking.MarkRoot(root);
        if (!Array.TrueForAll(_manager.Roots.Tables, _marking.TryMarkRoots)) return false;
        ReferencePass pass = new(contexts, MakeFilters(), _findsDangling, IsOver);
        bool isWhole = pass.TryRun(_manager.Options.Retired.DegreeOfParallelism, _progress is null ? null : () => Report(pass.Bytes));
        _bytes = pass.Bytes;
        _dangling = pass.Dangling;
        return isWhole;
    }

    private void Report(long bytes) => _progress!.Report(new ScanProgress(bytes, Math.Max(bytes, _bytesToScan), 0));

    private CandidateFilter[] MakeFilters()
    {
        List<CandidateFilter> filters = [];
        foreach (MemoryContext context in _contexts)
        {
            if (context.Retired.Scan?.TryMakeFilter(context) is { } filter) filters.Add(filter);
        }
        return [.. filters];
    }

    private void RemoveCondemned()
    {
        foreach (MemoryContext context in _contexts)
        {
            if (context.Retired.Scan is not { } part) continue;
            long bytes = 0;
            for (int word = 0; word < part.Candidates.WordLimit; word++)
            {
                ulong condemned = part.Candidates.Word(word) & ~part.Marked.Word(word);
                if (condemned == 0) continue;
                using CriticalSection section = CriticalSection.Enter();
                for (; condemned != 0; condemned &= condemned - 1)
                {
                    if (context.Retirement.Reclaim(part, (uint)((word * 64) + BitOperations.TrailingZeroCount(condemned))) is not (> 0 and int row)) continue;
                    bytes += row;
                    _removed++;
                }
            }
            _manager.RetiredRowBytes.ReleaseLater(bytes);
            _progress?.Report(new ScanProgress(_bytes, _bytes, _removed));
        }
        _manager.Reclaimer.AdvanceTwice();
    }
}
