using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory.Compaction;

/// <summary>Where a group is in the protocol; what scans decide by.</summary>
internal enum CompactionPhase
{
    /// <summary>The rows are in the old blocks, frozen or not. A scan that decides now reads these, to its section's end.</summary>
    Frozen,

    /// <summary>Rows are changing places. A scan that decides now moves those that are left, and reads the target.</summary>
    Moving,

    /// <summary>The rows are in the target.</summary>
    Done,
}

/// <summary>Sparse blocks that become one.</summary>
/// <remarks>
/// Invariants: at any time one copy of a row is written, that which its entry names; a row changes its place under its lock only; the old
/// copies do not change between the move and the end of the old blocks; a scan in one section reads either the old blocks or the target.
/// </remarks>
/// <param name="sources">The old blocks.</param>
/// <param name="target">The block that takes their rows.</param>
/// <param name="mover">Moves the rows to the target.</param>
internal sealed class CompactionGroup(CompactionSource[] sources, BlockRef target, RowMover mover)
{
    // How many copies ahead entries are asked for, which halves the time of the move (docs/compaction.md).
    private const int Ahead = 8;

    private int _phase;
    private int _next;

    public CompactionSource[] Sources => sources;

    public BlockRef Target => target;

    /// <summary>Rows copied: slots [0, Copies) of the target.</summary>
    public int Copies { get; set; }

    /// <summary>The copies below are settled. Acquire; partner: the release in <see cref="SettleNext"/>.</summary>
    public int Next => Volatile.Read(ref _next);

    /// <summary>Rows that moved; the others died before.</summary>
    public int Moved => Copies - mover.Dropped;

    /// <summary>Ids that were taken for slots of the target, because the old blocks had too few.</summary>
    public List<uint> TakenIds { get; } = [];

    /// <summary>Acquire; partner: the release when it is set.</summary>
    public CompactionPhase Phase
    {
        get => (CompactionPhase)Volatile.Read(ref _phase);
        set => Volatile.Write(ref _phase, (int)value);
    }

    /// <summary>Says that all copies are settled. The compactor, before others see the target instead of the old blocks.</summary>
    public void Close() => mover.Close();

    /// <summary>The compactor's step: the next copy becomes its row's place.</summary>
    public void SettleNext()
    {
        int copy = _next;
        mover.Prefetch(Math.Min(copy + Ahead, Copies - 1));
        mover.Settle(copy);
        Volatile.Write(ref _next, copy + 1);
    }

    /// <summary>
    /// Ends the move for a scan, by moving rows from the last on: the compactor, which comes from the first, may have lost its processor, and
    /// would keep the scan waiting. Only a row that is locked, which takes a few instructions, is waited for.
    /// </summary>
    /// <safety>The caller is inside a critical section in which it saw that the group is moving, or done.</safety>
    public void FinishMove()
    {
        ShortWait wait = default;
        while (!TrySettleAll()) Latch.Spin(ref wait);
    }

    private bool TrySettleAll()
    {
        bool isSettled = true;
        for (int copy = Copies - 1; copy >= Next && Phase != CompactionPhase.Done; copy--)
        {
            mover.Prefetch(Math.Max(copy - Ahead, 0));
            isSettled &= mover.TrySettle(copy);
        }
        return isSettled || Phase == CompactionPhase.Done;
    }
}
