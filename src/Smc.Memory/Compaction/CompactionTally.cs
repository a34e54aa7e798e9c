using Smc.Memory.Diagnostics;

namespace Smc.Memory.Compaction;

/// <summary>Counts what a compaction does.</summary>
/// <param name="context">The collection, for the events.</param>
internal sealed class CompactionTally(MemoryContext context)
{
    private int _emptied;
    private int _filled;
    private int _started;
    private long _rows;

    public bool IsComplete { get; set; }

    public CompactionResult Result => new(_emptied, _filled, _rows, (_emptied - _filled) * context.Layout.BlockBytes, CodesWritten: 0, IsComplete);

    public void CountEmptyBlocks(int blocks) => _emptied += blocks;

    public void CountStart(CompactionGroup[] groups)
    {
        _started++;
        CompactionTelemetry.Started(context, groups.Sum(static group => group.Sources.Length), groups.Length);
    }

    public void CountMoved(CompactionGroup group)
    {
        _emptied += group.Sources.Length;
        _filled++;
        _rows += group.Moved;
        CompactionTelemetry.Moved(context, group.Moved);
    }

    /// <summary>Tells the outside, unless there was nothing to do.</summary>
    public void Report(TimeSpan duration)
    {
        if (_started > 0) CompactionTelemetry.Ended(context, _rows, _emptied, Result.BytesFreed, duration, IsComplete);
    }
}
