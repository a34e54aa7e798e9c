using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Joins of few rows with a collection of which any number of rows have a key: with an ordered index on the key beside the same without, by the number of rows on both sides and of those with one key. Also where the index does not pay,
/// because many rows ask, keys have many rows, or one key of those that are asked for has (it is seen on the way, and the table is made after all): then it must not cost. Answers are compared before times are printed.
/// </summary>
internal static class PartnerStudy
{
    public const string Verb = "partners";

    private const int Popular = -1;

    private static readonly int[] Sizes = [3_000, 10_000, 100_000, 1_000_000];
    private static readonly int[] RowsOfKey = [1, 10, 100];
    private static readonly int[] Asking = [1, 4, 16, 64, 256, 4_096];

    public static void Run(string[] arguments)
    {
        foreach (int rows in arguments.Length == 0 ? Sizes : [.. arguments.Select(text => int.Parse(text, CultureInfo.InvariantCulture))])
        {
            foreach (int ofKey in RowsOfKey)
            {
                long[] keys = [.. Enumerable.Range(0, rows).Select(i => (long)i / ofKey)];
                new Random(1).Shuffle(keys);
                Compare(keys, string.Create(CultureInfo.InvariantCulture, $"{rows:N0} rows, {ofKey} with each key"));
            }

            long[] uneven = [.. Enumerable.Range(0, rows).Select(i => i > rows * 0.15 && i < rows * 0.35 ? Popular : (long)i)];
            Compare(uneven, string.Create(CultureInfo.InvariantCulture, $"{rows:N0} rows, of which a fifth have one key, which is asked for last"), last: Popular);
        }
    }

    private static void Compare(long[] keys, string title, long? last = null)
    {
        using Collection<Trade> without = Fill(keys), with = Fill(keys);
        using OrderedIndex<Trade, long> byInstrument = with.CreateIndex(t => t.Instrument);
        Console.WriteLine(title);
        long[] different = [.. keys.Distinct().Where(key => key >= 0)];
        foreach (int count in Asking.Where(count => count <= different.Length))
        {
            long[] asked = [.. different.Where((_, i) => i % (different.Length / count) == 0).Take(count)];
            if (last is { } popular)
                asked[^1] = popular;
            using Collection<Trade> orders = Fill(asked);
            string name = string.Create(CultureInfo.InvariantCulture, $"{count:N0} asking");
            IndexComparison.Compare(without, with, name, trades => Query.Run(orders, trades, static (orders, trades) => orders.Join(trades, o => o.Instrument, t => t.Instrument, (o, t) => t.Id).ToList()));
            IndexComparison.Compare(without, with, name + ", conditions", trades => Query.Run(orders, trades, static (orders, trades) => orders.Join(trades.Where(t => t.Weight > 2), o => o.Instrument, t => t.Instrument, (o, t) => t.Id).ToList()));
            IndexComparison.Compare(
                without, with, name + ", join into", trades => Query.Run(orders, trades, static (orders, trades) => (from o in orders join t in trades on o.Instrument equals t.Instrument into found select (long)found.Count()).ToList()));
            IndexComparison.Compare(without, with, name + ", any", trades => Query.Run(orders, trades, static (orders, trades) => orders.Where(o => trades.Any(t => t.Instrument == o.Instrument)).Select(o => o.Id).ToList()));
        }
    }

    private static Collection<Trade> Fill(long[] keys)
    {
        Collection<Trade> trades = new();
        for (int i = 0; i < keys.Length; i++)
            trades.Add(id: i, instrument: keys[i], account: i, time: default, price: 0, quantity: 0, weight: i % 4);
        return trades;
    }
}
