using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Ranges of an ordered index: what a query that looks them up costs beside the scan, in random order of keys and in ascending order, and what the index adds to an addition. Answers are compared
/// before times are printed.
/// </summary>
internal static class OrderedIndexStudy
{
    public const string Verb = "ordered-index";
    private const int Rows = 4_000_000;
    private const int Rounds = 5;
    private const int Queries = 20;

    public static void Run(string[] arguments)
    {
        int rows = arguments is [var count, ..] ? int.Parse(count, CultureInfo.InvariantCulture) : Rows;
        foreach (bool isShuffled in new[] { true, false })
        {
            int[] keys = [.. Enumerable.Range(0, rows)];
            if (isShuffled)
                new Random(1).Shuffle(keys);
            Ranges(keys, isShuffled ? "random" : "ascending");
            Additions(keys.AsSpan(0, rows / 4).ToArray(), isShuffled ? "random" : "ascending");
        }
    }

    private static void Ranges(int[] keys, string order)
    {
        using Collection<Trade> without = Fill(keys), with = Fill(keys);
        long start = Stopwatch.GetTimestamp();
        using OrderedIndex<Trade, long> byInstrument = with.CreateIndex(t => t.Instrument);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{keys.Length:N0} rows, {order} order: built in {Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length:F0} ns a row, {(double)byInstrument.MemoryBytes / keys.Length:F1} bytes a row"));
        foreach (int width in new[] { 1, 10, 100, 1_000, keys.Length / 1000, keys.Length / 300, keys.Length / 100, keys.Length / 10 })
        {
            (double Scan, double Index) best = (double.MaxValue, double.MaxValue);
            for (int round = 0; round < Rounds; round++)
            {
                best.Scan = Math.Min(best.Scan, Ask(without, keys.Length, width));
                best.Index = Math.Min(best.Index, Ask(with, keys.Length, width));
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {width,9:N0} rows: without {best.Scan / 1000,9:F1} us, with {best.Index / 1000,9:F1} us, ratio {best.Scan / best.Index:F2}"));
        }

        start = Stopwatch.GetTimestamp();
        int rows = 0;
        foreach (Trade row in byInstrument.All)
            rows++;
        Require(rows == keys.Length);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  enumerated in {Stopwatch.GetElapsedTime(start).TotalNanoseconds / rows:F0} ns a row"));
    }

    private static double Ask(Collection<Trade> trades, int rows, int width)
    {
        Random random = new(width);
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Queries; i++)
        {
            int from = random.Next(rows - width + 1), to = from + width;
            double sum = Query.Run(trades, from, to, static (trades, from, to) => trades.Where(t => t.Instrument >= from && t.Instrument < to).Sum(t => t.Weight));
            Require(sum == ((double)from + to - 1) * width / 2);
        }

        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / Queries;
    }

    private static void Additions(int[] keys, string order)
    {
        (double Without, double With) best = (double.MaxValue, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            best.Without = Math.Min(best.Without, Add(keys, isIndexed: false));
            best.With = Math.Min(best.With, Add(keys, isIndexed: true));
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"adding {keys.Length:N0} rows in {order} order: {best.Without:F0} ns a row without an index, {best.With:F0} ns with one"));
    }

    private static double Add(int[] keys, bool isIndexed)
    {
        using Collection<Trade> trades = new();
        using OrderedIndex<Trade, long>? byInstrument = isIndexed ? trades.CreateIndex(t => t.Instrument) : null;
        long start = Stopwatch.GetTimestamp();
        foreach (int key in keys)
            Add(trades, key);
        double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length;
        Require(byInstrument is null || byInstrument.LongCount == keys.Length);
        return nanoseconds;
    }

    private static Collection<Trade> Fill(int[] keys)
    {
        Collection<Trade> trades = new();
        foreach (int key in keys)
            Add(trades, key);
        return trades;
    }

    private static void Add(Collection<Trade> trades, int key) => trades.Add(id: key, instrument: key, account: 1, time: default, price: 0, quantity: 0, weight: key);

    private static void Require(bool holds)
    {
        if (!holds)
            throw new InvalidOperationException("An answer is wrong.");
    }
}
