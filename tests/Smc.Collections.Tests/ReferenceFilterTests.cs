using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Conditions on several referenced rows, asked in the order of what they keep, but never so that a query raises what it would not, or misses what it would.</summary>
public sealed class ReferenceFilterTests : IDisposable
{
    private const int Sales = 30_000;

    private readonly Collection<Place> _places = new();
    private readonly Collection<Sale> _sales = new();
    private readonly List<Place> _known;

    public ReferenceFilterTests() => _known = [.. Enumerable.Range(0, 500).Select(i => _places.Add(number: i, name: i < 400 ? "often" : i < 401 ? "seldom" : "else"))];

    public void Dispose()
    {
        _sales.Dispose();
        _places.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void The_condition_that_keeps_few_rows_may_come_first(int threads)
    {
        Fill((from, to, _) => (from, to));
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(Expected(), FromOftenToSeldom());
        Assert.NotEmpty(Expected());
    }

    /// <summary>The first condition keeps rows without a second reference from the second condition, which would keep fewer rows.</summary>
    [Fact]
    public void A_condition_keeps_rows_from_another_that_could_not_answer()
    {
        Fill((from, to, _) => (from, from.Name == "often" ? to : default));
        Assert.Equal(Expected(), FromOftenToSeldom());
        Assert.NotEmpty(Expected());
    }

    [Theory]
    [InlineData(10)]
    [InlineData(Sales - 10)]
    public void A_row_without_the_first_reference_raises_whatever_the_second_says(int broken)
    {
        Fill((from, to, i) => i == broken ? (default, _known[^1]) : (from, to));
        Assert.Throws<NullReferenceException>(() => Expected());
        Assert.Throws<NullReferenceException>(() => FromOftenToSeldom());
    }

    [Fact]
    public void A_removed_row_raises_whatever_another_condition_says()
    {
        Fill((from, to, i) => i == Sales - 10 ? (_known[0], _known[^1]) : (from == _known[0] ? _known[1] : from, to));
        _places.Remove(_known[0]);
        Assert.Throws<RowRemovedException>(() => FromOftenToSeldom());
    }

    /// <summary>The ids of removed rows have no answer, and no sale asks for one.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Removed_rows_that_no_reference_leads_to_change_nothing(int threads)
    {
        for (int number = 3; number < _known.Count; number += 7)
        {
            _places.Remove(_known[number]);
            _known[number] = _known[400];
        }

        Fill((from, to, _) => (from, to));
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        Assert.Equal(Expected(), FromOftenToSeldom());
        Assert.NotEmpty(Expected());
    }

    /// <summary>Of places that no sale leads to, some have the ids of removed rows to which sales lead still.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void Rows_with_the_ids_of_removed_ones_are_not_what_stored_references_lead_to(int step)
    {
        Fill((from, _, i) => (i % 10 == 3 ? default : _known[i % 500 / step * step], default));
        foreach (Place place in _known.Where(place => place.Number % 3 == 0).ToList())
            _places.Remove(place);
        for (int i = 0; i < 20_000 && _places.Count < 500; i++)
            _places.Add(number: 1000 + i, name: "new");
        Place[] places = [.. _places.AsEnumerable()];
        HashSet<Place> left = [.. _sales.AsEnumerable().Select(s => s.From)];
        Assert.Contains(places, place => place.Name == "new");
        Assert.Equal(places.Where(p => !left.Contains(p)).ToList(), Query.Run(_places, _sales, static (places, sales) => places.Where(p => !sales.Any(s => s.From == p)).ToList()));
        Assert.Equal(places.Where(left.Contains).ToList(), Query.Run(_places, _sales, static (places, sales) => places.Where(p => sales.Select(s => s.From).Contains(p)).ToList()));
    }

    /// <summary>Ids of removed rows that other rows have now: their marks are good for living handles only.</summary>
    [Fact]
    public void Rows_with_the_ids_of_removed_ones_are_asked_as_themselves()
    {
        foreach (Place place in _known.Take(200))
            _places.Remove(place);
        for (int i = 0; i < 20_000; i++)
            _known[i % 200] = _places.Add(number: 1000 + i, name: i % 3 == 0 ? "often" : "else");
        Fill((from, to, _) => (from, to));
        Assert.Equal(Expected(), FromOftenToSeldom());
    }

    /// <summary>Rows that a comparison of columns leaves are thinned out by whole columns of references while a third of them is left.</summary>
    [Theory]
    [InlineData(0, "seldom", false)]
    [InlineData(0, "often", false)]
    [InlineData(Sales / 2, "often", true)]
    [InlineData(Sales - 100, "else", true)]
    public void Rows_that_a_comparison_leaves_are_asked_for_their_references(int least, string name, bool reusesIds)
    {
        if (reusesIds)
        {
            foreach (Place place in _known.Take(200))
                _places.Remove(place);
            for (int i = 0; i < 20_000; i++)
                _known[i % 200] = _places.Add(number: 1000 + i, name: i % 3 == 0 ? "often" : "else");
        }

        Fill((from, to, _) => (from, to));
        List<int> expected = [.. _sales.AsEnumerable().Where(s => s.Number >= least && s.From.Name == name).Select(s => s.Number)];
        Assert.Equal(expected, Query.Run(_sales, least, name, static (IEnumerable<Sale> sales, int least, string name) => sales.Where(s => s.Number >= least && s.From.Name == name).Select(s => s.Number).ToList()));
        Assert.NotEmpty(expected);
    }

    /// <summary>A comparison that leaves many rows, of which one has no reference.</summary>
    [Fact]
    public void A_row_without_a_reference_raises_after_a_comparison_too()
    {
        Fill((from, to, i) => i == Sales - 10 ? (default, to) : (from, to));
        Assert.Throws<NullReferenceException>(() => Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Count(s => s.Number >= 5 && s.From.Name == "seldom")));
    }

    private List<int> FromOftenToSeldom() =>
        Query.Run(_sales, static (IEnumerable<Sale> sales) => sales.Where(s => s.From.Name == "often" && s.To.Name == "seldom").Select(s => s.Number).ToList());

    private List<int> Expected() => [.. _sales.AsEnumerable().Where(s => s.From.Name == "often" && s.To.Name == "seldom").Select(s => s.Number)];

    private void Fill(Func<Place, Place, int, (Place From, Place To)> references)
    {
        Random random = new(7);
        for (int i = 0; i < Sales; i++)
        {
            (Place from, Place to) = references(_known[random.Next(_known.Count)], _known[random.Next(_known.Count)], i);
            _sales.Add(number: i, from: from, to: to, over: default, at: default, price: i);
        }
    }
}
