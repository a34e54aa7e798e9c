using System.Globalization;
using TpcH.Running;

namespace TpcH.Compacting;

/// <summary>The study for other programs. Memory in bytes, times in milliseconds.</summary>
internal static class CompactionJson
{
    public static void Write(FileInfo file, string scaleFactor, CompactingOptions options, IReadOnlyList<CompactedLayout> layouts) =>
        JsonFile.Write(file, new
        {
            Host = HostDescription.Text,
            Sf = decimal.Parse(scaleFactor, CultureInfo.InvariantCulture),
            options.RemovedPercent,
            options.Seed,
            Layouts = layouts.Select(Layout),
        });

    private static object Layout(CompactedLayout layout) => new
    {
        layout.Layout,
        Correct = layout.Problem is null,
        layout.Problem,
        Compaction = new { layout.Result.IsComplete, layout.Result.RowsMoved, layout.Result.BlocksFreed, layout.Result.BlocksFilled, layout.Result.BytesFreed, layout.Duration.TotalMilliseconds },
        Memory = new { layout.Loaded, layout.Thinned, layout.Compacted, layout.Fresh },
        layout.ResidentRatio,
        Undisturbed = Use(layout.Undisturbed),
        Disturbed = Use(layout.Disturbed),
        Queries = layout.Queries.Select(query => new { Query = query.Query.Name, CompactedMs = query.WornMs, query.FreshMs }),
        layout.HandleReads,
    };

    private static object Use(UseReport use) => new { Reader = Longest(use.Reader), Writer = Longest(use.Writer), StolenMs = use.Stolen?.TotalMilliseconds };

    private static object Longest(Stalls stalls) =>
        new { stalls.Steps, LongestMs = stalls.Longest.TotalMilliseconds, LongestOwnMs = stalls.LongestOwn.TotalMilliseconds, stalls.LongPerSecond };
}
