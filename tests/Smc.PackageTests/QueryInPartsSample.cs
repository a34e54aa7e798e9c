namespace Smc.PackageTests;

/// <summary>A query that a method puts together from parts, in every combination. With <c>PublishAot</c> one that is not compiled would be an error.</summary>
internal static class QueryInPartsSample
{
    /// <summary>What it prints.</summary>
    public const string Output = """
        9 8 7
        1 2 3
        6 5 4
        3 4 5
        fallbacks: 0

        """;

    /// <summary>Its text.</summary>
    public const string Program = """
        using System.Diagnostics.Metrics;
        using Smc.Collections;

        long fallbacks = 0;
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Name is "smc.query.fallbacks")
                l.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => fallbacks += value);
        listener.Start();

        using Collection<Item> items = new();
        for (int i = 0; i < 10; i++)
            items.Add(number: i);
        Console.WriteLine(Page(items, null, ascending: false));
        Console.WriteLine(Page(items, null, ascending: true));
        Console.WriteLine(Page(items, (3, 6), ascending: false));
        Console.WriteLine(Page(items, (3, 6), ascending: true));
        Console.WriteLine($"fallbacks: {fallbacks}");

        static string Page(Collection<Item> items, (int Least, int Most)? range, bool ascending)
        {
            Query<Item> query = items.Where(i => i.Number > 0);
            if (range is { } only)
                query = query.Where(i => i.Number >= only.Least && i.Number <= only.Most);
            query = ascending ? query.OrderBy(i => i.Number) : query.OrderByDescending(i => i.Number);
            return string.Join(" ", query.Take(3).Select(i => i.Number).ToList());
        }

        [Tabular]
        public readonly partial struct Item
        {
            public partial int Number { get; set; }
        }
        """;
}
