using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Engines;
using Smc.Collections;

namespace Micro;

/// <summary>Goal: adding a row of 64 bytes is not slower than <c>new</c> and <c>List.Add</c> of the same class (DESIGN 6).</summary>
[SimpleJob(RunStrategy.Monitoring, launchCount: 1, warmupCount: 3, iterationCount: 9, invocationCount: 1)]
public class AddBenchmarks
{
    private const int N = 1_000_000;

    private Collection<Trade> _trades = new();
    private List<ManagedTrade> _managed = [];

    [IterationSetup]
    public void Empty()
    {
        _trades.Dispose();
        _trades = new Collection<Trade>();
        _managed = [];
        GC.Collect();
    }

    [Benchmark(OperationsPerInvoke = N)]
    public long Add()
    {
        for (int i = 0; i < N; i++)
            _trades.Add(id: i, instrument: i, account: i, time: DateTime.UnixEpoch, price: 1.25m, quantity: 100m, weight: i);
        return Checked(_trades.Count);
    }

    [Benchmark(OperationsPerInvoke = N, Baseline = true)]
    public long NewAndListAdd()
    {
        for (int i = 0; i < N; i++)
            _managed.Add(new ManagedTrade { Id = i, Instrument = i, Account = i, Time = DateTime.UnixEpoch, Price = 1.25m, Quantity = 100m, Weight = i });
        return Checked(_managed.Count);
    }

    [GlobalCleanup]
    public void Free() => _trades.Dispose();

    private static long Checked(int count) => count == N ? count : throw new InvalidOperationException($"{count} rows instead of {N}.");
}
