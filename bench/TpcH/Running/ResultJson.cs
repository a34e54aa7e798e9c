using System.Text.Json;

namespace TpcH.Running;

/// <summary>The results of a run for other programs.</summary>
internal static class ResultJson
{
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    public static void Write(FileInfo file, string scaleFactor, int threads, IReadOnlyList<Measurement> measurements, IReadOnlyList<string> missing)
    {
        file.Directory?.Create();
        using FileStream stream = file.Create();
        JsonSerializer.Serialize(stream, new
        {
            Host = HostDescription.Text,
            Sf = JsonSerializer.SerializeToElement(decimal.Parse(scaleFactor, System.Globalization.CultureInfo.InvariantCulture)),
            Threads = threads,
            Missing = missing,
            Results = measurements.Select(Result),
        }, Format);
    }

    private static object Result(Measurement measurement) => new
    {
        Query = measurement.Query.Name,
        Engine = measurement.Engine.Name,
        measurement.Engine.Layout,
        Joins = JoinNames.References,
        measurement.Engine.Threads,
        Correct = measurement.IsCorrect,
        measurement.Problem,
        MinMs = measurement.MinimumMs,
        MedianMs = measurement.MedianMs,
        measurement.AllocatedBytes,
    };
}
