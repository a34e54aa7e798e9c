using Smc.Collections;
using Smc.QueryCompiler.Compilation;
using Smc.QueryCompiler.FrontEnd;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Recording;
using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>The cases that compile-time kernels are tested with, through the run-time compiler.</summary>
public sealed class QueryCasesAtRunTime
{
    private static readonly Lazy<RecordedShop> s_columnar = new(() => new RecordedShop("Columnar", Queries));
    private static readonly Lazy<RecordedShop> s_row = new(() => new RecordedShop("Row", Queries));
    private static readonly Lazy<RuntimeQueryProvider> s_provider = new(() => new RuntimeQueryProvider(new RuntimeQueryOptions { WaitsForKernels = true, OnFallback = f => t_fallback = f.Reason }));

    [ThreadStatic]
    private static string? t_fallback;

    private static string[] Queries => [.. QueryCases.Ordered, .. QueryCases.Unordered, .. QueryCases.Ranges];

    public static TheoryData<string, string> Cases() => [.. new[] { "dense", "removed", "removed targets", "empty", "one row", "several blocks" }.SelectMany(state => Queries.Select(query => (state, query)))];

    /// <summary>Some of all kinds: each compiles a kernel of its own. Not those in which LINQ to Objects asks a comparer of the user's behind the kernel, and raises if it gave nothing.</summary>
    public static TheoryData<string> Analyzed() => [.. Queries.Where((query, i) => i % 6 == 0 && !query.EndsWith(".Max(new Nearest(5))", StringComparison.Ordinal))];

    public static TheoryData<string> Plans() => [.. QueryCases.Ordered, .. QueryCases.Unordered];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_kernel_gives_what_LINQ_gives(string state, string query)
    {
        RecordedShop shop = s_columnar.Value;
        Assert.SkipUnless(shop.IsExpressible(query), "C# permits no expression tree of it");
        IDisposable data = shop.Filled(state);
        bool isOrdered = QueryCases.IsOrdered(query);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered);
        t_fallback = null;
        string actual = Answer.Of(() => TestProvider.With(s_provider.Value, () => shop.Recorded(query, data)), isOrdered);
        Assert.Equal(expected, actual);
        // Where the query raises, LINQ to Objects may be asked whether it does.
        Assert.True(t_fallback is null || expected.Contains("Exception: ", StringComparison.Ordinal), t_fallback);
    }

    [Theory]
    [MemberData(nameof(Plans), DisableDiscoveryEnumeration = true)]
    public void Both_front_ends_make_the_same_plan(string query)
    {
        RecordedShop shop = s_columnar.Value;
        Assert.SkipUnless(shop.IsExpressible(query), "C# permits no expression tree of it");
        RecordedCall call = TestProvider.Record(() => shop.Recorded(query, shop.Filled("one row")));
        string plan = PlanPrinter.Print(CompiledQuery.Plan(RecordedReading.Of(call)).Plan);
        Assert.Equal(Operators(shop.CompileTimePlan(query)), Operators(plan).Replace("Scan lineRows", "Scan items", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Analyzed), DisableDiscoveryEnumeration = true)]
    public void A_kernel_that_counts_runs_as_well(string query)
    {
        RecordedShop shop = s_columnar.Value;
        Assert.SkipUnless(shop.IsExpressible(query), "C# permits no expression tree of it");
        IDisposable data = shop.Filled("several blocks");
        string expected = Answer.Of(() => shop.Linq(query, data), QueryCases.IsOrdered(query));
        string text = Answer.Of(() => s_provider.Value.ExplainAnalyze(TestProvider.Record(() => shop.Recorded(query, data))), isOrdered: true);
        if (expected.Contains("Exception: ", StringComparison.Ordinal))
            Assert.True(text == expected || text.Contains("it raised an exception", StringComparison.Ordinal), text);
        else
            Assert.Contains("ran in ", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Columnar", "Shop.Line")]
    [InlineData("Columnar", "Shop.Order")]
    [InlineData("Row", "Shop.Line")]
    [InlineData("Row", "Shop.Customer")]
    public void A_type_has_the_shape_that_the_generator_planned(string layout, string type)
    {
        RecordedShop shop = (layout == "Row" ? s_row : s_columnar).Value;
        TabularShape shape = RuntimeShapes.Read(shop.Type(type));
        Assert.Equal(Text(shop.CompileTimeShape(type)), Text(shape));
        Assert.Equal(shop.CompileTimeShape(type).LayoutHash, shape.LayoutHash);
    }

    // Both are records of the same text, of two assemblies.
    private static string Text(object shape) => string.Join("\n", ((System.Collections.IEnumerable)shape.GetType().GetProperty("Columns")!.GetValue(shape)!).Cast<object>().Prepend(shape));

    /// <summary>Without the line of the parameters: those of a recorded query are named after what they hold.</summary>
    private static string Operators(string plan) => plan[(plan.IndexOf('\n', StringComparison.Ordinal) + 1)..];
}
