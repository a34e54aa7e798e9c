using Smc.Collections;
using Xunit;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary><c>ExplainAnalyze()</c> says how many elements each operator passed on, as LINQ counts them.</summary>
public sealed class AnalyzedQueries : IDisposable
{
    private readonly Shop _shop = new(sales: 3_000);

    public void Dispose() => _shop.Dispose();

    [Fact]
    public void Rows_that_pass_a_filter_are_counted() => AssertCounts(
        _shop.Sales.Where(s => s.Number >= 100 && s.Number < 350),
        ("Filter", 250), ("Scan", 3_000));

    [Fact]
    public void A_row_that_is_looked_up_in_a_unique_index_is_the_only_one_that_is_asked()
    {
        int number = 1_234;
        AssertCounts(_shop.Sales.Where(s => s.Number == number), ("Filter", 1), ("Scan", 3_000));
        using UniqueIndex<Sale, int> byNumber = _shop.Sales.CreateUniqueIndex(s => s.Number);
        string text = AssertCounts(_shop.Sales.Where(s => s.Number == number), ("Filter", 1), ("Scan", 1));
        Assert.Contains("Sale.Number: by the unique index on it, if there is one", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_whose_keys_are_listed_are_the_only_ones_that_are_asked_if_the_list_is_short()
    {
        int[] numbers = [1_234, 7];
        HashSet<int> set = [7, 8, 5_000], many = [.. Enumerable.Range(2_900, 200)];
        AssertCounts(_shop.Sales.Where(s => set.Contains(s.Number)), ("Filter", 2), ("Scan", 3_000));
        using UniqueIndex<Sale, int> byNumber = _shop.Sales.CreateUniqueIndex(s => s.Number);
        AssertCounts(_shop.Sales.Where(s => set.Contains(s.Number)), ("Filter", 2), ("Scan", 2));
        AssertCounts(_shop.Sales.Where(s => many.Contains(s.Number)), ("Filter", 100), ("Scan", 3_000));
        Assert.Contains(
            "Sale.Number: each value of the list by the unique index on it or an ordered one that begins with it, if there is one and the list is so short that this is cheaper",
            Analyzed(_shop.Sales.Where(s => numbers.Contains(s.Number))), StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_with_one_of_several_keys_are_the_only_ones_that_are_asked()
    {
        int first = 1_234, second = 7, third = 5_000;
        AssertCounts(_shop.Sales.Where(s => s.Number == first || s.Number == second), ("Filter", 2), ("Scan", 3_000));
        using UniqueIndex<Sale, int> byNumber = _shop.Sales.CreateUniqueIndex(s => s.Number);
        string text = AssertCounts(_shop.Sales.Where(s => s.Number == first || second == s.Number), ("Filter", 2), ("Scan", 2));
        AssertCounts(_shop.Sales.Where(s => s.Number == first || s.Number == second || s.Number == third || s.Number == 8 || s.Number == 9), ("Filter", 4), ("Scan", 3_000));
        AssertCounts(_shop.Sales.Where(s => s.Number == first || s.Number == second || s.Total < 0), ("Filter", 2), ("Scan", 3_000));
        Assert.Contains("Sale.Number: each of the 2 values by the unique index on it or an ordered one that begins with it, if there is one and this is cheaper", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_that_are_added_up_several_at_a_time_are_counted_too() => AssertCounts(
        _shop.Sales.Where(s => s.Number < 2_900).GroupBy(s => s.Date).Select(g => g.Sum(s => s.Total)),
        ("Aggregate", 30), ("Filter", 2_900), ("Scan", 3_000));

    [Fact]
    public void Groups_and_rows_behind_references_are_counted()
    {
        string text = AssertCounts(_shop.Sales.Where(s => s.Buyer.Name != "Ben").GroupBy(s => s.Date).Where(g => g.Count() > 1).Select(g => g.Key), ("Aggregate", 20), ("Scan", 3_000));
        Assert.Contains("sale.Buyer: 3 rows asked in ", text, StringComparison.Ordinal);
        Assert.Contains("groups by a map of all values of sale.Date", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Pairs_of_a_join_are_counted() => AssertCounts(
        _shop.Sales.Where(s => s.Number < 90).Join(_shop.Sales.Where(s => s.Number % 3 == 0), s => s.Number, t => t.Number, (s, t) => t.Total),
        ("Join", 30));

    [Fact]
    public void Partners_that_an_index_finds_are_counted_and_the_right_side_is_not_read()
    {
        int number = 1_234;
        using UniqueIndex<Sale, int> byNumber = _shop.Sales.CreateUniqueIndex(s => s.Number);
        Query<int> query = _shop.Sales.Where(s => s.Number == number).Join(_shop.Sales, s => s.Total, t => t.Total, (s, t) => t.Number);
        string before = AssertCounts(query, ("Join", 3));
        Assert.Contains("- 3,000 elements", before, StringComparison.Ordinal);
        using OrderedIndex<Sale, decimal> byTotal = _shop.Sales.CreateIndex(s => s.Total);
        string after = AssertCounts(query, ("Join", 3));
        Assert.DoesNotContain("- 3,000 elements", after, StringComparison.Ordinal);
        Assert.Contains("no table, but each key by an index of the right side on sale", after, StringComparison.Ordinal);
    }

    [Fact]
    public void A_range_of_an_order_is_counted() => AssertCounts(_shop.Sales.OrderBy(s => s.Total).Skip(5).Take(10), ("TopN", 10), ("Scan", 3_000));

    [Fact]
    public void A_kernel_that_gives_up_says_so_and_counts_what_gave_the_result()
    {
        string text = AssertCounts(_shop.Sales.GroupBy(s => s.Date).Select(g => g.Sum(s => s.Total * s.Total * s.Total * s.Total)), ("Aggregate", 30), ("Scan", 3_000));
        Assert.Contains("the fast variant gave up", text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_not_compiled_or_raises_says_why()
    {
        Func<int, bool> isOdd = n => n % 2 == 1;
        Assert.Contains("LINQ to Objects: ", Analyzed(_shop.Sales.Where(s => isOdd(s.Number))), StringComparison.Ordinal);
        _shop.Sales.Add(number: 1, total: 1, date: default, buyer: default);
        Assert.Contains(nameof(NullReferenceException), Analyzed(_shop.Sales.Select(s => s.Buyer.Name)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_cancelled_query_is_cancelled() =>
        Assert.Throws<OperationCanceledException>(() => Analyzed(_shop.Sales.Where(s => s.Number > 3).WithCancellation(new CancellationToken(canceled: true))));

    private static string Analyzed<T>(Query<T> query) => TestProvider.With(new RuntimeQueryProvider(new RuntimeQueryOptions()), query.ExplainAnalyze);

    private static string AssertCounts<T>(Query<T> query, params (string Operator, int Elements)[] counts)
    {
        string text = Analyzed(query);
        string[] lines = text.Split('\n');
        foreach ((string node, int elements) in counts)
        {
            int at = Array.FindIndex(lines, line => line.TrimStart().StartsWith(node + " ", StringComparison.Ordinal));
            Assert.True(at >= 0, text);
            Assert.True(lines[at + 1].TrimStart().StartsWith($"- {elements:N0} elements", StringComparison.Ordinal), text);
        }

        return text;
    }
}
