using System.Text.Json;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>The study for other programs. Times in milliseconds.</summary>
internal static class AgingJson
{
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    public static void Write(FileInfo file, string scaleFactor, AgingOptions options, IReadOnlyList<AgedQuery> queries)
    {
        file.Directory?.Create();
        using FileStream stream = file.Create();
        JsonSerializer.Serialize(stream, new
        {
            Host = HostDescription.Text,
            Sf = JsonSerializer.SerializeToElement(decimal.Parse(scaleFactor, System.Globalization.CultureInfo.InvariantCulture)),
            options.Layout,
            options.Repeat,
            Queries = queries.Select(query => new
            {
                Query = query.Query.Name,
                Joins = JoinNames.Of(query.Joins),
                Worlds = query.Times.Select(time => new
                {
                    World = AgedWorlds.NameOf(time.Key),
                    Correct = time.Value.Problem is null,
                    time.Value.Problem,
                    time.Value.Throws,
                    time.Value.AgedMs,
                    time.Value.FreshMs,
                    time.Value.Ratio,
                }),
            }),
        }, Format);
    }
}
