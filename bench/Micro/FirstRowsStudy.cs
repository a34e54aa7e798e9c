using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// The first rows of an order, with and without conditions on another column: collections with an ordered index beside the same without. Also where the index does not pay, because too few rows fulfil
/// the condition, or the collection is small: then it must not cost. Answers are compared before times are printed.
/// </summary>
internal static class FirstRowsStudy
{
    public const string Verb = "first-rows";

    // Of so many accounts rows have one at random.
    private const int Accounts = 1_000_000;

    // Short ones in turns: the least time of each is that of a moment in which nobody disturbed.
    private const int Rounds = 41;
    private const double RoundNanoseconds = 6e6;

    private static readonly int[] Sizes = [10_000, 100_000, 1_000_000, 4_000_000];

    // Parts of a million rows that fulfil the condition.
    private static readonly int[] Shares = [Accounts, 100_000, 20_000, 5_000, 1_000, 100, 0];

    public static void Run(string[] arguments)
    {
        foreach (int rows in arguments.Length == 0 ? Sizes : [.. arguments.Select(text => int.Parse(text, CultureInfo.InvariantCulture))])
        {
            int[] keys = [.. Enumerable.Range(0, rows)];
            new Random(1).Shuffle(keys);
            using Collection<Trade> without = Fill(keys), with = Fill(keys);
            using OrderedIndex<Trade, long> byInstrument = with.CreateIndex(t => t.Instrument);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{rows:N0} rows in random order of keys"));
            Compare(without, with, "Min", static trades => [trades.Min(t => t.Instrument)]);
            Compare(without, with, "OrderBy.First", static trades => [trades.OrderBy(t => t.Instrument).First().Instrument]);
            foreach (int count in new[] { 10, 100, 1000 })
                Compare(without, with, $"OrderBy.Take({count})", trades => Query.Run(trades, count, static (trades, count) => trades.OrderBy(t => t.Instrument).Take(count).Select(t => t.Instrument).ToList()));
            foreach (int share in Shares)
            {
                string where = string.Create(CultureInfo.InvariantCulture, $"Where({100.0 * share / Accounts} %)");
                if (share > 0)
                    Compare(without, with, where + ".Max", trades => [Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).Max(t => t.Instrument))]);
                Compare(without, with, where + ".OrderBy.First", trades => [Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).OrderBy(t => t.Instrument).Select(t => t.Instrument).FirstOrDefault())]);
                Compare(without, with, where + ".OrderBy.Take(10)", trades => Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).OrderBy(t => t.Instrument).Take(10).Select(t => t.Instrument).ToList()));
                Compare(without, with, where + ".Sum, no first rows", trades => [(long)Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).Sum(t => t.Weight))]);
            }
        }
    }

    private static void Compare(Collection<Trade> without, Collection<Trade> with, string name, Func<Collection<Trade>, List<long>> query)
    {
        if (!query(without).SequenceEqual(query(with)))
            throw new InvalidOperationException($"The answers of {name} are different.");
        int repeats = (int)Math.Clamp(RoundNanoseconds / Time(without, query, 3), 1, 10_000);
        (double Without, double With) best = (double.MaxValue, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            best.Without = Math.Min(best.Without, Time(without, query, repeats));
            best.With = Math.Min(best.With, Time(with, query, repeats));
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {name,-34} without {best.Without / 1000,10:F1} us ({best.Without / without.Count:F2} ns a row), with {best.With / 1000,10:F1} us, ratio {best.Without / best.With,8:F2}"));
    }

    private static double Time(Collection<Trade> trades, Func<Collection<Trade>, List<long>> query, int repeats)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < repeats; i++)
            query(trades);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / repeats;
    }

    private static Collection<Trade> Fill(int[] keys)
    {
        Collection<Trade> trades = new();
        Random random = new(2);
        foreach (int key in keys)
            trades.Add(id: key, instrument: key, account: random.Next(Accounts), time: default, price: 0, quantity: 0, weight: 1);
        return trades;
    }
}
