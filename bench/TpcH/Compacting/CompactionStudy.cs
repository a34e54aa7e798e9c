using System.Diagnostics;
using Smc.Memory;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Compacting;

/// <summary>
/// Removes most line items at random and compacts the rest while others read and write them: what memory comes back, how long the others
/// are held up, and how fast queries are afterwards.
/// </summary>
internal sealed class CompactionStudy(CompactingOptions options, DbgenSource source, IProgressDisplay display, CancellationToken cancellationToken)
{
    // Groups, navigation, and a plain scan, all of them over line items.
    private static readonly IReadOnlyList<QueryDefinition> Queries = [QueryCatalog.Named("q01"), QueryCatalog.Named("q03"), QueryCatalog.Named("q06")];

    /// <summary>How long the threads are watched before the compaction.</summary>
    public TimeSpan UndisturbedTime { get; init; } = TimeSpan.FromSeconds(1);

    public IReadOnlyList<CompactedLayout> Run() => [.. options.Layouts.Select(Run)];

    private CompactedLayout Run(string layout)
    {
        using ITabularDatabase database = LayoutNames.CreateDatabase(layout);
        display.Stage($"scale factor {source.Scale}, {layout} collections", stage =>
            DatabaseLoader.Load(source, [database], new RowProgress(source, stage), cancellationToken));

        display.Stage("a rehearsal, which compiles what is measured", _ => Rehearse(database));
        long before = ResidentMemory.OutsideManagedHeap();
        using var manager = new MemoryManager();
        using ILineItems rows = display.Stage("copying the line items", _ => database.CopyLineItems(manager));
        MemorySample loaded = Sample(rows, before);
        display.Stage($"removing {options.RemovedPercent} % of them", _ => RemoveMost(rows));
        MemorySample thinned = Sample(rows, before);

        ILineItemHandles handles = rows.Handles(options.Seed);
        UseReport undisturbed = display.Stage("reading and writing the others", _ => UseUndisturbed(rows, handles));
        (CompactionResult result, TimeSpan duration, UseReport disturbed) = display.Stage("compacting, reading and writing", _ => Compact(rows, handles));
        MemorySample compacted = Sample(rows, before);

        long beforeFresh = ResidentMemory.OutsideManagedHeap();
        using var freshManager = new MemoryManager();
        using ILineItems fresh = rows.Copy(freshManager);
        MemorySample freshSample = Sample(fresh, beforeFresh);
        WornAgainstFresh[] queries = display.Stage("queries over the compacted rows and over fresh ones", stage => CompareQueries(rows, fresh, stage));
        HandleReads reads = display.Stage("reading through handles", _ => HandleReads.Measure(handles, fresh.Handles(options.Seed), cancellationToken));
        return new CompactedLayout(layout, loaded, thinned, compacted, freshSample, result, duration, undisturbed, disturbed, queries, reads);
    }

    private bool Rehearse(ITabularDatabase database)
    {
        using var manager = new MemoryManager();
        using ILineItems rows = database.CopyLineItems(manager);
        RemoveMost(rows);
        Compact(rows, rows.Handles(options.Seed));
        return true;
    }

    private bool RemoveMost(ILineItems rows)
    {
        rows.RemoveAtRandom(options.RemovedPercent / 100.0, options.Seed);
        return true;
    }

    private UseReport UseUndisturbed(ILineItems rows, ILineItemHandles handles)
    {
        using ConcurrentUse use = Use(rows, handles);
        cancellationToken.WaitHandle.WaitOne(UndisturbedTime);
        cancellationToken.ThrowIfCancellationRequested();
        return use.Stop();
    }

    private (CompactionResult Result, TimeSpan Duration, UseReport Use) Compact(ILineItems rows, ILineItemHandles handles)
    {
        using ConcurrentUse use = Use(rows, handles);
        long start = Stopwatch.GetTimestamp();
        CompactionResult result = rows.Compact(cancellationToken);
        TimeSpan duration = Stopwatch.GetElapsedTime(start);
        return (result, duration, use.Stop());
    }

    private static ConcurrentUse Use(ILineItems rows, ILineItemHandles handles)
    {
        // What loading left to the garbage collector would be collected meanwhile, and all threads be stopped for it.
        GC.Collect();
        return new ConcurrentUse(rows, handles);
    }

    private WornAgainstFresh[] CompareQueries(ILineItems rows, ILineItems fresh, IProgressStage stage)
    {
        return [.. Queries.Select((query, i) =>
        {
            stage.Report(i / (double)Queries.Count);
            QueryParameters parameters = query.ReadParameters(ParameterFile.Standard.For(query.Name));
            PreparedQuery linq = fresh.PrepareLinq(parameters);
            linq.Execute();
            return WornAgainstFresh.Measure(query, rows.Prepare(parameters), fresh.Prepare(parameters), linq.ReadAnswer(), cancellationToken);
        })];
    }

    private static MemorySample Sample(ILineItems rows, long before)
    {
        long resident = ResidentMemory.OutsideManagedHeap();
        return new MemorySample(rows.Count, rows.Memory, resident - before, resident);
    }
}
