using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Rows whose key is in a list, or one of several that the query names: collections with a unique index beside the same without, by the number of rows and of keys. Also where the index does not pay, because the list is long, the collection small, or other
/// conditions leave little of the scan: then it must not cost. Answers are compared before times are printed.
/// </summary>
internal static class ListedKeyStudy
{
    public const string Verb = "listed-keys";

    private static readonly int[] Sizes = [1_000, 10_000, 100_000, 1_000_000];
    private static readonly int[] Lengths = [1, 4, 16, 64, 256, 1_024, 4_096];

    public static void Run(string[] arguments)
    {
        foreach (int rows in arguments.Length == 0 ? Sizes : [.. arguments.Select(text => int.Parse(text, CultureInfo.InvariantCulture))])
        {
            long[] keys = [.. Enumerable.Range(0, rows).Select(i => (long)i)];
            new Random(1).Shuffle(keys);
            using Collection<Trade> without = Fill(keys), with = Fill(keys);
            using UniqueIndex<Trade, long> byId = with.CreateUniqueIndex(t => t.Id);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{rows:N0} rows in random order of keys"));
            foreach (int length in Lengths.Where(length => length <= rows))
            {
                long[] list = [.. keys.Where((_, i) => i % (rows / length) == 0).Take(length)];
                HashSet<long> set = [.. list];
                IndexComparison.Compare(without, with, string.Create(CultureInfo.InvariantCulture, $"array of {length:N0}"), trades => Query.Run(trades, list, static (trades, list) => trades.Where(t => list.Contains(t.Id)).Select(t => t.Id).ToList()));
                IndexComparison.Compare(without, with, string.Create(CultureInfo.InvariantCulture, $"set of {length:N0}"), trades => Query.Run(trades, set, static (trades, set) => trades.Where(t => set.Contains(t.Id)).Select(t => t.Id).ToList()));
                IndexComparison.Compare(without, with, string.Create(CultureInfo.InvariantCulture, $"array of {length:N0}, few blocks"), trades => Query.Run(trades, list, static (trades, list) => trades.Where(t => t.Account < 300 && list.Contains(t.Id)).Select(t => t.Id).ToList()));
            }

            long a = keys[0], b = keys[rows / 2], c = keys[rows / 3], d = keys[^1];
            IndexComparison.Compare(without, with, "two by ||", trades => Query.Run(trades, a, b, static (trades, a, b) => trades.Where(t => t.Id == a || t.Id == b).Select(t => t.Id).ToList()));
            IndexComparison.Compare(without, with, "four by ||", trades => Query.Run(trades, a, b, c, d, static (trades, a, b, c, d) => trades.Where(t => t.Id == a || t.Id == b || t.Id == c || t.Id == d).Select(t => t.Id).ToList()));
            IndexComparison.Compare(
                without, with, "four by ||, few blocks", trades => Query.Run(trades, a, b, c, d, static (trades, a, b, c, d) => trades.Where(t => t.Account < 300 && (t.Id == a || t.Id == b || t.Id == c || t.Id == d)).Select(t => t.Id).ToList()));
        }
    }

    private static Collection<Trade> Fill(long[] keys)
    {
        Collection<Trade> trades = new();
        for (int i = 0; i < keys.Length; i++)
            trades.Add(id: keys[i], instrument: 1, account: i, time: default, price: 0, quantity: 0, weight: 1);
        return trades;
    }
}
