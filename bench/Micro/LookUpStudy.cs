using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>A row that calls refer to, by reference and by key.</summary>
[Tabular]
public readonly partial struct Subscriber
{
    public partial long Number { get; set; }
    public partial int Tariff { get; set; }
}

/// <summary>A row with both ways to its subscriber.</summary>
[Tabular]
public readonly partial struct Call
{
    public partial long Number { get; set; }
    public partial Subscriber Subscriber { get; set; }
}

/// <summary>
/// What it takes to look the rows up that a scan refers to, by how many there are: a condition behind a reference, and a join on a key whose table has few of the integers in its span. Answers are compared with a
/// loop over arrays. A thousand collections came and went before.
/// </summary>
internal static class LookUpStudy
{
    public const string Verb = "lookups";

    private const int Calls = 4_000_000;
    private const int Rounds = 15;

    public static void Run()
    {
        LoadAnew();
        Console.WriteLine("| subscribers | integers for a number | calls | condition behind the reference, ns a call | join on the number, ns a call |");
        Console.WriteLine("| ---: | ---: | --- | ---: | ---: |");
        foreach (bool isOrdered in new[] { true, false })
        {
            foreach ((int subscribers, int spread) in new[] { (500, 1), (4_000, 1), (5_000, 1), (50_000, 1), (200_000, 1), (200_000, 4), (200_000, 12), (200_000, 25), (2_000_000, 4) })
                Measure(subscribers, spread, isOrdered);
        }
    }

    /// <summary>Collections come and go first, as in a service that loads its tables anew: those that are measured are none of the first.</summary>
    private static void LoadAnew()
    {
        const int Loads = 1_000;
        for (int load = 0; load < Loads; load++)
        {
            using Collection<Subscriber> all = new();
            all.Add(number: load, tariff: 7);
        }
    }

    private static void Measure(int subscribers, int spread, bool isOrdered)
    {
        using MemoryManager manager = new();
        CollectionOptions options = new() { Manager = manager };
        using Collection<Subscriber> all = new(options);
        using Collection<Call> calls = new(options);
        Random random = new(5);
        int[] tariffs = [.. Enumerable.Range(0, subscribers).Select(_ => random.Next(20))];
        Subscriber[] rows = [.. Enumerable.Range(0, subscribers).Select(i => all.Add(number: (long)i * spread, tariff: tariffs[i]))];
        long expected = 0;
        for (int i = 0; i < Calls; i++)
        {
            int subscriber = isOrdered ? (int)((long)i * subscribers / Calls) : random.Next(subscribers);
            calls.Add(number: (long)subscriber * spread, subscriber: rows[subscriber]);
            expected += tariffs[subscriber] == 7 ? 1 : 0;
        }

        const int Tariff = 7;
        double byReference = double.MaxValue, byKey = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            byReference = Math.Min(byReference, Time(expected, () => calls.LongCount(call => call.Subscriber.Tariff == Tariff)));
            byKey = Math.Min(byKey, Time(expected, () => Query.Run(calls, all, static (calls, all) => (from call in calls join subscriber in all on call.Number equals subscriber.Number where subscriber.Tariff == Tariff select call).LongCount())));
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {subscribers:N0} | {spread} | {(isOrdered ? "in their order" : "in any order")} | {byReference / Calls:F2} | {byKey / Calls:F2} |"));
    }

    private static double Time(long expected, Func<long> count)
    {
        long start = Stopwatch.GetTimestamp(), found = count();
        double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        return found == expected ? nanoseconds : throw new InvalidOperationException($"{found:N0} calls are found, and {expected:N0} are there.");
    }
}
