using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>Goal: a dereference in cache under 6 ns through the property, with its own critical section (DESIGN 6).</summary>
public class DereferenceBenchmarks
{
    private const int N = 200;   // rows: 200 of them stay in the first-level cache

    private readonly Collection<Trade> _trades = new();
    private readonly Trade[] _handles = new Trade[N];
    private readonly List<ManagedTrade> _managed = [];

    [GlobalSetup]
    public void Fill()
    {
        for (int i = 0; i < N; i++)
        {
            _handles[i] = _trades.Add(id: i, instrument: i, account: i, time: DateTime.UnixEpoch, price: i, quantity: i, weight: i);
            _managed.Add(new ManagedTrade { Id = i });
        }

        if (Property() != ManagedProperty())
            throw new InvalidOperationException("The two sums must be equal.");
    }

    [Benchmark(OperationsPerInvoke = N)]
    public long Property()
    {
        long sum = 0;
        foreach (Trade trade in _handles)
            sum += trade.Id;
        return sum;
    }

    [Benchmark(OperationsPerInvoke = N, Baseline = true)]
    public long ManagedProperty()
    {
        long sum = 0;
        foreach (ManagedTrade trade in _managed)
            sum += trade.Id;
        return sum;
    }

    [GlobalCleanup]
    public void Free() => _trades.Dispose();
}
