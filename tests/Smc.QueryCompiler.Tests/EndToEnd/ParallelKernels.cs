using Smc.Collections;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>A kernel on several threads gives what it gives on one, in the same order: groups, rows, chains of joins, ties, scales, exceptions.</summary>
public sealed class ParallelKernels
{
    private static readonly (string State, int Threads)[] s_executions = [("several blocks", 2), ("removed", 4), ("removed targets", 3)];

    public static TheoryData<string, string, int, string> Cases() =>
    [
        .. from layout in new[] { "Columnar", "Row" }
           from execution in s_executions
           from query in QueryCases.All
           select (layout, execution.State, execution.Threads, query),
    ];

    public static TheoryData<string, string, int, string> Plans() =>
    [
        .. from layout in new[] { "Columnar", "Row" }
           from execution in s_executions
           from name in PlanCases.Names
           select (layout, execution.State, execution.Threads, name),
    ];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void A_query_gives_the_same_on_several_threads(string layout, string state, int threads, string query)
    {
        CompiledShop shop = KernelsAgreeWithLinq.Shop(layout);
        Assert.SkipWhen(shop.ReasonFor(query) is not null, shop.ReasonFor(query) ?? "");
        IDisposable data = shop.Filled(state);
        string expected = Answer.Of(() => shop.Run(query, data), isOrdered: true);
        string actual = Answer.Of(() => OnThreads(threads, () => shop.Run(query, data)), isOrdered: true);
        Assert.True(expected == actual, $"one thread:\n{expected}\n\n{threads} threads:\n{actual}\n\n{shop.Kernel(query).SourceText}");
    }

    [Theory]
    [MemberData(nameof(Plans), DisableDiscoveryEnumeration = true)]
    public void A_plan_gives_the_same_on_several_threads(string layout, string state, int threads, string name)
    {
        PlanShop shop = PlansAgreeWithLinq.Shop(layout);
        string expected = Answer.Of(() => shop.Run(name, state), isOrdered: true);
        string actual = Answer.Of(() => OnThreads(threads, () => shop.Run(name, state)), isOrdered: true);
        Assert.True(expected == actual, $"one thread:\n{expected}\n\n{threads} threads:\n{actual}\n\n{shop.Kernel(name).SourceText}");
    }

    internal static object? OnThreads(int threads, Func<object?> query)
    {
        using KernelOptions.Scope scope = KernelOptions.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        return query();
    }
}
