using System.Diagnostics.Tracing;
using Smc.Memory.Timelines;

namespace Smc.Memory.Diagnostics;

/// <summary>What a compaction tells the outside: called by the compactor once at each step, free when nobody listens.</summary>
internal static class CompactionTelemetry
{
    /// <summary>Blocks were chosen and their groups are formed; nothing has moved yet.</summary>
    public static void Started(MemoryContext context, int blocks, int groups) =>
        MemoryEventSource.Log.CompactionStarted(context.Name, blocks, groups);

    /// <summary>A group is done.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="rows">The rows of the group that were moved.</param>
    public static void Moved(MemoryContext context, long rows)
    {
        MemoryMeter.CountMovedRows(context, rows);
        MemoryEventSource.Log.CompactionMoved(context.Name, rows);
    }

    /// <summary>Codes of changed values are known again.</summary>
    public static void CodesWritten(MemoryContext context, long codes)
    {
        if (codes == 0) return;
        MemoryMeter.CountWrittenCodes(context, codes);
        MemoryEventSource.Log.CodesWritten(context.Name, codes);
    }

    /// <summary>The compaction is over, or gave up.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="rows">Rows moved in all.</param>
    /// <param name="blocks">Blocks that left the collection.</param>
    /// <param name="bytes">Bytes of these blocks less those of the new ones.</param>
    /// <param name="duration">Time since <see cref="Started"/>.</param>
    /// <param name="isComplete">False if it gave up.</param>
    public static void Ended(MemoryContext context, long rows, int blocks, long bytes, TimeSpan duration, bool isComplete)
    {
        MemoryMeter.RecordCompaction(context, duration, isComplete);
        TimelineRecorder.Record(TimelineKind.Compaction, duration, rows);
        if (MemoryEventSource.Log.IsEnabled(EventLevel.Informational, MemoryEventSource.Keywords.Compaction))
            MemoryEventSource.Log.CompactionEnded(context.Name, rows, blocks, bytes, duration.TotalMilliseconds, isComplete);
    }
}
