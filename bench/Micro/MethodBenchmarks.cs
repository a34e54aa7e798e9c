using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>Goal: a query whose parts are static methods costs what it costs written out. One call for a row costs a handle, the checks of its columns, and the kernel's filters.</summary>
public class MethodBenchmarks
{
    private const int Count = 1_000_000;

    private readonly Collection<Trade> _trades = new();

    [GlobalSetup]
    public void Fill()
    {
        Random random = new(3);
        for (int i = 0; i < Count; i++)
            _trades.Add(id: i, instrument: i % 100, account: i % 1000, time: default, price: random.Next(1, 100_000) / 100m, quantity: random.Next(1, 1000), weight: 1);
        if (InMethods() != InPlace() || Called() != InPlace())
            throw new InvalidOperationException("The answers differ.");
    }

    [Benchmark(Baseline = true)]
    public decimal InPlace() => Query.Run(_trades, static trades => trades.Where(t => t.Account < 500 && t.Price >= 500m).Sum(t => t.Price * t.Quantity));

    [Benchmark]
    public decimal InMethods() => Query.Run(_trades, static trades => trades.Where(IsLarge).Sum(Value));

    [Benchmark]
    public decimal Called() => Query.Run(_trades, static trades => trades.Where(t => IsLargeCalled(t)).Sum(t => ValueCalled(t)));

    [GlobalCleanup]
    public void Free() => _trades.Dispose();

    private static bool IsLarge(Trade trade) => trade.Account < 500 && trade.Price >= 500m;

    private static decimal Value(Trade trade) => trade.Price * trade.Quantity;

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static bool IsLargeCalled(Trade trade) => trade.Account < 500 && trade.Price >= 500m;

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static decimal ValueCalled(Trade trade) => trade.Price * trade.Quantity;
}
