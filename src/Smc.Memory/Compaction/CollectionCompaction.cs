using Smc.Memory.Allocation;
using Smc.Memory.DirectReferences;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;
using Smc.Memory.Strings;

namespace Smc.Memory.Compaction;

/// <summary>Compactions of one collection, one after the other: rows of sparse blocks, entries, strings. docs/compaction.md.</summary>
/// <remarks>
/// Invariants: one thread is inside the gate. Rows stay in their slots while a snapshot is open. What was released meanwhile is freed by the compacting thread, or by its last act. A collection that is
/// disposed meanwhile leaves its memory to the compaction, which retires it when it ends.
/// The collection is named to the events that a compaction reports; nothing is called on it. Without packing entries stay where they are.
/// </remarks>
internal sealed class CollectionCompaction(
    MemoryContext collection, CollectionLife life, CompactionGate gate, GroupFormation formation, EmptyBlocks emptyBlocks, EntryTable entries, EntryPacking? packing, StringCompaction strings,
    Departures departures, ReferrersToRows referrers, SnapshotMarks snapshots, Reclaimer reclaimer)
{
    private RetiredMemory? _rest;

    /// <summary>See <see cref="MemoryContext.Compact"/>.</summary>
    public CompactionResult Run(CompactionOptions options, CancellationToken cancellationToken)
    {
        if (snapshots.IsSnapshotted) return default;
        CompactionPatience patience = new(options.TimeLimit, life, cancellationToken);
        if (!gate.TryEnter(patience)) return default;
        referrers.BeginRepairs();
        try
        {
            return RunInside(options, patience);
        }
        finally
        {
            gate.Exit();
            referrers.FinishRepairs(patience);
        }
    }

    /// <summary>Leaves the memory of a collection that was disposed to the compaction that is at work on it. Under the collection's lock.</summary>
    /// <returns>False if there is none: the memory is the caller's to retire.</returns>
    public bool TryLeaveRest(RetiredMemory rest)
    {
        _rest = rest;
        return gate.IsCompacting;
    }

    private CompactionResult RunInside(CompactionOptions options, CompactionPatience patience)
    {
        lock (life.Lock)
        {
            life.ThrowIfDisposed();
            gate.IsCompacting = true;
            entries.Packed.IsPinned = true;
        }
        CompactionTally tally = new(collection);
        try
        {
            tally.CountEmptyBlocks(emptyBlocks.Retire(includeUnused: false, options.IncludeActive));
            bool goesOn = true;
            while (goesOn && !patience.IsOver && !snapshots.IsSnapshotted)
            {
                departures.FreeReleased();
                CompactionGroup[] groups = formation.Form(options);
                tally.IsComplete = groups.Length == 0 && !life.IsDisposed;
                goesOn = groups.Length > 0 && new Compactor(formation, groups, options, patience, tally, reclaimer).Run();
            }
            // With the blocks go the strings of the rows that died in them, which leaves holes in the string heap.
            if (!snapshots.IsSnapshotted && departures.AwaitAll(patience))
            {
                packing?.Pack(options, patience);
                tally.IsComplete &= strings.CompactInside(patience.Cancellation).IsComplete;
                departures.AwaitAll(patience);
            }
            return tally.Result;
        }
        catch (ObjectDisposedException) when (life.IsDisposed)
        {
            // Between two looks at the mark.
            tally.IsComplete = false;
            return tally.Result;
        }
        finally
        {
            End();
            reclaimer.AdvanceTwice();
            tally.Report(patience.Elapsed);
        }
    }

    private void End()
    {
        RetiredMemory? rest;
        lock (life.Lock)
        {
            gate.IsCompacting = false;
            entries.Packed.IsPinned = snapshots.IsSnapshotted;
            rest = _rest;
        }
        if (rest is not null) departures.Retire(rest);
        // Store, full fence, look at the queue; partner: Departures.Release.
        Interlocked.MemoryBarrier();
        departures.FreeReleased();
    }
}
