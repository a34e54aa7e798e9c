using System.Diagnostics;

namespace TpcH.Refreshing;

/// <summary>A query's least time over the collections after all rounds, and over a fresh load of the same rows.</summary>
/// <param name="Problem">Why the answer over the fresh load is wrong, or null.</param>
internal sealed record WornAgainstFresh(QueryDefinition Query, double WornMs, double FreshMs, string? Problem)
{
    // Enough for both to have met a quiet moment of the machine.
    private const int Turns = 25;

    public double Ratio => WornMs / FreshMs;

    /// <summary>Executes both in turns.</summary>
    public static WornAgainstFresh Measure(QueryDefinition query, PreparedQuery worn, PreparedQuery fresh, Answer expected, CancellationToken cancellationToken)
    {
        double wornMs = double.MaxValue, freshMs = double.MaxValue;
        for (int turn = 0; turn < Turns; turn++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            wornMs = Math.Min(wornMs, Time(worn));
            freshMs = Math.Min(freshMs, Time(fresh));
        }
        return new WornAgainstFresh(query, wornMs, freshMs, AnswerChecker.FirstDifference(expected, fresh.ReadAnswer()));
    }

    private static double Time(PreparedQuery query)
    {
        long start = Stopwatch.GetTimestamp();
        query.Execute();
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }
}
