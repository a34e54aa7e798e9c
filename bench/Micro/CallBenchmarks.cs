using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>Goal: calling a compiled query costs under 10 ns and no allocation on top of its scan; an empty collection shows it (DESIGN 6).</summary>
[MemoryDiagnoser]
public class CallBenchmarks
{
    private static readonly Func<IEnumerable<Trade>, long, long> Compiled =
        Query.Compile((IEnumerable<Trade> trades, long account) => (from t in trades where t.Account == account select t.Id).Sum());

    private readonly Collection<Trade> _trades = new();

    [Benchmark]
    public long Run() => Query.Run(_trades, 7L, static (trades, account) => (from t in trades where t.Account == account select t.Id).Sum());

    [Benchmark]
    public long CompiledDelegate() => Compiled(_trades, 7L);

    [GlobalCleanup]
    public void Free() => _trades.Dispose();
}
