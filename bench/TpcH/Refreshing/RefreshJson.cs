using System.Globalization;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>The rounds for other programs. Memory in bytes, times in milliseconds.</summary>
internal static class RefreshJson
{
    public static void Write(FileInfo file, string scaleFactor, JoinStyle joins, IReadOnlyList<RefreshedLayout> layouts) =>
        JsonFile.Write(file, new
        {
            Host = HostDescription.Text,
            Sf = decimal.Parse(scaleFactor, CultureInfo.InvariantCulture),
            Joins = JoinNames.Of(joins),
            Layouts = layouts.Select(Layout),
        });

    private static object Layout(RefreshedLayout layout) => new
    {
        layout.Layout,
        Correct = layout.IsRight,
        layout.ResidentDrift,
        Rounds = layout.Rounds.Select(Round),
        Fresh = new { Resident = layout.FreshResident, Memory = layout.FreshMemory },
        WornAgainstFresh = layout.Comparisons.Select(comparison => new { Query = comparison.Query.Name, comparison.WornMs, comparison.FreshMs, comparison.Problem }),
    };

    private static object Round(RefreshRound round) => new
    {
        Round = round.Number,
        round.Work.RowsInserted,
        round.Work.RowsRemoved,
        InsertMs = round.Work.Insert.TotalMilliseconds,
        DeleteMs = round.Work.Delete.TotalMilliseconds,
        round.RowsMoved,
        round.Resident,
        round.Memory,
        Queries = round.Queries.Select(query => new { Query = query.Query.Name, Correct = query.IsCorrect, query.Problem, MinMs = query.MinimumMs, MedianMs = query.MedianMs }),
    };
}
