using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Snapshots;

namespace Smc.Memory.Compaction;

/// <summary>Writes the codes of column sketches anew, in place, that setters made unknown. docs/compaction.md; docs/models/codes.pml.</summary>
/// <remarks>
/// <code>
/// look     in a section: which columns of which blocks have unknown codes; their codes and values are read, so that they are near
/// pause    SnapshotState.TryRunBetweenWindows: no value of a published row changes. For a tenth of a millisecond: code := that of the value
///          a column whose shown rows all have codes: version := the next even number
/// rest     a millisecond for the writers
/// </code>
/// Invariants: codes are written in a pause only, of rows that scans see, so a code other than unknown is that of the value, whoever wrote either. Who adds a row has written its code before its
/// validity bit is set in a window. No snapshot is open, so no version that one needs is written; the caller has the compaction gate, so no row moves. Each pause is a critical section of its own, in
/// which the blocks are looked up in the list again.
/// </remarks>
internal sealed class CodeRewriting
{
    private const int RowsOfWord = 64;

    // Words of 64 rows between two looks at the clock.
    private const int WordsOfTurn = 8;

    // Columns of blocks that are taken at a time, and the unknown codes: what stays near the processor, and fills a pause.
    private const int MostPieces = 16;
    private const int MostCodes = 16_384;

    private static readonly long s_pause = Stopwatch.Frequency / 10_000;
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestRest = TimeSpan.FromMilliseconds(50);

    // To be done with a column. A thread that has its window open for so long may be waiting for the gate, and writers may set values faster than their codes are written.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    private static long s_seen;

    private readonly BlockStore _store;
    private readonly SnapshotMarks _snapshots;
    private readonly StaleCodes _stale;
    private readonly ColumnLayout[] _columns;
    private readonly Queue<Piece> _pieces = new();
    private readonly Action _rewrite;
    private BlockList _blocks = BlockList.Empty();
    private int _block;
    private int _column;
    private long _codes;

    public CodeRewriting(BlockStore store, SnapshotMarks snapshots, StaleCodes stale)
    {
        _store = store;
        _snapshots = snapshots;
        _stale = stale;
        _columns = [.. store.Layout.Columns.ToArray().Where(static column => column.SketchOffset >= 0)];
        _rewrite = Rewrite;
    }

    /// <summary>A column in a block of the list.</summary>
    private readonly record struct Piece(int Block, ColumnLayout Column);

    /// <summary>Looks at every block once.</summary>
    /// <param name="patience">For how long.</param>
    /// <param name="codes">How many codes are known again.</param>
    /// <returns>False if it gave up: patience was over, a snapshot is open, or some thread did not end its window.</returns>
    /// <safety>The caller has the compaction gate and is outside of critical sections.</safety>
    public bool TryRun(in CompactionPatience patience, out long codes)
    {
        codes = _codes = 0;
        if (_columns.Length == 0) return true;
        long start = Stopwatch.GetTimestamp(), counted = _stale.Begin();
        bool isComplete = false;
        try
        {
            (_blocks, _block, _column) = (_store.List, 0, 0);
            return isComplete = TryRun(patience);
        }
        finally
        {
            codes = _codes;
            _blocks = BlockList.Empty();
            _pieces.Clear();
            if (isComplete) _stale.End(Stopwatch.GetElapsedTime(start));
            else _stale.GiveUp(counted);
        }
    }

    private bool TryRun(in CompactionPatience patience)
    {
        long done = Stopwatch.GetTimestamp();
        TimeSpan rest = s_rest;
        while (TryLook(patience))
        {
            int left = _pieces.Count;
            if (left == 0) return true;
            // The caller's own window would never end.
            if (WriteWindow.IsInside) return false;
            // If not, all writers waited for a millisecond in vain.
            rest = SnapshotState.TryRunBetweenWindows(_rewrite) ? s_rest : TimeSpan.FromTicks(Math.Min(rest.Ticks * 2, s_longestRest.Ticks));
            if (_pieces.Count < left) done = Stopwatch.GetTimestamp();
            else if (Stopwatch.GetElapsedTime(done) > s_patience) return false;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            Thread.Sleep(rest);
        }
        return false;
    }

    /// <summary>Adds columns with unknown codes to the pieces until there are enough.</summary>
    /// <returns>False if patience is over, or a snapshot is open.</returns>
    private bool TryLook(in CompactionPatience patience)
    {
        long found = 0;
        while (_pieces.Count < MostPieces && found < MostCodes && _block < _blocks.Count)
        {
            if (patience.IsOver || _snapshots.IsSnapshotted) return false;
            // A section for each block: others wait for long ones.
            using CriticalSection section = CriticalSection.Enter();
            if (!_store.List.Contains(_blocks[_block], _block)) _column = _columns.Length;
            for (; _column < _columns.Length && _pieces.Count < MostPieces; _column++) found += LookAt(_blocks[_block], _columns[_column]);
            if (_column < _columns.Length) break;
            (_block, _column) = (_block + 1, 0);
        }
        return !patience.IsOver && !_snapshots.IsSnapshotted;
    }

    private long LookAt(BlockRef block, ColumnLayout column)
    {
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        if (zone.Codes == 0 || !zone.IsScaled || !zone.HasUnknown) return 0;
        _pieces.Enqueue(new Piece(_block, column));
        long codes = 0;
        Visit(block, column, writes: false, long.MaxValue, ref codes);
        return codes;
    }

    // Runs while no window is open.
    private void Rewrite()
    {
        using CriticalSection section = CriticalSection.Enter();
        // Drawn before the pause began. What is asked for after it waits until the pause is over.
        if (_snapshots.IsSnapshotted) return;
        long until = Stopwatch.GetTimestamp() + s_pause;
        BlockList now = _store.List;
        while (_pieces.TryPeek(out Piece piece) && Stopwatch.GetTimestamp() < until)
        {
            BlockRef block = _blocks[piece.Block];
            if (now.Contains(block, piece.Block))
            {
                if (!Visit(block, piece.Column, writes: true, until, ref _codes)) return;
                block.Zone(piece.Column.ZoneMapOffset).EndUnknown();
            }
            _pieces.Dequeue();
        }
    }

    /// <summary>Goes through the unknown codes of rows that scans see and that are not null.</summary>
    /// <param name="block">A block of the collection.</param>
    /// <param name="column">A column with codes there.</param>
    /// <param name="writes">Whether the codes are written; else the values are only read.</param>
    /// <param name="until">When to stop. A few rows are visited whatever the time is.</param>
    /// <param name="codes">So many more were found.</param>
    /// <returns>False if it stopped before the end.</returns>
    /// <safety>The caller is inside the critical section in which it found the block in the list; to write, no window is open.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe bool Visit(BlockRef block, ColumnLayout column, bool writes, long until, ref long codes)
    {
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        // SAFETY: there is a code for every slot of the capacity, a multiple of 64.
        ushort* first = (ushort*)zone.Codes;
        int words = (block.SlotCount + RowsOfWord - 1) / RowsOfWord, visited = 0;
        long seen = 0;
        for (int word = 0; word < words; word++)
        {
            ulong rows = UnknownOf(first + (word * RowsOfWord)) & block.ValidWord(word) & ~NullsOf(column, block, word);
            if (rows == 0) continue;
            for (; rows != 0; rows &= rows - 1, codes++)
            {
                int slot = (word * RowsOfWord) + BitOperations.TrailingZeroCount(rows);
                long value = ColumnSummaries.KeyOf(column, block, slot);
                if (writes) zone.Rewrite(slot, value);
                else seen += value;
            }
            if (++visited % WordsOfTurn == 0 && Stopwatch.GetTimestamp() >= until) return false;
        }
        // Makes the loads of the first look count.
        Volatile.Write(ref s_seen, seen);
        return true;
    }

    private static ulong NullsOf(ColumnLayout column, BlockRef block, int word) =>
        column.NullBitmapOffset < 0 ? 0 : new NullBits(block, (uint)column.NullBitmapOffset).OfWord(word);

    private static unsafe ulong UnknownOf(ushort* codes)
    {
        // SAFETY: as the caller promises: there are 64.
        uint low = Vector256.Narrow(AreUnknown(codes), AreUnknown(codes + 16)).ExtractMostSignificantBits();
        return low | ((ulong)Vector256.Narrow(AreUnknown(codes + 32), AreUnknown(codes + 48)).ExtractMostSignificantBits() << 32);
    }

    private static unsafe Vector256<ushort> AreUnknown(ushort* codes) => Vector256.Equals(Vector256.Load(codes), Vector256.Create(ColumnSketch.Unknown)); // SAFETY: as above.
}
