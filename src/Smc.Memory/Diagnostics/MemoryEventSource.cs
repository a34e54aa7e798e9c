using System.Diagnostics.Tracing;

namespace Smc.Memory.Diagnostics;

/// <summary>
/// The event source <c>SelfManaged</c>: what happened when. Amounts over time are metrics (<see cref="MemoryMeter"/>); docs/metrics.md lists both.
/// </summary>
/// <remarks>
/// An <see cref="EventListener"/> runs on the thread that writes the event, so events are written with no latch held. Callers ask
/// <see cref="EventSource.IsEnabled()"/> first where an argument costs something.
/// </remarks>
[EventSource(Name = SourceName)]
internal sealed class MemoryEventSource : EventSource
{
    public const string SourceName = "SelfManaged";

    public static readonly MemoryEventSource Log = new();

    private MemoryEventSource()
    {
    }

    [Event(1, Level = EventLevel.Verbose, Keywords = Keywords.Epochs, Message = "The global epoch is {0}.")]
    public void EpochAdvanced(long epoch) => WriteEvent(1, epoch);

    [Event(2, Level = EventLevel.Verbose, Keywords = Keywords.Epochs, Message = "The global epoch stays {0}: thread {1} is in an older one.")]
    public void AdvanceBlocked(long epoch, int threadId) => WriteEvent(2, epoch, threadId);

    [Event(3, Level = EventLevel.Warning, Keywords = Keywords.Readers,
        Message = "Thread {0} ({1}) has been in a critical section for {2} ms and holds {3} bytes back. {4}")]
    public void ReaderStalled(int threadId, string threadName, double milliseconds, long garbageBytes, string stack) =>
        WriteEvent(3, threadId, threadName, milliseconds, garbageBytes, stack);

    [Event(4, Level = EventLevel.Informational, Keywords = Keywords.Blocks, Message = "{0} has a new block of {1} bytes, its {2}th.")]
    public void BlockAdded(string collection, long bytes, int blocks) => WriteEvent(4, collection, bytes, blocks);

    [Event(5, Level = EventLevel.Informational, Keywords = Keywords.Blocks, Message = "{0} gave {1} blocks with {2} bytes back.")]
    public void BlocksFreed(string collection, int blocks, long bytes) => WriteEvent(5, collection, blocks, bytes);

    [Event(6, Level = EventLevel.Warning, Keywords = Keywords.Garbage, Message = "{0} is over its {1} mark of {3} bytes: {2} bytes wait for readers.")]
    public void MarkExceeded(string owner, string mark, long garbageBytes, long markBytes) => WriteEvent(6, owner, mark, garbageBytes, markBytes);

    [Event(7, Level = EventLevel.Informational, Keywords = Keywords.Garbage, Message = "{0} is below its {1} mark again: {2} bytes wait for readers.")]
    public void MarkCleared(string owner, string mark, long garbageBytes) => WriteEvent(7, owner, mark, garbageBytes);

    [Event(8, Level = EventLevel.Informational, Keywords = Keywords.Compaction, Message = "Compaction of {0} begins with {1} blocks in {2} groups.")]
    public void CompactionStarted(string collection, int blocks, int groups) => WriteEvent(8, collection, blocks, groups);

    [Event(9, Level = EventLevel.Verbose, Keywords = Keywords.Compaction, Message = "{0}: {1} rows of a group moved.")]
    public void CompactionMoved(string collection, long rows) => WriteEvent(9, collection, rows);

    [Event(10, Level = EventLevel.Informational, Keywords = Keywords.Compaction,
        Message = "Compaction of {0} ends after {4} ms: {1} rows moved, {2} blocks with {3} bytes freed, complete: {5}.")]
    public void CompactionEnded(string collection, long rows, int blocks, long bytes, double milliseconds, bool isComplete) =>
        WriteEvent(10, collection, rows, blocks, bytes, milliseconds, isComplete);

    [Event(11, Level = EventLevel.Warning, Keywords = Keywords.Snapshots, Message = "A snapshot of {0} was lost after {1} ms: it kept {2} bytes, and writers need memory.")]
    public void SnapshotLost(string collection, double milliseconds, long bytes) => WriteEvent(11, collection, milliseconds, bytes);

    [Event(12, Level = EventLevel.Warning, Keywords = Keywords.Snapshots, Message = "A snapshot of {0} has been open for {1} ms and keeps {2} bytes.")]
    public void SnapshotIsOld(string collection, double milliseconds, long bytes) => WriteEvent(12, collection, milliseconds, bytes);

    [Event(13, Level = EventLevel.Verbose, Keywords = Keywords.Compaction, Message = "{0}: {1} codes of changed values are known again.")]
    public void CodesWritten(string collection, long codes) => WriteEvent(13, collection, codes);

    /// <summary>What a listener can choose.</summary>
    public static class Keywords
    {
        public const EventKeywords Epochs = (EventKeywords)1;
        public const EventKeywords Blocks = (EventKeywords)2;
        public const EventKeywords Compaction = (EventKeywords)4;
        public const EventKeywords Readers = (EventKeywords)8;
        public const EventKeywords Garbage = (EventKeywords)16;
        public const EventKeywords Snapshots = (EventKeywords)32;
    }
}
