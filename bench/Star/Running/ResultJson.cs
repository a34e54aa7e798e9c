using System.Text.Json;
using Star.Engines;

namespace Star.Running;

/// <summary>The results of a run for other programs.</summary>
internal static class ResultJson
{
    private static readonly JsonSerializerOptions s_format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    public static void Write(FileInfo file, RunOptions options, IReadOnlyList<Measurement> measurements)
    {
        file.Directory?.Create();
        using FileStream stream = file.Create();
        JsonSerializer.Serialize(stream, new
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
        }, s_format);
    }
}
