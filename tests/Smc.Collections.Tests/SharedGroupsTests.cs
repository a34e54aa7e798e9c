using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Groups by reference on several threads, where rows of one group lie near each other and the threads divide the places of groups, and where they do not.</summary>
public sealed class SharedGroupsTests : IDisposable
{
    private const int RowsPerBlock = 512;
    private const int Blocks = 24;
    private const int RowsOfPlace = 4;

    private readonly Collection<Place> _places = new(new CollectionOptions { BlockCapacity = RowsPerBlock });
    private readonly Collection<Sale> _sales = new(new CollectionOptions { BlockCapacity = RowsPerBlock });

    public void Dispose()
    {
        _sales.Dispose();
        _places.Dispose();
    }

    public static TheoryData<string, int> Data() => [.. from order in new[] { "near", "near with nulls", "mixed", "back", "removed" } from threads in new[] { 1, 2, 4 } select (order, threads)];

    [Theory]
    [MemberData(nameof(Data))]
    public void Groups_come_in_the_order_of_their_first_rows_with_all_of_theirs(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, g.Count(), g.Sum(s => s.Price), g.Min(s => s.Number), g.Max(s => s.Number))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) =>
                sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(g.Key, g.Count(), g.Sum(s => s.Price), g.Min(s => s.Number), g.Max(s => s.Number))).ToList()));
    }

    [Theory]
    [MemberData(nameof(Data))]
    public void Rows_of_groups_come_in_their_order(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.From).Where(g => g.Count() > 2).SelectMany(g => g.Where(s => s.Number % 3 != 0)).Select(s => s.Number),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Where(g => g.Count() > 2).SelectMany(g => g.Where(s => s.Number % 3 != 0)).Select(s => s.Number).ToList()));
    }

    [Theory]
    [MemberData(nameof(Data))]
    public void Distinct_references_come_in_the_order_of_their_first_rows(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _sales.AsEnumerable().Where(s => s.Number % 5 != 0).Select(s => s.From).Distinct(),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Where(s => s.Number % 5 != 0).Select(s => s.From).Distinct().ToList()));
    }

    [Theory]
    [MemberData(nameof(Data))]
    public void Distinct_values_of_a_group_count_once(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, g.Count(), g.Select(s => s.To).Distinct().Count(), g.Select(s => s.Number % 3).Distinct().Sum(), g.Select(s => s.Number % 3).Distinct().Max())),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(
                g.Key, g.Count(), g.Select(s => s.To).Distinct().Count(), g.Select(s => s.Number % 3).Distinct().Sum(), g.Select(s => s.Number % 3).Distinct().Max())).ToList()));
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.Number % 7).Select(g => (g.Key, g.Select(s => s.To).Distinct().Count())),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.Number % 7).Select(g => ValueTuple.Create(g.Key, g.Select(s => s.To).Distinct().Count())).ToList()));
        Assert.Equal(
            _sales.AsEnumerable().Select(s => s.Price).Distinct().Count(),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Select(s => s.Price).Distinct().Count()));
    }

    [Theory]
    [InlineData("near")]
    [InlineData("near with nulls")]
    [InlineData("mixed")]
    [InlineData("outside")]
    public void Two_threads_that_meet_find_the_groups_of_one(string order)
    {
        Fill(order);
        List<(Place, int, int)> expected = [.. _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, g.Count(), g.Max(s => s.Number)))];
        using var options = OnThreads(2);
        Assert.Equal(expected, Query.Run(_sales, new ParallelQueryTests.Meeting(2), static (IEnumerable<Sale> sales, ParallelQueryTests.Meeting meeting) =>
            sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(g.Key, g.Count(s => meeting.Attend(s.Number)), g.Max(s => s.Number))).ToList()));
    }

    [Fact]
    public void Parts_divide_the_places_only_where_rows_of_a_group_are_near()
    {
        using var options = OnThreads(2);
        Fill("near");
        Assert.True(AreDivided());
        Fill("mixed");
        Assert.False(AreDivided());
    }

    private static KernelOptions.Scope OnThreads(int threads) => Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });

    private bool AreDivided()
    {
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(_sales);
        ulong zone = 0;
        foreach (ColumnLayout column in context.Layout.Columns)
            zone = column.Name == nameof(Sale.From) ? (ulong)column.ZoneMapOffset : zone;
        Region region = new(context.Manager);
        try
        {
            return IndexWindows.OfScan(context, zone, TargetRows.Locate(context, zone), ref region).AreUsed;
        }
        finally
        {
            region.Dispose();
        }
    }

    private void Fill(string order)
    {
        Random random = new(order.Length);
        const int Rows = Blocks * RowsPerBlock, Places = Rows / RowsOfPlace;
        List<Place> all = [.. Enumerable.Range(0, Places).Select(i => _places.Add(number: i, name: "place"))];
        List<Sale> sales = [];
        for (int i = 0; i < Rows; i++)
        {
            int near = Math.Clamp((i / RowsOfPlace) + random.Next(-2, 3), 0, Places - 1);
            Place from = order switch
            {
                "near" or "removed" => all[near],
                "near with nulls" => i % 1000 == 999 ? default : all[near],
                "back" => all[Places - 1 - near],
                // Each block leads to many places that belong to the block before it.
                "outside" => all[Math.Max(0, (i / RowsPerBlock * RowsPerBlock / RowsOfPlace) + (i % RowsPerBlock < 16 ? i % RowsPerBlock - 16 : random.Next(RowsPerBlock / RowsOfPlace)))],
                _ => all[random.Next(Places)],
            };
            sales.Add(_sales.Add(number: i, from: from, to: all[random.Next(3)], over: default, at: default, price: decimal.Round(random.Next(1, 100) / 7m, 2)));
        }

        for (int i = 0; order == "removed" && i < Rows; i += 3)
            _sales.Remove(sales[i]);
    }
}
