using System.Diagnostics.Metrics;
using Smc.Memory.Allocation;
using Smc.Memory.Garbage;

namespace Smc.Memory.Diagnostics;

/// <summary>
/// The meter <c>SelfManaged</c>. Nearly all instruments are observed: they are computed when a listener asks and cost nothing otherwise.
/// docs/metrics.md lists them.
/// </summary>
/// <remarks>
/// Memory is measured per collection; what belongs to no collection alone (free parts of arenas, chunks for queries, disposed collections
/// that wait for readers) is measured per manager, without the collection's tags. So the sum over all series is what is mapped.
/// </remarks>
internal static class MemoryMeter
{
    public const string MeterName = "SelfManaged";
    public const string ManagerTag = "smc.manager.name";
    public const string CollectionTag = "smc.collection.name";
    public const string HeapTag = "smc.heap.name";
    public const string RowTypeTag = "smc.row.type";
    public const string CompleteTag = "smc.compaction.complete";
    public const string ThreadIdTag = "thread.id";
    public const string ThreadNameTag = "thread.name";

    private static readonly Meter s_meter = new(MeterName, typeof(MemoryMeter).Assembly.GetName().Version?.ToString(3));

    private static readonly Counter<long> s_movedRows =
        s_meter.CreateCounter<long>("smc.compaction.rows_moved", "{row}", "Rows moved by compaction.");

    private static readonly Counter<long> s_writtenCodes =
        s_meter.CreateCounter<long>("smc.compaction.codes_written", "{code}", "Codes of changed values that compaction wrote anew, for filters.");

    private static readonly Histogram<double> s_compactions =
        s_meter.CreateHistogram<double>("smc.compaction.duration", "s", "Time that a compaction took, with its waiting for readers.");

    private static readonly Histogram<long> s_garbagePerEpoch =
        s_meter.CreateHistogram<long>("smc.epoch.garbage", "By", "Garbage that waited for readers each time the epoch moved on.");

    static MemoryMeter()
    {
        ObserveMemory("mapped", "Memory obtained from the system.", static usage => usage.Mapped);
        ObserveMemory("live", "Data of rows.", static usage => usage.Live);
        ObserveMemory("limbo", "Data of removed rows whose places are re-used by the next rows.", static usage => usage.Limbo);
        ObserveMemory("free", "Places for rows and strings that are not used.", static usage => usage.Free);
        ObserveMemory("strings", "Strings and binary values too long for their row.", static usage => usage.Strings);
        ObserveMemory(
            "retired", "Replaced strings, and blocks that left their collection, that wait for readers.", static usage => usage.RetiredStrings + usage.RetiredBlocks);
        ObserveMemory("indirection", "The table that handles point into.", static usage => usage.Indirection);
        ObserveMemory("headers", "Headers, bitmaps, directories and padding of blocks.", static usage => usage.Headers);
        ObserveMemory("regions", "Intermediate results of queries, in use or kept for the next one.", static usage => usage.Regions);
        ObserveMemory("slices", "Slices in use.", static usage => usage.Slices);
        ObserveMemory("indexes", "Indexes of collections.", static usage => usage.Indexes);
        ObserveMemory("snapshots", "Superseded blocks and chunks that snapshots keep.", static usage => usage.Snapshots);
        s_meter.CreateObservableUpDownCounter("smc.snapshot.open", static () => Snapshots.OpenSnapshots.All.Length, "{snapshot}", "Snapshots that are open.");
        s_meter.CreateObservableGauge("smc.snapshot.age", OldestSnapshotAge, "s", "Age of the oldest open snapshot; 0 without one.");
        s_meter.CreateObservableGauge(
            "smc.snapshot.bytes", static () => Snapshots.OpenSnapshots.All is [var oldest, ..] ? oldest.Bytes : 0, "By", "What was kept since the oldest open snapshot was taken.");
        s_meter.CreateObservableCounter("smc.snapshot.copies", static () => Snapshots.SnapshotMeter.Copies, "{block}", "Blocks that writers copied for snapshots.");
        s_meter.CreateObservableCounter("smc.snapshot.lost", static () => Snapshots.OpenSnapshots.Lost, "{snapshot}", "Snapshots that were given up for writers.");
        s_meter.CreateObservableUpDownCounter(
            "smc.memory.garbage", static () => PerCollection(static context => context.GarbageBytes), "By",
            "Removed rows, replaced strings and old blocks that a reader may still be at. Contained in the others.");
        s_meter.CreateObservableUpDownCounter("smc.collection.rows", static () => PerCollection(static context => context.Count), "{row}", "Rows.");
        s_meter.CreateObservableUpDownCounter(
            "smc.collection.blocks", static () => PerCollection(static context => context.Blocks.Count), "{block}", "Blocks of memory that hold rows.");
        s_meter.CreateObservableUpDownCounter("smc.heap.slices", static () => PerHeap(static heap => heap.Count), "{slice}", "Slices in use.");
        s_meter.CreateObservableCounter(
            "smc.heap.exhausted_slices", static () => PerHeap(static heap => heap.ExhaustedSlices), "{slice}", "Slices not used again because their versions are used up.");
        s_meter.CreateObservableUpDownCounter(
            "smc.reclamation.waiting", static () => PerManager(static manager => manager.Reclaimer.Count), "{item}",
            "Things that were retired and not freed yet: stripes of replaced strings, blocks, chunks of maps, segments of indexes, disposed collections.");
        s_meter.CreateObservableGauge("smc.epoch.current", static () => Epoch.Current, "{epoch}", "The global epoch of the process.");
        s_meter.CreateObservableCounter("smc.epoch.advances", static () => Epoch.Advances, "{advance}", "How often the global epoch moved on.");
        s_meter.CreateObservableCounter(
            "smc.epoch.blocked_advances", static () => Epoch.BlockedAdvances, "{advance}", "How often it could not, because a reader was in an older epoch.");
        s_meter.CreateObservableGauge(
            "smc.reader.oldest.age", OldestReaderAge, "s", "Time for which the oldest critical section has held the epoch back; 0 if none does.");
        s_meter.CreateObservableCounter(
            "smc.reader.stalls", static () => Epoch.StalledReaders, "{section}", "Critical sections that were told as stalled: garbage was over a report mark.");
        s_meter.CreateObservableCounter(
            "smc.reader.leaked_sections", static () => Epoch.LeakedSections, "{section}", "Critical sections that were never left because their thread ended.");
    }

    /// <summary>Makes the instruments, so that a listener finds them. Called with the first manager.</summary>
    public static void Start() => System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(typeof(MemoryMeter).TypeHandle);

    public static void EpochMoved()
    {
        if (s_garbagePerEpoch.Enabled) s_garbagePerEpoch.Record(GarbageMonitor.GlobalGarbage());
    }

    public static void CountMovedRows(MemoryContext context, long rows)
    {
        if (s_movedRows.Enabled) s_movedRows.Add(rows, TagsOf(context));
    }

    public static void CountWrittenCodes(MemoryContext context, long codes)
    {
        if (s_writtenCodes.Enabled) s_writtenCodes.Add(codes, TagsOf(context));
    }

    public static void RecordCompaction(MemoryContext context, TimeSpan duration, bool isComplete)
    {
        if (s_compactions.Enabled) s_compactions.Record(duration.TotalSeconds, [.. TagsOf(context), new(CompleteTag, isComplete)]);
    }

    private static void ObserveMemory(string part, string description, Func<MemoryUsage, long> select) =>
        s_meter.CreateObservableUpDownCounter($"smc.memory.{part}", () => PerOwner(select), "By", description);

    private static IEnumerable<Measurement<long>> PerOwner(Func<MemoryUsage, long> select)
    {
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (!known.TryGetTarget(out MemoryManager? manager)) continue;
            MemoryUsage shared = manager.SharedUsage;
            foreach (MemoryContext context in manager.Contexts)
            {
                if (context.IsDisposed) shared += context.Usage;
                else yield return new Measurement<long>(select(context.Usage), TagsOf(context));
            }
            foreach (SliceHeap heap in manager.SliceHeaps)
            {
                if (heap.IsDisposed) shared += heap.Usage;
                else yield return new Measurement<long>(select(heap.Usage), TagsOf(heap));
            }
            if (shared != default) yield return new Measurement<long>(select(shared), TagOf(manager));
        }
    }

    private static IEnumerable<Measurement<long>> PerCollection(Func<MemoryContext, long> select)
    {
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (!known.TryGetTarget(out MemoryManager? manager)) continue;
            foreach (MemoryContext context in manager.Contexts)
            {
                if (!context.IsDisposed) yield return new Measurement<long>(select(context), TagsOf(context));
            }
        }
    }

    private static IEnumerable<Measurement<long>> PerManager(Func<MemoryManager, long> select)
    {
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (known.TryGetTarget(out MemoryManager? manager)) yield return new Measurement<long>(select(manager), TagOf(manager));
        }
    }

    private static IEnumerable<Measurement<long>> PerHeap(Func<SliceHeap, long> select)
    {
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (!known.TryGetTarget(out MemoryManager? manager)) continue;
            foreach (SliceHeap heap in manager.SliceHeaps)
            {
                if (!heap.IsDisposed) yield return new Measurement<long>(select(heap), TagsOf(heap));
            }
        }
    }

    private static Measurement<double> OldestReaderAge() => Epoch.OldestReader is { } reader
        ? new(reader.AtLeast.TotalSeconds, new KeyValuePair<string, object?>(ThreadIdTag, reader.ManagedThreadId), new(ThreadNameTag, reader.ThreadName))
        : new(0);

    private static double OldestSnapshotAge() => Snapshots.OpenSnapshots.All is [var oldest, ..] ? (DateTimeOffset.UtcNow - oldest.Moment).TotalSeconds : 0;

    private static KeyValuePair<string, object?> TagOf(MemoryManager manager) => new(ManagerTag, manager.Name);

    private static KeyValuePair<string, object?>[] TagsOf(MemoryContext context) =>
        [TagOf(context.Manager), new(CollectionTag, context.Name), new(RowTypeTag, context.Layout.RowTypeName)];

    private static KeyValuePair<string, object?>[] TagsOf(SliceHeap heap) => [TagOf(heap.Manager), new(HeapTag, heap.Name)];
}
