using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Groups by referenced rows and by values behind references, over references that are null, stale, or lead to another collection.</summary>
public sealed class GroupsByReferenceTests : IDisposable
{
    private const int Sales = 4_000;

    private readonly Collection<Place> _places = new(new CollectionOptions { BlockCapacity = 64 });
    private readonly Collection<Place> _others = new();
    private readonly Collection<Sale> _sales = new(new CollectionOptions { BlockCapacity = 64 });

    public void Dispose()
    {
        _sales.Dispose();
        _places.Dispose();
        _others.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Rows_of_one_reference_are_one_group_in_the_order_of_their_first(int threads)
    {
        Fill(places: 700, static (places, random) => places[random.Next(places.Count)]);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, g.Count(), g.Sum(s => s.Price))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(g.Key, g.Count(), g.Sum(s => s.Price))).ToList()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Null_and_removed_rows_and_those_of_another_collection_are_groups_too(int threads)
    {
        FillWithStrangers();
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        List<(Place, int)> expected = [.. _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, g.Count()))];
        Assert.Equal(expected, Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()));
        Assert.Equal(
            expected.Where(g => g.Item2 > 3),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Where(g => g.Count() > 3).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Filtered_rows_need_no_group_of_their_own(int threads)
    {
        FillWithStrangers();
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            _sales.AsEnumerable().Where(s => s.Number % 50 == 0).GroupBy(s => s.From).Select(g => (g.Key, g.Max(s => s.Number))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Where(s => s.Number % 50 == 0).GroupBy(s => s.From).Select(g => ValueTuple.Create(g.Key, g.Max(s => s.Number))).ToList()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void References_behind_a_reference_group_rows(int threads)
    {
        FillWithStrangers();
        Random random = new(3);
        List<Sale> sold = [.. _sales];
        using Collection<Receipt> receipts = new(new CollectionOptions { BlockCapacity = 64 });
        for (int i = 0; i < 6_000; i++)
            receipts.Add(number: i, sale: sold[random.Next(sold.Count)]);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            receipts.AsEnumerable().GroupBy(r => r.Sale.From).Select(g => (g.Key, g.Count(), g.Sum(r => r.Number))),
            Query.Run(receipts, static (IEnumerable<Receipt> receipts) => receipts.GroupBy(r => r.Sale.From).Select(g => ValueTuple.Create(g.Key, g.Count(), g.Sum(r => r.Number))).ToList()));
        Assert.Equal(
            receipts.AsEnumerable().Where(r => r.Number % 40 == 0).GroupBy(r => r.Sale.From).Select(g => (g.Key, g.Count())),
            Query.Run(receipts, static (IEnumerable<Receipt> receipts) => receipts.Where(r => r.Number % 40 == 0).GroupBy(r => r.Sale.From).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()));

        _sales.Remove(sold[0]);
        receipts.Add(number: 0, sale: sold[0]);
        Assert.Throws<RowRemovedException>(() => Query.Run(receipts, static (IEnumerable<Receipt> receipts) => receipts.GroupBy(r => r.Sale.From).Select(g => g.Count()).ToList()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Sums_that_a_condition_compares_may_be_wider_than_64_bits(int threads)
    {
        Fill(places: 40, static (places, random) => places[random.Next(places.Count)], price: 9_000_000_000_000_000m);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        List<(int, decimal)> expected = [.. _sales.AsEnumerable().GroupBy(s => s.From).Where(g => g.Sum(s => s.Price) > 450_000_000_000_000_000.5m).Select(g => (g.Key.Number, g.Sum(s => s.Price)))];
        Assert.InRange(expected.Count, 1, 39);
        Assert.Equal(
            expected,
            Query.Run(_sales, static (IEnumerable<Sale> sales) =>
                sales.GroupBy(s => s.From).Where(g => g.Sum(s => s.Price) > 450_000_000_000_000_000.5m).Select(g => ValueTuple.Create(g.Key.Number, g.Sum(s => s.Price))).ToList()));
    }

    /// <summary>So many places do not fit the caches: those that no row of the scan had yet are asked for ahead.</summary>
    [Theory]
    [InlineData(1, 700)]
    [InlineData(2, 700)]
    [InlineData(1, 20_000)]
    [InlineData(2, 20_000)]
    public void Texts_behind_one_reference_group_rows(int threads, int places)
    {
        Fill(places, static (places, random) => places[random.Next(places.Count)]);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => (s.From.Name, s.From.Number / 2)).Select(g => (g.Key.Name, g.Key.Item2, g.Count())),
            Query.Run(_sales, static (IEnumerable<Sale> sales) =>
                sales.GroupBy(s => new { s.From.Name, Half = s.From.Number / 2 }).Select(g => ValueTuple.Create(g.Key.Name, g.Key.Half, g.Count())).ToList()));
    }

    /// <summary>With 700 places and up to 300 texts, pairs are more than a map of small numbers has places for.</summary>
    [Theory]
    [InlineData(1, 30)]
    [InlineData(2, 30)]
    [InlineData(1, 700)]
    [InlineData(2, 700)]
    public void Texts_behind_several_references_group_rows(int threads, int places)
    {
        Fill(places, static (places, random) => places[random.Next(places.Count)]);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => (s.From.Name, s.To.Name)).Select(g => (g.Key.Item1, g.Key.Item2, g.Count())),
            Query.Run(_sales, static (IEnumerable<Sale> sales) =>
                sales.GroupBy(s => new { From = s.From.Name, To = s.To.Name }).Select(g => ValueTuple.Create(g.Key.From, g.Key.To, g.Count())).ToList()));
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => (s.From.Name, s.To.Number, s.Over.Name)).Select(g => (g.Key.Item1, g.Key.Number, g.Key.Item3, g.Sum(s => s.Price))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales
                .GroupBy(s => new { From = s.From.Name, To = s.To.Number, Over = s.Over.Name })
                .Select(g => ValueTuple.Create(g.Key.From, g.Key.To, g.Key.Over, g.Sum(s => s.Price))).ToList()));
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => (s.Number % 3, s.From.Name, s.To.Number, s.Over.Name, s.At.Number)).Select(g => (g.Key.Item1, g.Key.Item2, g.Key.Item3, g.Key.Item4, g.Key.Item5, g.Min(s => s.Price))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales
                .GroupBy(s => new { Third = s.Number % 3, From = s.From.Name, To = s.To.Number, Over = s.Over.Name, At = s.At.Number })
                .Select(g => ValueTuple.Create(g.Key.Third, g.Key.From, g.Key.To, g.Key.Over, g.Key.At, g.Min(s => s.Price))).ToList()));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(20_000)]
    public void Values_behind_null_raise_as_LINQ_does(int places)
    {
        Fill(places, static (places, random) => places[random.Next(places.Count)]);
        _sales.Add(number: 0, from: default, to: default, over: default, at: default, price: 0);
        Assert.Throws<NullReferenceException>(() => _sales.AsEnumerable().GroupBy(s => s.From.Name).Count());
        Assert.Throws<NullReferenceException>(() => Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From.Name).Select(g => g.Count()).ToList()));
        Assert.Throws<NullReferenceException>(() => Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => new { s.From.Name, s.To.Number }).Select(g => g.Count()).ToList()));
    }

    /// <summary>The new row has the dense id of the removed one: what is remembered of it must not answer for the other.</summary>
    [Fact]
    public void A_removed_row_is_not_taken_for_the_one_that_has_its_id_now()
    {
        Fill(places: 20, static (places, random) => places[random.Next(places.Count)]);
        Dictionary<uint, Place> gone = Enumerable.Range(0, 5_000).Select(i => _places.Add(number: i, name: "removed")).ToDictionary(DenseId.Of);
        foreach (Place place in gone.Values)
            _places.Remove(place);
        // Ids are free again two epochs later; readers of other tests may hold them up.
        Place later = default, removed = default;
        for (int added = 0; removed.IsNull && added < 1_000_000; added++)
        {
            later = _places.Add(number: 2, name: "later");
            gone.TryGetValue(DenseId.Of(later), out removed);
        }

        Assert.False(removed.IsNull);
        _sales.Add(number: 1, from: later, to: later, over: later, at: later, price: 1_000);
        Assert.Contains("later", Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From.Name).Select(g => g.Key).ToList()));
        _sales.Add(number: 2, from: removed, to: later, over: later, at: later, price: 1_000);
        Assert.Throws<RowRemovedException>(() => Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From.Name).Select(g => g.Count()).ToList()));
        Assert.Throws<RowRemovedException>(() => Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => new { s.From.Name, s.To.Number }).Select(g => g.Count()).ToList()));
        Assert.Equal(
            [later, removed],
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Where(s => s.Price == 1_000).GroupBy(s => s.From).Select(g => g.Key).ToList()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Aggregates_with_one_condition_take_the_same_rows(int threads)
    {
        Fill(places: 40, static (places, random) => places[random.Next(places.Count)]);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(
            _sales.AsEnumerable().GroupBy(s => s.From).Select(g => (g.Key, Even(g).Count(), Even(g).Sum(s => s.Price), Even(g).Sum(s => s.Number), g.Count(s => s.Number % 7 == 0))),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.GroupBy(s => s.From).Select(g => ValueTuple.Create(
                g.Key,
                g.Count(s => s.Number % 2 == 0),
                g.Where(s => s.Number % 2 == 0).Sum(s => s.Price),
                g.Where(s => s.Number % 2 == 0).Sum(s => s.Number),
                g.Count(s => s.Number % 7 == 0))).ToList()));
        Assert.Equal(
            _sales.AsEnumerable().Where(s => s.Number % 2 == 0).GroupBy(_ => 0).Select(g => (g.Min(s => s.Price * 3), g.Max(s => s.Price - 5), g.Average(s => s.Price * s.Price))).Single(),
            Query.Run(_sales, static (IEnumerable<Sale> sales) => ValueTuple.Create(
                sales.Where(s => s.Number % 2 == 0).Min(s => s.Price * 3), sales.Where(s => s.Number % 2 == 0).Max(s => s.Price - 5), sales.Where(s => s.Number % 2 == 0).Average(s => s.Price * s.Price))));

        static IEnumerable<Sale> Even(IEnumerable<Sale> sales) => sales.Where(s => s.Number % 2 == 0);
    }

    private void Fill(int places, Func<List<Place>, Random, Place> choose, decimal price = 100)
    {
        Random random = new(places);
        List<Place> all = [.. Enumerable.Range(0, places).Select(i => _places.Add(number: i, name: $"a place with the number {i * 3 / 7}"))];
        for (int i = 0; i < Sales; i++)
            _sales.Add(number: i, from: choose(all, random), to: choose(all, random), over: choose(all, random), at: choose(all, random), price: decimal.Round(price * random.Next(1, 100) / 100, 2));
    }

    /// <summary>Every tenth reference is null, to a row that was removed, or to one of another collection.</summary>
    private void FillWithStrangers()
    {
        List<Place> strangers = [default, .. Enumerable.Range(0, 5).Select(i => _others.Add(number: i, name: "of another collection"))];
        List<Place> removed = [];
        Fill(places: 300, (places, random) =>
        {
            if (removed.Count == 0)
            {
                removed.AddRange(places.Where((_, i) => i % 9 == 0));
                removed.ForEach(place => _places.Remove(place));
                places.RemoveAll(removed.Contains);
            }

            return random.Next(10) != 0 ? places[random.Next(places.Count)] : random.Next(2) == 0 ? strangers[random.Next(strangers.Count)] : removed[random.Next(removed.Count)];
        });
    }
}
