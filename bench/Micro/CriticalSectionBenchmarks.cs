using BenchmarkDotNet.Attributes;
using Smc.Memory;

namespace Micro;

/// <summary>Goal: enter and exit under 4 ns when inlined (DESIGN 6).</summary>
public class CriticalSectionBenchmarks
{
    private const int N = 1000;

    [Benchmark(OperationsPerInvoke = N)]
    public void EnterAndExit()
    {
        for (int i = 0; i < N; i++)
            CriticalSection.Enter().Dispose();
    }

    [Benchmark(OperationsPerInvoke = N)]
    public void EnterAndExitNested()
    {
        using CriticalSection outer = CriticalSection.Enter();
        for (int i = 0; i < N; i++)
            CriticalSection.Enter().Dispose();
    }
}
