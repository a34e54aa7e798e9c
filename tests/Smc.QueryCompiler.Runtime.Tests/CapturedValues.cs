using Smc.Collections;
using Xunit;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>What lambdas take from outside becomes a parameter of the kernel.</summary>
public sealed class CapturedValues : IDisposable
{
    private readonly Shop _shop = new();
    private readonly List<string> _fallbacks = [];
    private readonly RuntimeQueryProvider _provider;
    private readonly int _least = 290;

    public CapturedValues() => _provider = new(new RuntimeQueryOptions { WaitsForKernels = true, OnFallback = f => _fallbacks.Add(f.Reason) });

    public void Dispose() => _shop.Dispose();

    [Fact]
    public void A_variable()
    {
        int least = 290;
        Assert.Equal(10, Compiled(() => _shop.Sales.Count(s => s.Number >= least)));
    }

    [Fact]
    public void A_field_of_this() => Assert.Equal(10, Compiled(() => _shop.Sales.Count(s => s.Number >= _least)));

    [Fact]
    public void Members_of_an_anonymous_object()
    {
        var between = new { Least = 290, End = new { Most = 294 } };
        Assert.Equal(5, Compiled(() => _shop.Sales.Count(s => s.Number >= between.Least && s.Number <= between.End.Most)));
    }

    [Fact]
    public void Variables_of_nested_scopes()
    {
        int most = 5;
        int counted = 0;
        for (int i = 1; i < 4; i++)
        {
            int factor = i;
            counted += Compiled(() => _shop.Sales.Count(s => s.Number * factor < most && s.Number <= _least));
        }

        Assert.Equal(5 + 3 + 2, counted);
    }

    [Fact]
    public void A_handle()
    {
        Buyer ada = Compiled(() => _shop.Buyers.First(b => b.Name == "Ada"));
        Assert.Equal(100, Compiled(() => _shop.Sales.Count(s => s.Buyer == ada)));
    }

    [Fact]
    public void A_list_that_is_asked_for_members()
    {
        List<int> numbers = [3, 5, 1000];
        Assert.Equal([3, 5], Compiled(() => _shop.Sales.Where(s => numbers.Contains(s.Number)).Select(s => s.Number).ToList()));
    }

    [Fact]
    public void The_count_of_Take_and_the_values_of_a_page()
    {
        int page = 2;
        Assert.Equal([20, 21], Compiled(() => _shop.Sales.OrderBy(s => s.Number).Skip(page * 10).Take(2).Select(s => s.Number).ToArray()));
    }

    [Fact]
    public void A_position_from_either_end()
    {
        foreach (Index at in new[] { 3, ^1, ^300 })
        {
            int expected = at.GetOffset(300);
            Assert.Equal(expected, Compiled(() => _shop.Sales.OrderBy(s => s.Number).Select(s => s.Number).ElementAt(at)));
            Assert.Equal(expected, Compiled(() => _shop.Sales.OrderBy(s => s.Number).ElementAtOrDefault(at).Number));
        }
    }

    [Fact]
    public void A_range()
    {
        foreach (Range within in new[] { 3..^290, 3..10, ^297..^290, ^297..10 })
            Assert.Equal([3, 4, 5, 6, 7, 8, 9], Compiled(() => _shop.Sales.OrderBy(s => s.Number).Select(s => s.Number).Take(within).ToList()));
    }

    [Fact]
    public void Values_beside_let_and_join()
    {
        int least = 3;
        string name = "Ben";
        List<string> found = Compiled(() =>
        {
            Query<string> query =
                from s in _shop.Sales
                let twice = s.Number * 2
                where twice > least
                join b in _shop.Buyers on s.Buyer equals b
                where b.Name == name && twice < 20
                orderby s.Number
                select b.Name;
            return query.ToList();
        });
        Assert.Equal(["Ben", "Ben"], found);
    }

    [Fact]
    public void Another_collection_inside_a_lambda() =>
        Assert.Equal(["Ada", "Ben", "Cem"], Compiled(() => _shop.Buyers.Where(b => _shop.Sales.Any(s => s.Buyer == b)).Select(b => b.Name).Order().ToList()));

    private T Compiled<T>(Func<T> query)
    {
        T result = TestProvider.With(_provider, query);
        Assert.Empty(_fallbacks);
        return result;
    }
}
