using Star.Engines;

namespace Star.Running;

/// <summary>The results of a run for other programs.</summary>
internal static class ResultJson
{
    public static void Write(FileInfo file, RunOptions options, IReadOnlyList<Measurement> measurements) =>
        JsonFile.Write(file, new
        {
            Host = HostDescription.Text,
            options.Rows,
            options.Threads,
            Results = measurements.Select(measurement => new
            {
                Query = measurement.Query.Name,
                measurement.Contender.Engine,
                Joins = measurement.Contender.Form is { } form ? FormNames.Of(form) : null,
                Correct = measurement.Problem is null,
                measurement.Problem,
                MinMs = measurement.MinimumMs,
                measurement.AllocatedBytes,
            }),
        });
}
