using System.Diagnostics;

namespace TpcH.Running;

/// <summary>A look-up over tables without and with indexes.</summary>
/// <param name="Layout">How the rows lie.</param>
/// <param name="Title">What is asked.</param>
/// <param name="IsCorrect">Whether both find the same.</param>
/// <param name="WithoutUs">The shortest time of one execution without indexes, in microseconds.</param>
/// <param name="WithUs">The same with indexes.</param>
internal sealed record MeasuredLookUp(string Layout, string Title, bool IsCorrect, double WithoutUs, double WithUs);

/// <summary>Checks and times look-ups, by turns without and with indexes.</summary>
internal static class LookUpTimer
{
    /// <summary>Executions are timed together until they last so long.</summary>
    private static readonly TimeSpan s_batch = TimeSpan.FromMilliseconds(2);

    /// <summary>So long each one runs before it is timed: look-ups are so short that their methods would not be compiled to the end otherwise.</summary>
    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(300);

    public static IReadOnlyList<MeasuredLookUp> Measure(EngineSet.IndexedTables tables, RunOptions options, CancellationToken cancellationToken)
    {
        using var threads = Smc.Collections.Query.Use(new Smc.Collections.QueryOptions { DegreeOfParallelism = options.Threads });
        return [.. tables.Without.LookUps().Zip(tables.With.LookUps(), (without, with) => Measure(tables.Layout, without, with, options.Repeat, cancellationToken))];
    }

    private static MeasuredLookUp Measure(string layout, LookUp without, LookUp with, int repeat, CancellationToken cancellationToken)
    {
        bool isCorrect = without.Execute() == with.Execute();
        int ofScan = BatchOf(without), ofIndex = BatchOf(with);
        double scan = double.MaxValue, index = double.MaxValue;
        for (int i = 0; i < repeat; i++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            scan = Math.Min(scan, Time(without, ofScan));
            index = Math.Min(index, Time(with, ofIndex));
        }

        return new MeasuredLookUp(layout, without.Title, isCorrect && without.Execute() == with.Execute(), scan, index);
    }

    private static int BatchOf(LookUp lookUp)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < s_warmUp)
            lookUp.Execute();
        int executions = 1;
        while (Time(lookUp, executions) * executions < s_batch.TotalMicroseconds)
            executions *= 2;
        return executions;
    }

    private static double Time(LookUp lookUp, int executions)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < executions; i++)
            lookUp.Execute();
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds / executions;
    }
}
