using System.Diagnostics;

namespace TpcH.Running;

/// <summary>A query's least time over collections that have been through something, and over a fresh load of the same rows.</summary>
/// <param name="Problem">Why an answer is wrong, or null.</param>
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
        string? problem = AnswerChecker.FirstDifference(expected, worn.ReadAnswer()) ?? AnswerChecker.FirstDifference(expected, fresh.ReadAnswer());
        return new WornAgainstFresh(query, wornMs, freshMs, problem);
    }

    private static double Time(PreparedQuery query)
    {
        long start = Stopwatch.GetTimestamp();
        query.Execute();
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }
}
