using TpcH.Engines;

namespace TpcH.Running;

/// <summary>Checks a query's answer, and only then times it.</summary>
internal static class QueryTimer
{
    /// <param name="expected">The right answer, if one is known.</param>
    /// <param name="repeat">Timed executions, after the one that is checked.</param>
    public static Measurement Measure(
        QueryDefinition query, IEngine engine, QueryParameters parameters, Answer? expected, int repeat, CancellationToken cancellationToken)
    {
        Answer? answer = null;
        int? fallbacks = null;
        try
        {
            PreparedQuery prepared = engine.Prepare(parameters);
            fallbacks = ExecuteAndCountFallbacks(engine.Kernels(query) is not null, prepared);
            answer = prepared.ReadAnswer();
            if (Difference(expected, answer) is { } wrong)
                return Wrong(wrong);

            var milliseconds = new double[repeat];
            long allocated = 0;
            for (int i = 0; i < repeat; i++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                (milliseconds[i], allocated) = Execution.Of(prepared);
            }
            // Once more: an engine may go wrong only when it is warm.
            return Difference(answer, prepared.ReadAnswer()) is { } changed
                ? Wrong($"another answer when run again: {changed}")
                : new Measurement(query, engine, answer, Problem: null, expected is not null, milliseconds, allocated) { Fallbacks = fallbacks };
        }
        catch (Exception error) when (error is not OperationCanceledException && !cancellationToken.IsCancellationRequested)
        {
            return Wrong($"{error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}");
        }

        Measurement Wrong(string problem) => new(query, engine, answer, problem, IsChecked: true, Milliseconds: [], AllocatedBytes: 0) { Fallbacks = fallbacks };
    }

    private static int? ExecuteAndCountFallbacks(bool isCompiled, PreparedQuery prepared)
    {
        using var fallbacks = new Fallbacks();
        prepared.Execute();
        return isCompiled ? fallbacks.Count : null;
    }

    private static string? Difference(Answer? expected, Answer actual) =>
        expected is null ? null : AnswerChecker.FirstDifference(expected, actual);
}
