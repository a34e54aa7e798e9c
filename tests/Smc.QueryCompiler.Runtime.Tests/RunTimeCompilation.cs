using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>Kernels are made once per shape, used from then on, and unloaded; what has none runs as LINQ to Objects, and says so.</summary>
public sealed partial class RunTimeCompilation : IDisposable
{
    private readonly Shop _shop = new();
    private readonly List<QueryFallback> _fallbacks = [];

    public void Dispose() => _shop.Dispose();

    [Fact]
    public void A_query_that_is_put_together_has_a_kernel_for_each_form()
    {
        RuntimeQueryProvider provider = Provider();
        foreach ((string? buyer, bool largest, int expected) in new[] { (null, false, 300), ("Ada", false, 100), ("Ben", true, 1), ("Cem", false, 100) })
        {
            Query<Sale> query = _shop.Sales;
            if (buyer is not null)
                query = query.Where(s => s.Buyer.Name == buyer);
            if (largest)
                query = query.OrderByDescending(s => s.Total).Take(1);
            Assert.Equal(expected, TestProvider.With(provider, query.ToList).Count);
        }

        Assert.Empty(_fallbacks);
        Assert.Equal(3, provider.KernelCount);
    }

    [Fact]
    public void Until_the_kernel_is_there_the_query_runs_as_LINQ()
    {
        RuntimeQueryProvider provider = new(new RuntimeQueryOptions { OnFallback = _fallbacks.Add });
        Func<int> query = () => TestProvider.With(provider, () => _shop.Sales.Count(s => s.Number % 2 == 0));
        Assert.Equal(150, query());
        Assert.True(Assert.Single(_fallbacks).IsPending);
        while (_fallbacks.Count > 0 && !TestContext.Current.CancellationToken.IsCancellationRequested)
        {
            _fallbacks.Clear();
            Assert.Equal(150, query());
        }

        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void Constants_of_another_scale_are_other_kernels()
    {
        RuntimeQueryProvider provider = Provider();
        Assert.Equal("0.00", TestProvider.With(provider, () => _shop.Sales.Where(s => s.Number == 0).Select(s => s.Total * 1m).Single()).ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("0.000", TestProvider.With(provider, () => _shop.Sales.Where(s => s.Number == 0).Select(s => s.Total * 1.0m).Single()).ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(2, provider.KernelCount);
    }

    [Fact]
    public void Results_may_be_anonymous()
    {
        var found = TestProvider.With(Provider(), () => _shop.Sales.Where(s => s.Number < 2).OrderBy(s => s.Number).Select(s => new { s.Number, Buyer = s.Buyer.Name }).ToList());
        Assert.Equal([new { Number = 0, Buyer = "Ada" }, new { Number = 1, Buyer = "Ben" }], found);
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void A_dictionary_of_anonymous_values_keeps_its_comparer()
    {
        var found = TestProvider.With(Provider(), () => _shop.Buyers.ToDictionary(b => b.Name, b => new { b.Name.Length }, StringComparer.OrdinalIgnoreCase));
        Assert.Equal(3, found["ADA"].Length);
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void What_a_kernel_raises_LINQ_decides_on()
    {
        Query<Sale> sales = _shop.Sales;
        int Share() => sales.OrderByDescending(s => s.Number).Join(sales.Where(s => s.Number < 0), s => 100 / (s.Number - 5), s => s.Number, (s, t) => t.Number).Count();
        Assert.Equal(0, TestProvider.With(Provider(), Share));
        Assert.Contains("raised an exception", Assert.Single(_fallbacks).Reason);
        Assert.Throws<DivideByZeroException>(() => TestProvider.With(Provider(), () => sales.Sum(s => 100 / (s.Number - 5))));
    }

    [Fact]
    public void Results_may_be_private_types()
    {
        List<Line> found = TestProvider.With(Provider(), () => _shop.Sales.Where(s => s.Number == 5).Select(s => new Line(s.Number, s.Buyer.Name)).ToList());
        Assert.Equal([new Line(5, "Cem")], found);
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void Foreach_uses_a_kernel()
    {
        int sum = TestProvider.With(Provider(), () =>
        {
            int total = 0;
            foreach (int number in _shop.Sales.Where(s => s.Number < 4).Select(s => s.Number))
                total += number;
            return total;
        });
        Assert.Equal(6, sum);
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void A_query_without_kernel_has_the_answer_of_LINQ_and_is_reported()
    {
        Func<int, bool> isOdd = n => n % 2 == 1;
        Assert.Equal(150, TestProvider.With(Provider(), () => _shop.Sales.Count(s => isOdd(s.Number))));
        Assert.Contains("delegate", Assert.Single(_fallbacks).Reason, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void An_explanation_has_the_plan_and_the_kernel()
    {
        string text = TestProvider.With(Provider(), () => _shop.Sales.Where(s => s.Number > 3).Explain());
        Assert.Contains("Filter (sale.Number > 3)", text, StringComparison.Ordinal);
        Assert.Contains("internal static class Query_", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_cancelled_query_ends_between_blocks()
    {
        using CancellationTokenSource source = new();
        RuntimeQueryProvider provider = Provider();
        Canceller.Source = source;
        Canceller.Calls = 0;
        Assert.Throws<OperationCanceledException>(() => TestProvider.With(provider, () => _shop.Sales.Where(s => Canceller.Cancel(s.Number)).WithCancellation(source.Token).Select(s => s.Number).ToList()));
        Assert.InRange(Canceller.Calls, 1, 64);
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void A_query_that_needs_more_memory_than_it_may_says_what_to_do()
    {
        using Shop large = new(sales: 40_000);
        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() => TestProvider.With(Provider(), () =>
            large.Sales.WithOptions(new QueryOptions { MemoryLimit = 1000 }).OrderBy(s => s.Total).ThenByDescending(s => s.Number).Select(s => s.Number).ToList()));
        Assert.Contains("QueryOptions.MemoryLimit", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_kernel_that_was_not_used_for_the_longest_time_is_unloaded()
    {
        RuntimeQueryProvider provider = new(new RuntimeQueryOptions { WaitsForKernels = true, KernelLimit = 1, OnFallback = _fallbacks.Add });
        string kernel = CountWithKernel(provider);
        Assert.True(IsLoaded(kernel));
        TestProvider.With(provider, () => _shop.Sales.Count(s => s.Number % 5 == 0));
        for (int i = 0; i < 100 && IsLoaded(kernel); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(IsLoaded(kernel));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private string CountWithKernel(RuntimeQueryProvider provider)
    {
        Query<Sale> query = _shop.Sales.Where(s => s.Number % 7 == 0);
        Assert.Equal(43, TestProvider.With(provider, query.ToList).Count);
        return KernelName().Match(TestProvider.With(provider, query.Explain)).Groups[1].Value;
    }

    private static bool IsLoaded(string kernel) => AppDomain.CurrentDomain.GetAssemblies().Any(a => a.GetName().Name == kernel);

    [GeneratedRegex(@"internal static class (Query_\w+)")]
    private static partial Regex KernelName();

    private RuntimeQueryProvider Provider() => new(new RuntimeQueryOptions { WaitsForKernels = true, OnFallback = _fallbacks.Add });

    private sealed record Line(int Number, string Buyer);

    private static class Canceller
    {
        public static CancellationTokenSource? Source { get; set; }

        public static int Calls { get; set; }

        public static bool Cancel(int number)
        {
            Calls++;
            Source!.Cancel();
            return number >= 0;
        }
    }
}
