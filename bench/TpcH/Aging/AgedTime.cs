using TpcH.Running;

namespace TpcH.Aging;

/// <summary>A query in one world beside the same over fresh, quiet collections.</summary>
/// <param name="AgedMs">The shortest time; null when the answer is wrong, or the query throws as LINQ does.</param>
/// <param name="FreshMs">As that, over fresh collections.</param>
/// <param name="Throws">Whether the query throws, because it follows a reference that leads nowhere, as LINQ over the same rows does.</param>
/// <param name="Problem">What is wrong with the answer, or null.</param>
internal sealed record AgedTime(double? AgedMs, double? FreshMs, bool Throws, string? Problem)
{
    public double? Ratio => AgedMs / FreshMs;

    /// <summary>Checks the answer, executes both in turns, and checks it again.</summary>
    /// <param name="expected">Null where LINQ throws.</param>
    /// <param name="writer">Waits while the query runs over fresh collections.</param>
    public static AgedTime Measure(
        PreparedQuery fresh, PreparedQuery aged, Answer? expected, SteadyWriter? writer, int repeat, CancellationToken cancellationToken)
    {
        if (expected is null)
            return MeasureThrowing(aged);
        using var fallbacks = new Fallbacks();
        if (FirstDifference(aged, expected) is { } wrong)
            return Wrong(wrong);
        fresh.Execute();
        double agedMs = double.MaxValue, freshMs = double.MaxValue;
        for (int turn = 0; turn < repeat; turn++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            writer?.IsPaused = true;
            freshMs = Math.Min(freshMs, Execution.Of(fresh).Milliseconds);
            writer?.IsPaused = false;
            agedMs = Math.Min(agedMs, Execution.Of(aged).Milliseconds);
            if (AnswerChecker.FirstDifference(expected, aged.ReadAnswer()) is { } changed)
                return Wrong($"another answer when run again: {changed}");
        }

        return fallbacks.Count > 0 ? Wrong("it ran as LINQ to Objects") : new AgedTime(agedMs, freshMs, Throws: false, Problem: null);
    }

    private static string? FirstDifference(PreparedQuery query, Answer expected)
    {
        query.Execute();
        return AnswerChecker.FirstDifference(expected, query.ReadAnswer());
    }

    private static AgedTime MeasureThrowing(PreparedQuery query)
    {
        try
        {
            query.Execute();
            return Wrong("it has an answer, where LINQ throws");
        }
        catch (Exception error) when (error is NullReferenceException or InvalidOperationException)
        {
            return new AgedTime(null, null, Throws: true, Problem: null);
        }
    }

    private static AgedTime Wrong(string problem) => new(null, null, Throws: false, problem);
}
