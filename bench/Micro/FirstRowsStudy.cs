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

    // So many rows have one day, as orders do.
    private const int RowsOfDay = 600;

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
            IndexComparison.Compare(without, with, "Min", static trades => [trades.Min(t => t.Instrument)]);
            IndexComparison.Compare(without, with, "OrderBy.First", static trades => [trades.OrderBy(t => t.Instrument).First().Instrument]);
            foreach (int count in new[] { 10, 100, 1000 })
                IndexComparison.Compare(without, with, $"OrderBy.Take({count})", trades => Query.Run(trades, count, static (trades, count) => trades.OrderBy(t => t.Instrument).Take(count).Select(t => t.Instrument).ToList()));
            using OrderedIndex<Trade, decimal> byDay = with.CreateIndex(t => t.Quantity);
            IndexComparison.Compare(without, with, "of days: OrderBy.Take(10)", static trades => trades.OrderByDescending(t => t.Quantity).Take(10).Select(t => t.Id).ToList());
            IndexComparison.Compare(without, with, "of days: Where(one).Sum", static trades => [(long)trades.Where(t => t.Quantity == 1).Sum(t => t.Weight)]);
            IndexComparison.Compare(without, with, "of days: Where(seven).Sum", static trades => [(long)trades.Where(t => t.Quantity >= 1 && t.Quantity < 8).Sum(t => t.Weight)]);
            foreach (int share in Shares)
            {
                string where = string.Create(CultureInfo.InvariantCulture, $"Where({100.0 * share / Accounts} %)");
                if (share > 0)
                    IndexComparison.Compare(without, with, where + ".Max", trades => [Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).Max(t => t.Instrument))]);
                IndexComparison.Compare(without, with, where + ".OrderBy.First", trades => [Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).OrderBy(t => t.Instrument).Select(t => t.Instrument).FirstOrDefault())]);
                IndexComparison.Compare(without, with, where + ".OrderBy.Take(10)", trades => Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).OrderBy(t => t.Instrument).Take(10).Select(t => t.Instrument).ToList()));
                IndexComparison.Compare(without, with, where + ".Sum, no first rows", trades => [(long)Query.Run(trades, share, static (trades, share) => trades.Where(t => t.Account < share).Sum(t => t.Weight))]);
            }
        }
    }

    private static Collection<Trade> Fill(int[] keys)
    {
        Collection<Trade> trades = new();
        Random random = new(2);
        foreach (int key in keys)
            trades.Add(id: key, instrument: key, account: random.Next(Accounts), time: default, price: 0, quantity: random.Next((keys.Length / RowsOfDay) + 1), weight: 1);
        return trades;
    }
}
