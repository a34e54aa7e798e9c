using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Strings;

/// <summary>Moves the strings of the rows of a collection together, and gives shared ones back.</summary>
/// <remarks>
/// Invariants: whoever changes string words of rows that are not its own is inside the compaction gate, so that no row is frozen meanwhile. A walk visits the words of all rows, block by block, each
/// in a critical section of its own; chunks do not know their row.
/// </remarks>
internal sealed class StringCompaction(CollectionLife life, CompactionGate gate, BlockStore store, StringHeap strings, RowCleaner cleaner, LiveCounters counters, RetiredRows retired, SnapshotMarks snapshots, Reclaimer reclaimer)
{
    // A pass moves what it finds; what it leaves (rows on their way in or out) the next finds after a grace.
    private const int Passes = 2;
    private static readonly TimeSpan s_longestGrace = TimeSpan.FromMilliseconds(100);

    private StringEvacuation.Rest? _evacuation;

    public bool IsDisposed => life.IsDisposed;

    /// <summary>Whether there are no rows, retired ones included; exact when nobody is adding or removing. In this order: a row that is retired meanwhile is counted once at least.</summary>
    public bool IsEmpty => counters.Live <= 0 && retired.Count == 0;

    /// <summary>See <see cref="MemoryContext.CompactStrings"/>.</summary>
    public StringCompactionResult Compact(CancellationToken cancellationToken)
    {
        if (snapshots.IsSnapshotted) return default;
        if (!cleaner.HasChunks) return new StringCompactionResult(0, 0, IsComplete: true);
        if (!gate.TryEnter(new CompactionPatience(null, life, cancellationToken))) return default;
        try
        {
            return CompactInside(cancellationToken);
        }
        finally
        {
            gate.Exit();
        }
    }

    /// <summary>As <see cref="Compact"/>, for who is inside the gate.</summary>
    public StringCompactionResult CompactInside(CancellationToken cancellationToken)
    {
        if (snapshots.IsSnapshotted) return default;
        long moved = 0, freed = 0;
        bool isComplete = _evacuation is null or { IsDone: true };
        for (int pass = 0; isComplete && cleaner.HasChunks && pass < Passes; pass++)
        {
            strings.Evacuation.BeginCount();
            isComplete = TryWalk(new DeadChunkCounter(strings), cancellationToken);
            IReadOnlyList<StringSegment> leaving = isComplete ? strings.Evacuation.Begin() : [];
            if (leaving.Count == 0) break;
            StringMover mover = new(strings);
            bool isWalked = TryWalk(mover, cancellationToken);
            moved += mover.BytesMoved;
            _evacuation = strings.Evacuation.End(leaving, stay: !isWalked);
            isComplete = PassGrace(_evacuation, cancellationToken) && isWalked;
            freed += _evacuation.BytesFreed;
            if (!_evacuation.HasRest) break;
            isComplete &= pass + 1 < Passes;
        }
        return new StringCompactionResult(moved, freed, isComplete);
    }

    /// <summary>Gives the texts of all rows words of the current tables; see <see cref="InternedStrings"/>.</summary>
    /// <returns>False if it has to be tried again: rows are being moved, or there was no memory.</returns>
    public bool TryInternAgain()
    {
        // The thread that moves rows may come here itself, while it waits.
        if (gate.IsHeldByCurrentThread || !gate.TryEnter()) return false;
        try
        {
            return !snapshots.IsSnapshotted && (TryWalk(new StringInterner(strings), CancellationToken.None) || !snapshots.IsSnapshotted);
        }
        catch (OffHeapMemoryException)
        {
            return false;
        }
        finally
        {
            gate.Exit();
        }
    }

    private bool PassGrace(StringEvacuation.Rest evacuation, CancellationToken cancellationToken)
    {
        EpochWait wait = new(reclaimer, new CompactionPatience(s_longestGrace, null, cancellationToken));
        while (!evacuation.IsDone)
        {
            if (!wait.TryWait(frees: true)) return evacuation.IsDone;
        }
        return true;
    }

    /// <returns>False if it was cancelled, the collection was disposed or there was no memory to move to.</returns>
    private bool TryWalk(ChunkVisitor visitor, CancellationToken cancellationToken)
    {
        // Nobody moves rows now.
        BlockList blocks = store.List;
        for (int i = 0; i < blocks.Count; i++)
        {
            if (cancellationToken.IsCancellationRequested) return false;
            using CriticalSection section = CriticalSection.Enter();
            if (life.IsDisposed) return false;
            // A block that left meanwhile had no rows.
            if (store.List.Contains(blocks[i], i) && !cleaner.Visit(blocks[i], visitor)) return false;
        }
        return true;
    }
}
