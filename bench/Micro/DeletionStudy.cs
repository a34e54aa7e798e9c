using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

[Tabular]
internal readonly partial struct Purchase
{
    public partial long Key { get; set; }

    public partial int Customer { get; set; }

    public partial DateOnly Date { get; set; }

    [Precision(12, 2)]
    public partial decimal Total { get; set; }
}

[Tabular]
internal readonly partial struct PurchaseLine
{
    public partial long Purchase { get; set; }

    public partial int Number { get; set; }

    public partial DateOnly Shipped { get; set; }

    public partial int Quantity { get; set; }

    [Precision(12, 2)]
    public partial decimal Price { get; set; }
}

/// <summary>What it costs to remove a thousandth of the purchases with their lines: found by a scan and by an index, with no other indexes and with some.</summary>
internal static class DeletionStudy
{
    public const string Verb = "deletion";
    private const int Purchases = 300_000;
    private const int LinesOfOne = 4;
    private const int MostLines = 5;
    private const int Share = 1_000;
    private const int Rounds = 100;

    public static void Run(string[] arguments)
    {
        Console.WriteLine("| indexes | rows that go lie | by scan, us | by index, us | ns a row | times faster |");
        Console.WriteLine("| --- | --- | ---: | ---: | ---: | ---: |");
        foreach (string indexes in arguments is [] ? ["none", "keys", "all"] : arguments)
        {
            Measure(indexes, random: false);
            Measure(indexes, random: true);
        }
    }

    private static void Measure(string indexes, bool random)
    {
        using MemoryManager manager = new();
        using Collection<Purchase> purchases = new(new CollectionOptions { Manager = manager });
        using Collection<PurchaseLine> lines = new(new CollectionOptions { Manager = manager });
        Random dice = new(1);
        for (int key = 0; key < Purchases; key++) Add(purchases, lines, key, dice);
        UniqueIndex<Purchase, long>? byKey = null;
        UniqueIndex<PurchaseLine, (long, int)>? byPurchase = null;
        if (indexes != "none")
        {
            byKey = purchases.CreateUniqueIndex(p => p.Key);
            byPurchase = lines.CreateUniqueIndex(l => ValueTuple.Create(l.Purchase, l.Number));
        }
        if (indexes == "all")
        {
            purchases.CreateIndex(p => p.Date);
            purchases.CreateIndex(p => p.Customer);
            lines.CreateIndex(l => l.Shipped);
        }
        const int Removed = Purchases / Share;
        double scan = double.MaxValue, index = double.MaxValue;
        int[] order = [.. Enumerable.Range(0, Purchases)];
        if (random) dice.Shuffle(order);
        int next = 0;
        for (int round = 0; round < 2 * Rounds; round++)
        {
            HashSet<long> keys = [.. order.AsSpan(next, Removed).ToArray().Select(static k => (long)k)];
            next += Removed;
            long start = Stopwatch.GetTimestamp();
            long removed = 0;
            if (round % 2 == 1 && byKey is not null)
            {
                removed = RemoveByIndex(purchases, lines, byKey, byPurchase!, keys);
                index = Math.Min(index, Stopwatch.GetElapsedTime(start).TotalMicroseconds);
            }
            else
            {
                removed = lines.RemoveWhere(l => keys.Contains(l.Purchase)) + purchases.RemoveWhere(p => keys.Contains(p.Key));
                scan = Math.Min(scan, Stopwatch.GetElapsedTime(start).TotalMicroseconds);
            }
            if (removed != Removed * (1 + LinesOfOne)) throw new InvalidOperationException($"{removed} rows were removed.");
            for (int i = 0; i < Removed; i++) Add(purchases, lines, Purchases + next + i, dice);
        }
        const double Rows = Removed * (1 + LinesOfOne);
        string byIndex = byKey is null ? " | | " : string.Create(CultureInfo.InvariantCulture, $"{index:0} | {index * 1000 / Rows:0} | {scan / index:0.0}");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {indexes} | {(random ? "anywhere" : "side by side")} | {scan:0} | {byIndex} |"));
    }

    private static long RemoveByIndex(
        Collection<Purchase> purchases, Collection<PurchaseLine> lines, UniqueIndex<Purchase, long> byKey, UniqueIndex<PurchaseLine, (long, int)> byPurchase, HashSet<long> keys)
    {
        long[] wanted = [.. keys];
        (long, int)[] wantedLines = new (long, int)[wanted.Length * MostLines];
        for (int i = 0; i < wantedLines.Length; i++) wantedLines[i] = (wanted[i / MostLines], (i % MostLines) + 1);
        Purchase[] found = new Purchase[wanted.Length];
        byKey.Find(wanted, found);
        PurchaseLine[] foundLines = new PurchaseLine[wantedLines.Length];
        byPurchase.Find(wantedLines, foundLines);
        return lines.RemoveRange(foundLines) + purchases.RemoveRange(found);
    }

    private static void Add(Collection<Purchase> purchases, Collection<PurchaseLine> lines, long key, Random dice)
    {
        purchases.Add(key: key, customer: dice.Next(30_000), date: new DateOnly(1992, 1, 1).AddDays(dice.Next(2_400)), total: 1);
        for (int number = 1; number <= LinesOfOne; number++)
            lines.Add(purchase: key, number: number, shipped: new DateOnly(1992, 1, 1).AddDays(dice.Next(2_400)), quantity: 1, price: 1);
    }
}
