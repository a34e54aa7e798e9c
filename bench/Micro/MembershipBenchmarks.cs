using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>Goal: which rows are referred to costs little more after rows were removed. Then a handle may be that of a removed row, and its entry is looked at before its dense id counts.</summary>
public class MembershipBenchmarks
{
    private const int Targets = 500_000, References = 2_000_000;

    private readonly Collection<Trade> _targets = new(), _fresh = new(), _worn = new(), _wornTargets = new();

    [GlobalSetup]
    public void Fill()
    {
        Fill(_targets, _fresh, removed: 0);
        Fill(_wornTargets, _worn, removed: Targets / 100);
        if (Fresh() != Expected(_targets, _fresh) || Worn() != Expected(_wornTargets, _worn))
            throw new InvalidOperationException("The answers differ.");
    }

    [Benchmark(Baseline = true)]
    public int Fresh() => Count(_targets, _fresh);

    [Benchmark]
    public int Worn() => Count(_wornTargets, _worn);

    [GlobalCleanup]
    public void Free()
    {
        foreach (Collection<Trade> trades in new[] { _fresh, _worn, _targets, _wornTargets })
            trades.Dispose();
    }

    private static int Count(Collection<Trade> targets, Collection<Trade> references) =>
        Query.Run(targets, references, static (targets, references) => targets.Count(t => references.Any(r => r.Previous == t && r.Quantity > 500)));

    private static int Expected(Collection<Trade> targets, Collection<Trade> references)
    {
        HashSet<Trade> referred = [.. references.ToList().Where(r => r.Quantity > 500).Select(r => r.Previous)];
        return targets.ToList().Count(referred.Contains);
    }

    private static void Fill(Collection<Trade> targets, Collection<Trade> references, int removed)
    {
        Random random = new(7);
        List<Trade> rows = [.. Enumerable.Range(0, Targets).Select(i => targets.Add(id: i, instrument: i % 100, account: i, time: default, price: 1, quantity: 1, weight: 1))];
        for (int i = 0; i < References; i++)
            references.Add(id: i, instrument: i % 100, account: i, time: default, price: 1, quantity: random.Next(1, 1000), weight: 1, previous: rows[i / (References / Targets)]);
        foreach (Trade row in rows.Where((_, i) => i % 100 == 0).Take(removed))
            targets.Remove(row);
    }
}
