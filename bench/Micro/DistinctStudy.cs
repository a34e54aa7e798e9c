using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Distinct accounts of each instrument among trades in no order, on one thread and on two, by the number of instruments, of accounts, and so of trades of one pair: from pairs that come once, which are logged and sorted, to
/// pairs that come thousands of times, which are looked for in a set. Answers are checked before times are printed.
/// </summary>
internal static class DistinctStudy
{
    public const string Verb = "distinct-counts";

    private const int Rounds = 21;

    private static readonly (int Rows, int Instruments, int Accounts)[] Shapes =
    [
        (100_000, 1_000, 1_000_000),
        (100_000, 20_000, 10_000),
        (1_000_000, 10, 10),
        (1_000_000, 1_000, 100),
        (1_000_000, 1_000, 500),
        (1_000_000, 1_000, 2_000),
        (1_000_000, 20_000, 10_000),
        (1_000_000, 200_000, 1_000_000),
        (6_000_000, 1_000, 1_000),
        (6_000_000, 100_000, 1_000_000),
    ];

    public static void Run()
    {
        foreach ((int rows, int instruments, int accounts) in Shapes)
        {
            Random random = new(1);
            using Collection<Trade> trades = new();
            HashSet<(long, long)> pairs = [];
            for (int i = 0; i < rows; i++)
            {
                Trade trade = trades.Add(id: i, instrument: random.Next(instruments), account: random.Next(accounts), time: default, price: 0, quantity: 0, weight: 0);
                pairs.Add((trade.Instrument, trade.Account));
            }

            double one = Best(trades, threads: 1, pairs.Count), two = Best(trades, threads: 2, pairs.Count);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{rows,9:N0} trades, {instruments,7:N0} instruments, {accounts,9:N0} accounts, {pairs.Count,9:N0} pairs: {one / rows,5:F1} ns a trade on one thread, {two / rows,5:F1} on two ({one / two:F2})"));
        }
    }

    private static double Best(Collection<Trade> trades, int threads, int pairs)
    {
        double best = double.MaxValue;
        using (Query.Use(new QueryOptions { DegreeOfParallelism = threads }))
        {
            for (int round = 0; round < Rounds; round++)
            {
                long start = Stopwatch.GetTimestamp();
                List<int> counts = Query.Run(trades, static trades => (from t in trades group t.Account by t.Instrument into g select g.Distinct().Count()).ToList());
                best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds);
                if (counts.Sum() != pairs)
                    throw new InvalidOperationException($"{counts.Sum()} pairs were counted, and there are {pairs}.");
            }
        }

        return best;
    }
}
