using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;

namespace Smc.Memory.Compaction;

/// <summary>Where a group is in the protocol; what scans decide by.</summary>
internal enum CompactionPhase
{
    /// <summary>The rows are in the old blocks, frozen or not. A scan that decides now reads these, to its section's end.</summary>
    Frozen,

    /// <summary>Rows are changing places. Scans wait.</summary>
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
internal sealed class CompactionGroup(CompactionSource[] sources, ulong target)
{
    private int _phase;

    public CompactionSource[] Sources => sources;

    public ulong Target => target;

    /// <summary>Rows copied: slots [0, Copies) of the target.</summary>
    public int Copies { get; set; }

    /// <summary>The next copy whose row is to move.</summary>
    public int Next { get; set; }

    /// <summary>Rows that moved; the others died before.</summary>
    public int Moved { get; set; }

    /// <summary>Ids that were taken for slots of the target, because the old blocks had too few.</summary>
    public List<uint> TakenIds { get; } = [];

    /// <summary>Acquire; partner: the release when it is set.</summary>
    public CompactionPhase Phase
    {
        get => (CompactionPhase)Volatile.Read(ref _phase);
        set => Volatile.Write(ref _phase, (int)value);
    }

    /// <summary>Waits until the rows have moved: some microseconds, because the compactor waits for nobody in that phase.</summary>
    public void AwaitDone()
    {
        SpinWait spin = default;
        while (Phase != CompactionPhase.Done) EntryWord.Wait(ref spin);
    }
}
