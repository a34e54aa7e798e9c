using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Goal: a join costs the same whichever side is written first, where nothing observes the order of its pairs. A sum of <c>double</c> observes it, so there the details go into the
/// table because they are written second.
/// </summary>
public class BuildSideBenchmarks
{
    private const int Masters = 100_000, Details = 4_000_000;

    private readonly Collection<Account> _accounts = new();
    private readonly Collection<Trade> _trades = new();

    [GlobalSetup]
    public void Fill()
    {
        Random random = new(5);
        for (int i = 0; i < Masters; i++)
            _accounts.Add(number: i, region: i % 7);
        for (int i = 0; i < Details; i++)
            _trades.Add(id: i, instrument: i % 100, account: random.Next(Masters), time: default, price: random.Next(1, 100_000) / 100m, quantity: random.Next(1, 1000), weight: random.Next(1, 1000));
        if (MastersFirst() != DetailsFirst() || (long)MastersFirstInOrder() != DetailsFirst())
            throw new InvalidOperationException("The answers differ.");
    }

    [Benchmark(Baseline = true)]
    public long DetailsFirst() => Query.Run(_trades, _accounts, static (trades, accounts) =>
        trades.Join(accounts, t => t.Account, a => a.Number, (t, a) => new { t, a }).Where(x => x.a.Region != 3).Sum(x => (long)x.t.Weight));

    [Benchmark]
    public long MastersFirst() => Query.Run(_trades, _accounts, static (trades, accounts) =>
        accounts.Join(trades, a => a.Number, t => t.Account, (a, t) => new { t, a }).Where(x => x.a.Region != 3).Sum(x => (long)x.t.Weight));

    [Benchmark]
    public double MastersFirstInOrder() => Query.Run(_trades, _accounts, static (trades, accounts) =>
        accounts.Join(trades, a => a.Number, t => t.Account, (a, t) => new { t, a }).Where(x => x.a.Region != 3).Sum(x => x.t.Weight));

    [GlobalCleanup]
    public void Free()
    {
        _trades.Dispose();
        _accounts.Dispose();
    }
}
