using System.ComponentModel;
using Smc.Memory.Strings;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>Moves the strings of the rows of a collection together, and gives shared ones back.</summary>
/// <remarks>
/// Invariants: whoever changes string words of rows that are not its own is inside the compaction gate, so that no row is frozen meanwhile. A walk visits the words of all rows, block by block, each
/// in a critical section of its own; chunks do not know their row.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StringCompaction
{
    private readonly CollectionLife _life;
    private readonly CompactionGate _gate;
    private readonly BlockStore _store;
    private readonly StringHeap _strings;
    private readonly RowCleaner _cleaner;
    private readonly LiveCounters _counters;
    private readonly RetiredRows _retired;
    private readonly SnapshotMarks _snapshots;
    private readonly Reclaimer _reclaimer;

    internal StringCompaction(CollectionLife life, CompactionGate gate, BlockStore store, StringHeap strings, RowCleaner cleaner, LiveCounters counters, RetiredRows retired, SnapshotMarks snapshots, Reclaimer reclaimer)
    {
        _life = life;
        _gate = gate;
        _store = store;
        _strings = strings;
        _cleaner = cleaner;
        _counters = counters;
        _retired = retired;
        _snapshots = snapshots;
        _reclaimer = reclaimer;
    }

    // A pass moves what it finds; what it leaves (rows on their way in or out) the next finds after a grace.
    private const int Passes = 2;
    private static readonly TimeSpan s_longestGrace = TimeSpan.FromMilliseconds(100);

    private StringEvacuation.Rest? _evacuation;

    internal bool IsDisposed => _life.IsDisposed;

    /// <summary>Whether there are no rows, retired ones included; exact when nobody is adding or removing. In this order: a row that is retired meanwhile is counted once at least.</summary>
    internal bool IsEmpty => _counters.Live <= 0 && _retired.Count == 0;

    /// <summary>
    /// Gives string memory back to the system: the strings in segments that are mostly free are copied together, in the order of the rows, and
    /// the segments are unmapped when no reader can be at them, which is at once if there are no readers.
    /// </summary>
    /// <remarks>
    /// Rows may be added, read, changed and removed meanwhile; nobody waits. Chunks do not know their row, so all rows are walked twice: a few nanoseconds
    /// for each string, a quarter of a microsecond for each that is moved.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public StringCompactionResult Compact(CancellationToken cancellationToken = default)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Strings are compacted outside of critical sections: it would wait for the caller's own.");
        _life.ThrowIfDisposed();
        if (_snapshots.IsSnapshotted) return default;
        if (!_cleaner.HasChunks) return new StringCompactionResult(0, 0, IsComplete: true);
        if (!_gate.TryEnter(new CompactionPatience(null, _life, cancellationToken))) return default;
        try
        {
            return CompactInside(cancellationToken);
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>As <see cref="Compact"/>, for who is inside the gate.</summary>
    internal StringCompactionResult CompactInside(CancellationToken cancellationToken)
    {
        if (_snapshots.IsSnapshotted) return default;
        long moved = 0, freed = 0;
        bool isComplete = _evacuation is null or { IsDone: true };
        for (int pass = 0; isComplete && _cleaner.HasChunks && pass < Passes; pass++)
        {
            _strings.Evacuation.BeginCount();
            isComplete = TryWalk(new DeadChunkCounter(_strings), cancellationToken);
            IReadOnlyList<StringSegment> leaving = isComplete ? _strings.Evacuation.Begin() : [];
            if (leaving.Count == 0) break;
            StringMover mover = new(_strings);
            bool isWalked = TryWalk(mover, cancellationToken);
            moved += mover.BytesMoved;
            _evacuation = _strings.Evacuation.End(leaving, stay: !isWalked);
            isComplete = PassGrace(_evacuation, cancellationToken) && isWalked;
            freed += _evacuation.BytesFreed;
            if (!_evacuation.HasRest) break;
            isComplete &= pass + 1 < Passes;
        }
        return new StringCompactionResult(moved, freed, isComplete);
    }

    /// <summary>Gives the texts of all rows words of the current tables; see <see cref="InternedStrings"/>.</summary>
    /// <returns>False if it has to be tried again: rows are being moved, or there was no memory.</returns>
    internal bool TryInternAgain()
    {
        // The thread that moves rows may come here itself, while it waits.
        if (_gate.IsHeldByCurrentThread || !_gate.TryEnter()) return false;
        try
        {
            return !_snapshots.IsSnapshotted && (TryWalk(new StringInterner(_strings), CancellationToken.None) || _life.IsDisposed);
        }
        catch (OffHeapMemoryException)
        {
            return false;
        }
        finally
        {
            _gate.Exit();
        }
    }

    private bool PassGrace(StringEvacuation.Rest evacuation, CancellationToken cancellationToken)
    {
        EpochWait wait = new(_reclaimer, new CompactionPatience(s_longestGrace, null, cancellationToken));
        while (!evacuation.IsDone)
        {
            if (!wait.TryWait(frees: true)) return evacuation.IsDone;
        }
        return true;
    }

    /// <returns>False if it was cancelled, the collection was disposed, there was no memory to move to, or a snapshot began or has just ended.</returns>
    private bool TryWalk(ChunkVisitor visitor, CancellationToken cancellationToken)
    {
        // Nobody moves rows now.
        BlockList blocks = _store.List;
        for (int i = 0; i < blocks.Count; i++)
        {
            if (cancellationToken.IsCancellationRequested) return false;
            using CriticalSection section = CriticalSection.Enter();
            if (_life.IsDisposed) return false;
            // A block that left meanwhile had no rows.
            if (_store.List.Contains(blocks[i], i) && !_cleaner.Visit(blocks[i], visitor)) return false;
        }
        return true;
    }
}
