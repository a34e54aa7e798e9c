using BenchmarkDotNet.Attributes;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Goal: <c>Query.Run</c> and a compiled delegate cost under 10 ns and no allocation on top of the kernel that they call (DESIGN 6). The collection is
/// empty, so the baseline is what a kernel costs before its first row.
/// </summary>
[MemoryDiagnoser]
public partial class CallBenchmarks
{
    private static readonly Func<IEnumerable<Trade>, long, long> Compiled =
        Query.Compile((IEnumerable<Trade> trades, long account) => (from t in trades where t.Account == account select t.Id).Sum());

    private readonly Collection<Trade> _trades = new();

    [Benchmark(Baseline = true)]
    public long Kernel() => OfAccount(_trades, 7L);

    [Benchmark]
    public long Run() => Query.Run(_trades, 7L, static (trades, account) => (from t in trades where t.Account == account select t.Id).Sum());

    [Benchmark]
    public long CompiledDelegate() => Compiled(_trades, 7L);

    [CompiledQuery(nameof(OfAccountDefinition))]
    public static partial long OfAccount(IEnumerable<Trade> trades, long account);

    private static long OfAccountDefinition(IEnumerable<Trade> trades, long account) => (from t in trades where t.Account == account select t.Id).Sum();

    [GlobalCleanup]
    public void Free() => _trades.Dispose();
}
