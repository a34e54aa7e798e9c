using System.Globalization;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>The study for other programs. Times in milliseconds.</summary>
internal static class AgingJson
{
    public static void Write(FileInfo file, string scaleFactor, AgingOptions options, IReadOnlyList<AgedQuery> queries) =>
        JsonFile.Write(file, new
        {
            Host = HostDescription.Text,
            Sf = decimal.Parse(scaleFactor, CultureInfo.InvariantCulture),
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
        });
}
