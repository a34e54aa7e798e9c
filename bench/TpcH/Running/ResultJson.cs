using System.Globalization;

namespace TpcH.Running;

/// <summary>The results of a run for other programs.</summary>
internal static class ResultJson
{
    public static void Write(FileInfo file, string scaleFactor, RunOptions options, IReadOnlyList<Measurement> measurements) =>
        JsonFile.Write(file, new
        {
            Host = HostDescription.Text,
            Sf = decimal.Parse(scaleFactor, CultureInfo.InvariantCulture),
            options.Threads,
            Results = measurements.Select(measurement => Result(measurement, options)),
        });

    // Engines that leave no choice are beside the text that was asked for first.
    private static object Result(Measurement measurement, RunOptions options) => new
    {
        Query = measurement.Query.Name,
        Engine = measurement.Engine.Name,
        measurement.Engine.Layout,
        Joins = JoinNames.Of(measurement.Engine.Joins ?? options.Joins[0]),
        measurement.Engine.Threads,
        Indexed = measurement.Engine.HasIndexes,
        Correct = measurement.IsCorrect,
        measurement.Problem,
        MinMs = measurement.MinimumMs,
        MedianMs = measurement.MedianMs,
        measurement.AllocatedBytes,
        measurement.Kernels,
        measurement.Fallbacks,
    };
}
