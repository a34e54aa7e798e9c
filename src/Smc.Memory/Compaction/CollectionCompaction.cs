using System.ComponentModel;
using Smc.Memory.Compaction;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>Compactions of one collection, one after the other: codes of changed values, rows of sparse blocks, entries, strings. docs/compaction.md.</summary>
/// <remarks>
/// Invariants: one thread is inside the gate. Rows stay in their slots while a snapshot is open. What was released meanwhile is freed by the compacting thread, or by its last act. A collection that is
/// disposed meanwhile leaves its memory to the compaction, which retires it when it ends.
/// The collection is named to the events that a compaction reports; nothing is called on it. Without packing entries stay where they are.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CollectionCompaction
{
    private readonly MemoryContext _collection;
    private readonly CollectionLife _life;
    private readonly CompactionGate _gate;
    private readonly CodeRewriting _codes;
    private readonly GroupFormation _formation;
    private readonly EmptyBlocks _emptyBlocks;
    private readonly EntryTable _entries;
    private readonly EntryPacking? _packing;
    private readonly StringCompaction _strings;
    private readonly Departures _departures;
    private readonly ReferrersToRows _referrers;
    private readonly SnapshotMarks _snapshots;
    private readonly Reclaimer _reclaimer;
    private readonly double _occupancy;

    internal CollectionCompaction(MemoryContext collection, CollectionLife life, CompactionGate gate, CodeRewriting codes, GroupFormation formation, EmptyBlocks emptyBlocks, EntryTable entries, EntryPacking? packing, StringCompaction strings, Departures departures, ReferrersToRows referrers, SnapshotMarks snapshots, Reclaimer reclaimer, double occupancy)
    {
        _collection = collection;
        _life = life;
        _gate = gate;
        _codes = codes;
        _formation = formation;
        _emptyBlocks = emptyBlocks;
        _entries = entries;
        _packing = packing;
        _strings = strings;
        _departures = departures;
        _referrers = referrers;
        _snapshots = snapshots;
        _reclaimer = reclaimer;
        _occupancy = occupancy;
    }

    private RetiredMemory? _rest;

    /// <summary>
    /// Writes the codes of values anew that were set, moves the rows of sparse blocks together and gives back the blocks that are empty then, while others read, write, add and remove.
    /// See docs/compaction.md.
    /// </summary>
    /// <remarks>
    /// Readers never wait for it, writers while their row is being moved; a scan that arrives while a group of blocks is on the move moves
    /// what is left of it, some 40 ns a row. While codes are written, writers wait for some 100 microseconds at a time. It waits itself for the critical sections that began before it. O(rows in sparse blocks), and O(rows) where values
    /// were set.
    /// </remarks>
    /// <param name="options">What counts as sparse, and when to give up; the defaults if null.</param>
    /// <param name="cancellationToken">Ends the compaction early; that is no error, see <see cref="CompactionResult.IsComplete"/>.</param>
    /// <returns>What was done. Whatever that is, the collection is whole.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section, which the compaction would wait for.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <exception cref="OffHeapMemoryException">There is no memory for one block to move rows to. What was done before stays.</exception>
    public CompactionResult Run(CompactionOptions? options = null, CancellationToken cancellationToken = default) => Compact(options ?? new CompactionOptions(), writesCodes: true, cancellationToken);

    private CompactionResult Compact(CompactionOptions options, bool writesCodes, CancellationToken cancellationToken)
    {
        CompactionOptions.Validate(options);
        _life.ThrowIfDisposed();
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Compact waits for critical sections to end; it cannot be called inside one.");
        if (_snapshots.IsSnapshotted) return default;
        CompactionPatience patience = new(options.TimeLimit, _life, cancellationToken);
        if (!_gate.TryEnter(patience)) return default;
        _referrers.BeginRepairs();
        try
        {
            long codes = 0;
            bool areKnown = !writesCodes || TryRewriteCodes(patience, out codes);
            CompactionResult result = RunInside(options, patience);
            return result with { CodesWritten = codes, IsComplete = result.IsComplete && areKnown };
        }
        finally
        {
            _gate.Exit();
            _referrers.FinishRepairs(patience);
        }
    }

    /// <summary>Writes the codes of changed values anew.</summary>
    /// <returns>False if it should be tried again.</returns>
    internal bool TryRewriteInBackground(TimeSpan limit)
    {
        if (_life.IsDisposed) return true;
        CompactionPatience patience = new(limit, _life, CancellationToken.None);
        if (_snapshots.IsSnapshotted || !_gate.TryEnter(patience)) return false;
        try
        {
            return TryRewriteCodes(patience, out _);
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Compacts as the collection's options say.</summary>
    /// <returns>False if it should be tried again.</returns>
    internal bool TryRunInBackground(TimeSpan patience)
    {
        try
        {
            // Codes are asked for by themselves: they wait for all windows at once, and rows for none.
            return Compact(new CompactionOptions { Occupancy = _occupancy, TimeLimit = patience, IncludeActive = false }, writesCodes: false, CancellationToken.None).IsComplete;
        }
        catch (OutOfMemoryException)
        {
            // Off the heap or on it.
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    /// <summary>Leaves the memory of a collection that was disposed to the compaction that is at work on it. Under the collection's lock.</summary>
    /// <returns>False if there is none: the memory is the caller's to retire.</returns>
    internal bool TryLeaveRest(RetiredMemory rest)
    {
        _rest = rest;
        return _gate.IsCompacting;
    }

    private bool TryRewriteCodes(in CompactionPatience patience, out long codes)
    {
        bool areKnown = _codes.TryRun(patience, out codes);
        CompactionTelemetry.CodesWritten(_collection, codes);
        return areKnown;
    }

    private CompactionResult RunInside(CompactionOptions options, CompactionPatience patience)
    {
        lock (_life.Lock)
        {
            _life.ThrowIfDisposed();
            _gate.IsCompacting = true;
            _entries.Packed.IsPinned = true;
        }
        CompactionTally tally = new(_collection);
        try
        {
            tally.CountEmptyBlocks(_emptyBlocks.Retire(includeUnused: false, options.IncludeActive));
            bool goesOn = true;
            while (goesOn && !patience.IsOver && !_snapshots.IsSnapshotted)
            {
                _departures.FreeReleased();
                CompactionGroup[] groups = _formation.Form(options);
                tally.IsComplete = groups.Length == 0 && !_life.IsDisposed;
                goesOn = groups.Length > 0 && new Compactor(_formation, groups, options, patience, tally, _reclaimer).Run();
            }
            // With the blocks go the strings of the rows that died in them, which leaves holes in the string heap.
            if (!_snapshots.IsSnapshotted && _departures.AwaitAll(patience))
            {
                _packing?.Pack(options, patience);
                tally.IsComplete &= _strings.CompactInside(patience.Cancellation).IsComplete;
                _departures.AwaitAll(patience);
            }
            return tally.Result;
        }
        catch (ObjectDisposedException) when (_life.IsDisposed)
        {
            // Between two looks at the mark.
            tally.IsComplete = false;
            return tally.Result;
        }
        finally
        {
            End();
            _reclaimer.AdvanceTwice();
            tally.Report(patience.Elapsed);
        }
    }

    private void End()
    {
        RetiredMemory? rest;
        lock (_life.Lock)
        {
            _gate.IsCompacting = false;
            _entries.Packed.IsPinned = _snapshots.IsSnapshotted;
            rest = _rest;
        }
        if (rest is not null) _departures.Retire(rest);
        // Store, full fence, look at the queue; partner: Departures.Release.
        Interlocked.MemoryBarrier();
        _departures.FreeReleased();
    }
}
