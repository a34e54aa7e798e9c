using Smc.Memory.Blocks;
using Smc.Memory.Epochs;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <content>Moving the strings of rows.</content>
public sealed partial class MemoryContext
{
    // A pass moves what it finds; what it leaves (rows on their way in or out) the next finds after a grace.
    private const int StringPasses = 2;
    private static readonly TimeSpan s_longestGrace = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_compactionTurn = TimeSpan.FromMilliseconds(5);

    /// <summary>
    /// Held by whoever moves rows or strings, so that no row is frozen while its string words change. Taken before every other lock, and not from
    /// inside a critical section.
    /// </summary>
    private readonly Lock _compaction = new();

    private StringHeap.Evacuation? _evacuation;

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
    public StringCompactionResult CompactStrings(CancellationToken cancellationToken = default)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("Strings are compacted outside of critical sections: it would wait for the caller's own.");
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (IsSnapshotted) return default;
        if (!_cleaner.HasChunks) return new StringCompactionResult(0, 0, IsComplete: true);
        while (!_compaction.TryEnter(s_compactionTurn))
        {
            if (cancellationToken.IsCancellationRequested || IsDisposed) return default;
        }
        try
        {
            return CompactStringsAlone(cancellationToken);
        }
        finally
        {
            _compaction.Exit();
        }
    }

    private StringCompactionResult CompactStringsAlone(CancellationToken cancellationToken)
    {
        long moved = 0, freed = 0;
        bool isComplete = _evacuation is null or { IsDone: true };
        for (int pass = 0; isComplete && pass < StringPasses; pass++)
        {
            Strings.BeginCount();
            isComplete = TryWalk(new DeadChunkCounter(Strings), cancellationToken);
            IReadOnlyList<StringSegment> leaving = isComplete ? Strings.BeginEvacuation() : [];
            if (leaving.Count == 0) break;
            StringMover mover = new(Strings);
            bool isWalked = TryWalk(mover, cancellationToken);
            moved += mover.BytesMoved;
            _evacuation = Strings.EndEvacuation(leaving, stay: !isWalked);
            isComplete = PassGrace(_evacuation, cancellationToken) && isWalked;
            freed += _evacuation.BytesFreed;
            if (!_evacuation.HasRest) break;
            isComplete &= pass + 1 < StringPasses;
        }
        return new StringCompactionResult(moved, freed, isComplete);
    }

    // Part of Clear: without readers the shared strings are gone when it returns.
    private void EndInterning()
    {
        Strings.ResetInterning(this);
        for (int i = 0; i < InternedStrings.ResetGraces; i++) Reclaimer.AdvanceTwice();
    }

    /// <summary>Gives the texts of all rows words of the current tables; see <see cref="InternedStrings"/>.</summary>
    /// <returns>False if it has to be tried again: rows are being moved, or there was no memory.</returns>
    internal bool TryInternAgain()
    {
        // The thread that moves rows may come here itself, while it waits.
        if (_compaction.IsHeldByCurrentThread || !_compaction.TryEnter()) return false;
        try
        {
            return !IsSnapshotted && (TryWalk(new StringInterner(Strings), CancellationToken.None) || !IsSnapshotted);
        }
        catch (OffHeapMemoryException)
        {
            return false;
        }
        finally
        {
            _compaction.Exit();
        }
    }

    private bool PassGrace(StringHeap.Evacuation evacuation, CancellationToken cancellationToken)
    {
        long start = System.Diagnostics.Stopwatch.GetTimestamp();
        SpinWait spin = default;
        while (!evacuation.IsDone)
        {
            Reclaimer.TryAdvance();
            Reclaimer.Drain();
            if (evacuation.IsDone) break;
            if (cancellationToken.IsCancellationRequested || System.Diagnostics.Stopwatch.GetElapsedTime(start) > s_longestGrace) return false;
            spin.SpinOnce();
        }
        return true;
    }

    /// <summary>Visits the chunk words of all rows, block by block, each in a critical section of its own.</summary>
    /// <returns>False if it was cancelled, the collection was disposed or there was no memory to move to.</returns>
    private bool TryWalk(ChunkVisitor visitor, CancellationToken cancellationToken)
    {
        // Nobody moves rows now.
        BlockList blocks = BlocksNow;
        for (int i = 0; i < blocks.Count; i++)
        {
            if (cancellationToken.IsCancellationRequested) return false;
            using CriticalSection section = CriticalSection.Enter();
            if (IsDisposed) return false;
            // A block that left meanwhile had no rows.
            if (BlocksNow.Contains(blocks[i], i) && !_cleaner.Visit(blocks[i], visitor)) return false;
        }
        return true;
    }
}
