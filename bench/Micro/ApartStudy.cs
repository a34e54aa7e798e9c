using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>A row, row by row in memory, that refers to another, has its number, and has two days that are compared.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Parcel
{
    public partial long Number { get; set; }
    public partial Subscriber Receiver { get; set; }
    public partial DateOnly Promised { get; set; }
    public partial DateOnly Delivered { get; set; }
    public partial Guid Label { get; set; }
    public partial Guid Route { get; set; }
    public partial decimal Weight { get; set; }
    public partial long Sender { get; set; }
    public partial long Depot { get; set; }
}

/// <summary>The same, column by column.</summary>
[Tabular]
public readonly partial struct Shipment
{
    public partial long Number { get; set; }
    public partial Subscriber Receiver { get; set; }
    public partial DateOnly Promised { get; set; }
    public partial DateOnly Delivered { get; set; }
}

/// <summary>
/// What conditions take that blocks can answer by 16 bits a value, in rows and in columns: a comparison of two columns, a condition behind a reference, a join on a key. Answers are compared with those of loops over
/// arrays.
/// </summary>
internal static class ApartStudy
{
    public const string Verb = "apart";

    private const int Parcels = 3_000_000;
    private const int Rounds = 15;
    private const int Tariffs = 200;
    private const int Tariff = 7;

    public static void Run()
    {
        Console.WriteLine("| receivers | parcels | two days, rows | two days, columns | behind the reference, rows | columns | join on the number, rows | columns |");
        Console.WriteLine("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach ((int receivers, bool isOrdered) in new[] { (50_000, false), (200_000, false), (1_500_000, false), (1_500_000, true) })
            Measure(receivers, isOrdered);
    }

    private static void Measure(int receivers, bool isOrdered)
    {
        using MemoryManager manager = new();
        CollectionOptions options = new() { Manager = manager };
        using Collection<Subscriber> all = new(options);
        using Collection<Parcel> parcels = new(options);
        using Collection<Shipment> shipments = new(options);
        Random random = new(5);
        int[] tariffs = [.. Enumerable.Range(0, receivers).Select(_ => random.Next(Tariffs))];
        Subscriber[] rows = [.. Enumerable.Range(0, receivers).Select(i => all.Add(number: i, tariff: tariffs[i]))];
        long late = 0, found = 0;
        DateOnly start = new(2026, 1, 1);
        for (int i = 0; i < Parcels; i++)
        {
            int receiver = isOrdered ? (int)((long)i * receivers / Parcels) : random.Next(receivers);
            DateOnly promised = start.AddDays(random.Next(700)), delivered = promised.AddDays(random.Next(-9, 3));
            parcels.Add(number: receiver, receiver: rows[receiver], promised: promised, delivered: delivered, label: default, route: default, weight: 1, sender: i, depot: i);
            shipments.Add(number: receiver, receiver: rows[receiver], promised: promised, delivered: delivered);
            late += promised < delivered ? 1 : 0;
            found += tariffs[receiver] == Tariff ? 1 : 0;
        }

        (long Expected, Func<long> Count)[] queries =
        [
            (late, () => parcels.LongCount(p => p.Promised < p.Delivered)),
            (late, () => shipments.LongCount(p => p.Promised < p.Delivered)),
            (found, () => parcels.LongCount(p => p.Receiver.Tariff == Tariff)),
            (found, () => shipments.LongCount(p => p.Receiver.Tariff == Tariff)),
            (found, () => Query.Run(parcels, all, static (parcels, all) => (from p in parcels join s in all on p.Number equals s.Number where s.Tariff == Tariff select p).LongCount())),
            (found, () => Query.Run(shipments, all, static (parcels, all) => (from p in parcels join s in all on p.Number equals s.Number where s.Tariff == Tariff select p).LongCount())),
        ];
        double[] best = [.. queries.Select(_ => double.MaxValue)];
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < queries.Length; i++)
            {
                long begin = Stopwatch.GetTimestamp(), count = queries[i].Count();
                best[i] = Math.Min(best[i], Stopwatch.GetElapsedTime(begin).TotalNanoseconds / Parcels);
                if (count != queries[i].Expected)
                    throw new InvalidOperationException($"{count:N0} parcels are found, and {queries[i].Expected:N0} are there.");
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {receivers:N0} | {(isOrdered ? "in their order" : "in any order")} | {string.Join(" | ", best.Select(b => b.ToString("F2", CultureInfo.InvariantCulture)))} |"));
    }
}
